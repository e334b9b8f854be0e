import { type ChatState, emptyChat } from '../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../src/shared/chat/reduce-chat.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import type { Failure } from '../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../src/shared/failure/kinds.ts';
import type { Cost } from '../../src/shared/messages.ts';
import type { PanelInfo } from '../../src/shared/panel/panel-info.ts';
import type { HostMessage } from '../../src/shared/panel/protocol.ts';
import { toolPresentations } from '../../src/tools/all-tools.ts';

export const kimi = 'svc/kimi-k3';
export const glm = 'svc/glm-5.3';
const startedAt = Date.UTC(2026, 10, 20, 9, 0, 0);

export function panelInfo(change: Partial<PanelInfo> = {}): PanelInfo {
  return {
    hasAddress: true,
    hasKey: true,
    hasDashboard: true,
    model: { id: kimi, name: 'Kimi K3' },
    modelNames: { [kimi]: 'Kimi K3', [glm]: 'GLM 5.3' },
    trusted: true,
    hasFolder: true,
    attachments: [],
    edits: [],
    queue: { items: [], paused: false },
    sections: {},
    whileBusy: 'queue',
    mode: 'agent',
    sendKey: 'enter',
    fonts: {},
    locale: 'en',
    ...change,
  };
}

/** The strips of one line that are not the subject of a test, as the host would send them. */
export const strips = {
  others: (text: string): PanelInfo['sections'] => ({
    lines: [
      { id: 'otherChats', label: 'Other chats', icon: 'alert', text, buttons: [{ action: 'open', label: 'Open' }] },
    ],
  }),
  compared: (name: string): PanelInfo['sections'] => ({
    lines: [
      {
        ...{ id: 'comparison', label: 'Side by side', icon: 'split', text: `Side by side with ${name}` },
        buttons: [{ action: 'keep', label: 'Keep This Answer' }],
      },
    ],
  }),
  restored: (text: string): PanelInfo['sections'] => ({
    lines: [
      {
        ...{ id: 'restored', label: 'Restored', text, isStatus: true },
        buttons: [
          { action: 'undo', label: 'Undo Restore' },
          { action: 'dismiss', label: 'Dismiss', icon: 'close' },
        ],
      },
    ],
  }),
};

export function snapshot(
  events: readonly ChatEvent[] = [],
  info: Partial<PanelInfo> = {},
  draft = '',
): Extract<HostMessage, { type: 'snapshot' }> {
  return { type: 'snapshot', state: fold(events), info: panelInfo(info), presentations: toolPresentations(), draft };
}

export function fold(events: readonly ChatEvent[]): ChatState {
  const first: ChatEvent = { type: 'created', conversationId: 'conversation-1', at: startedAt };
  return [first, ...events].reduce((state, event) => reduceChat(state, event, startedAt), emptyChat);
}

export function failure(kind: FailureKind, change: Partial<Failure> = {}): Failure {
  return { kind, message: `${kind} happened`, at: '2026-11-20T10:00:00+01:00', model: kimi, ...change };
}

export function cost(change: Partial<Cost> = {}): Cost {
  return {
    promptTokens: 12_431,
    completionTokens: 842,
    totalTokens: 13_273,
    microUsd: 4380,
    estimated: false,
    charge: 'yes',
    requests: 1,
    ...change,
  };
}

export const free = cost({ promptTokens: 0, completionTokens: 0, totalTokens: 0, microUsd: 0, charge: 'no' });

export function ask(text: string, turnId = 'turn-1', model = kimi): ChatEvent[] {
  return [
    { type: 'userMessage', id: `message-${turnId}`, at: startedAt, text, attachments: [] },
    { type: 'turnStarted', turnId, at: startedAt, model },
  ];
}

export function say(text: string, turnId = 'turn-1', step = 0): ChatEvent {
  return { type: 'textDelta', turnId, step, text };
}

export function end(turnId = 'turn-1', change: Partial<Extract<ChatEvent, { type: 'turnEnded' }>> = {}): ChatEvent {
  return { type: 'turnEnded', turnId, at: startedAt + 8200, outcome: 'finished', cost: cost(), ...change };
}

/** One whole turn. */
export function turn(prompt: string, reply: string, turnId = 'turn-1', model = kimi): ChatEvent[] {
  return [...ask(prompt, turnId, model), say(reply, turnId), end(turnId)];
}

export function failedTurn(kind: FailureKind, change: Partial<Failure> = {}, turnId = 'turn-1'): ChatEvent[] {
  return [
    ...ask('Why is the sky blue?', turnId),
    end(turnId, { outcome: 'failed', cost: free, failure: failure(kind, change) }),
  ];
}

interface ToolCallFixture {
  id: string;
  name: string;
  title: string;
  arguments: string;
  output: string;
  state?: 'done' | 'failed' | 'cancelled';
}

/** A step that says `text` and then runs tools. */
export function toolStep(text: string, tools: readonly ToolCallFixture[], turnId = 'turn-1', step = 0): ChatEvent[] {
  return [
    {
      type: 'stepFinished',
      turnId,
      step,
      requestedModel: kimi,
      model: kimi,
      text,
      reasoning: '',
      toolCalls: tools.map(({ id, name, arguments: text }) => ({ id, name, arguments: text })),
      finish: 'stop',
      complete: true,
      attempts: [],
    },
    ...tools.map(
      (tool): ChatEvent => ({
        type: 'toolFinished',
        turnId,
        step,
        callId: tool.id,
        name: tool.name,
        title: tool.title,
        state: tool.state ?? 'done',
        forModel: tool.output,
        durationMs: 210,
      }),
    ),
  ];
}

export const richReply = `Here is what \`parse\` does, and a **safer** version.

## What it does

1. Reads the *whole* file
2. Splits it by lines
   - blank lines are dropped
   - comments stay

| Case | Before | After |
|------|:------:|-------|
| empty | throws | \`[]\` |
| 1 line | ok | ok |

> It never checked for a byte order mark.

\`\`\`ts
export function parse(text: string): string[] {
  return text.replace(/^\\uFEFF/, '').split('\\n').filter((line) => line.trim() !== '');
}
\`\`\`

See [the parser](src/parse.ts#L12) and [the docs](https://example.com/docs?a=1).

- [x] tests pass
- [ ] changelog
`;

export const richTurn: ChatEvent[] = [
  {
    type: 'userMessage',
    id: 'message-rich',
    at: startedAt,
    text: 'What does parse do?\nAnd is it safe?',
    attachments: [{ id: 'a1', label: 'src/parse.ts:10-24', text: '' }],
  },
  { type: 'turnStarted', turnId: 'turn-rich', at: startedAt, model: kimi },
  {
    type: 'notice',
    turnId: 'turn-rich',
    step: 0,
    notice: {
      kind: 'fallback',
      from: kimi,
      to: glm,
      failure: failure('capacity-model', { namedModel: kimi }),
      continued: false,
      answered: true,
    },
  },
  { type: 'requestSent', turnId: 'turn-rich', step: 0, model: glm, at: startedAt },
  { type: 'reasoningDelta', turnId: 'turn-rich', step: 0, text: 'The user wants **two** things.' },
  ...toolStep(
    'I will look at the file first.',
    [
      {
        id: 'c1',
        name: 'read_file',
        title: 'Read src/parse.ts 1–120',
        arguments: '{"path":"src/parse.ts","start_line":1}',
        output: 'export function parse() {}\n',
      },
      {
        id: 'c2',
        name: 'search_text',
        title: 'Searched for “parse(”',
        arguments: '{"query":"parse("}',
        output: 'No folder',
        state: 'failed',
      },
    ],
    'turn-rich',
  ).map(
    (event): ChatEvent =>
      event.type === 'stepFinished' ? { ...event, model: glm, reasoning: 'The user wants **two** things.' } : event,
  ),
  { type: 'textDelta', turnId: 'turn-rich', step: 1, text: richReply },
  { type: 'turnEnded', turnId: 'turn-rich', at: startedAt + 8200, outcome: 'finished', cost: cost({ requests: 3 }) },
];
