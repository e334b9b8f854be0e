import assert from 'node:assert/strict';
import { createParticipantListener } from '../../../../src/features/native-chat/vscode/participant-stream.ts';
import type { ChatEvent, StepFinished } from '../../../../src/shared/events.ts';

const place = { turnId: 't', step: 1 };
const model = 'svc/kimi-k3';

function step(text: string, path?: unknown): StepFinished {
  const toolCalls = path === undefined ? [] : [{ id: 'c1', name: 'read_file', arguments: JSON.stringify({ path }) }];
  const reply = { requestedModel: model, model, reasoning: '', finish: 'stop', complete: true, attempts: [] } as const;
  return { type: 'stepFinished', ...place, ...reply, attempts: [], text, toolCalls };
}

function ran(state: 'done' | 'failed'): ChatEvent[] {
  const call = { ...place, callId: 'c1', name: 'read_file', title: 'Read a.ts' };
  return [
    { type: 'toolStarted', ...call, at: 0 },
    { type: 'toolFinished', ...call, state, forModel: '', durationMs: 0 },
  ];
}

/** What the chat shows of these events, in order. */
function shown(events: readonly ChatEvent[]): string[] {
  const lines: string[] = [];
  const listen = createParticipantListener(
    {
      markdown: (text) => lines.push(`text ${text}`),
      progress: (text) => lines.push(`progress ${text}`),
      showRead: (path) => lines.push(`looked ${path}`),
    },
    (id) => id,
  );
  for (const event of events) listen(event);
  return lines;
}

describe('@svc in the chat of VS Code', () => {
  it('F28 shows text as it comes, what is done, and each file that was read once', () => {
    const events: ChatEvent[] = [
      { type: 'textDelta', ...place, text: 'Let me look.' },
      step('Let me look.', 'a.ts'),
      ...ran('done'),
      step('', 'a.ts'),
      ...ran('done'),
    ];
    assert.deepEqual(shown(events), [
      'text Let me look.',
      'text \n\n',
      'progress Read a.ts',
      'looked a.ts',
      'progress Read a.ts',
    ]);
  });

  it('F28 names no file that could not be read', () => {
    assert.deepEqual(shown([step('', 'a.ts'), ...ran('failed')]), ['progress Read a.ts']);
    assert.deepEqual(shown([step('', 7), ...ran('done')]), ['progress Read a.ts']);
  });

  it('F28 U8 @svc says when another model took over', () => {
    const failure = { kind: 'capacity-model', message: '', at: '' } as const;
    const notice = { kind: 'fallback', from: model, to: 'svc/glm-5.3', failure, continued: false } as const;
    const answered = { ...notice, answered: true } as const;
    assert.deepEqual(shown([notice, answered].map((each) => ({ type: 'notice', ...place, notice: each }))), [
      "progress svc/kimi-k3 couldn't answer. Asking svc/glm-5.3…",
      "text \n\n> svc/kimi-k3 couldn't answer, so svc/glm-5.3 is answering.\n\n",
    ]);
  });
});
