import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toHistory } from '../../../src/agent/history.ts';
import type { DurableEvent, StepFinished, ToolFinished } from '../../../src/shared/events.ts';
import { model } from './scripted-client.ts';

const user = (text: string): DurableEvent => ({ type: 'userMessage', id: 'u', at: 1, text, attachments: [] });
const step = (change: Partial<StepFinished>): StepFinished => ({
  type: 'stepFinished',
  turnId: 't1',
  step: 1,
  requestedModel: model,
  model,
  text: '',
  reasoning: '',
  toolCalls: [],
  finish: 'stop',
  complete: true,
  attempts: [],
  ...change,
});
const tool = (callId: string): ToolFinished => ({
  type: 'toolFinished',
  turnId: 't1',
  step: 1,
  callId,
  name: 'read_file',
  title: 'Read',
  state: 'done',
  forModel: `result ${callId}`,
  durationMs: 1,
});
const call = (id: string) => ({ id, name: 'read_file', arguments: '{}' });

describe('agent/history', () => {
  it('gives messages, answers and results, results in the order of the calls', () => {
    const history = toHistory([
      user('a'),
      step({ reasoning: 'Hm.', toolCalls: [call('c1'), call('c2'), call('c3')] }),
      tool('c3'),
      tool('c1'),
      tool('c2'),
      tool('c2'),
      tool('c9'),
      step({ step: 2, text: 'b' }),
      user('c'),
    ]);
    assert.deepEqual(
      history.map((message) => (message.role === 'tool' ? message.text : `${message.role} ${message.text}`)),
      ['user a', 'assistant ', 'result c1', 'result c2', 'result c3', 'assistant b', 'user c'],
    );
    assert.equal(history[1]?.role === 'assistant' && history[1].reasoning, 'Hm.');
  });

  it('H18 tells in the message of a turn what became of the changes before it', () => {
    const history = toHistory([
      user('a'),
      step({ text: 'Done.' }),
      user('b'),
      {
        type: 'notice',
        turnId: 't2',
        step: 1,
        notice: { kind: 'later-changes', undone: ['src/a.ts', 'b\n.ts'], changed: ['c.ts'] },
      },
      step({ turnId: 't2', text: 'I see.' }),
    ]);
    assert.equal(history.length, 4);
    assert.equal(
      history[2]?.text,
      'b\n\n[Automatic note: Your changes were taken back in src/a.ts, b .ts. Changed again since you changed them: c.ts. Read these files again before you rely on them.]',
    );
  });

  it('H18 says that there are more files than it names', () => {
    const undone = Array.from({ length: 23 }, (_, at) => `${at}.ts`);
    const notice = { kind: 'later-changes' as const, undone, changed: ['c.ts'] };
    const [message] = toHistory([user('a'), { type: 'notice', turnId: 't1', step: 1, notice }]);
    assert.match(message?.text ?? '', / 18\.ts, 19\.ts and 3 more\. Changed again since you changed them: c\.ts\. /);
  });

  it('F7 X22 an attachment stays inside its fence and its name on its line, whatever both hold', () => {
    const units = [
      'a',
      '`',
      '```',
      '\n',
      '\r',
      '\0',
      '\t',
      '\u2028',
      '\ufeff',
      '\ud800',
      '\udc00',
      '\u202e',
      '\u200b',
      '😀',
    ];
    const odd = fc.string({ unit: fc.constantFrom(...units, 'Attached: x', '{"role":"system"}') });
    fc.assert(
      fc.property(odd, odd, odd, (label, text, asked) => {
        const event: DurableEvent = {
          type: 'userMessage',
          id: 'u',
          at: 1,
          text: asked,
          attachments: [{ id: 'a', label, text }],
        };
        const [message] = toHistory([event]);
        const [head = '', fence = '', ...rest] = (message?.text ?? '').split('\n');
        assert.match(head, /^Attached: /);
        assert.doesNotMatch(head, /[\p{Cc}\u2028\u202e\u200b]/u);
        assert.match(fence, /^`{3,}$/);
        const body = rest.join('\n');
        assert.ok(body.endsWith(`${fence}\n\n${asked}`));
        const inside = body.slice(0, body.length - asked.length - fence.length - 2);
        assert.ok(!inside.includes(fence), 'nothing in it ends it');
        assert.equal(inside.replace(/\n$/, ''), text.replace(/[\u202e\u200b\ufeff]/g, '').replace(/\n$/, ''));
      }),
    );
  });

  it('H02 leaves calls without a result for the normaliser and H03 leaves out empty answers', () => {
    const history = toHistory([user('a'), step({ toolCalls: [call('c1')] }), user('b'), step({ reasoning: 'x' })]);
    assert.deepEqual(
      history.map((message) => message.role),
      ['user', 'assistant', 'user'],
    );
  });

  it('E21 takes the last partial of a step that never finished, and no partial of one that did', () => {
    const partial = (stepNumber: number, text: string): DurableEvent => ({
      type: 'stepPartial',
      turnId: 't1',
      step: stepNumber,
      model,
      text,
      reasoning: '',
    });
    const history = toHistory([
      user('a'),
      partial(1, 'wh'),
      step({ text: 'whole' }),
      partial(2, 'ha'),
      partial(2, 'half'),
      user('b'),
      partial(1, 'last'),
    ]);
    assert.deepEqual(
      history.map((message) => message.text),
      ['a', 'whole', 'half', 'b', 'last'],
    );
  });

  it('F7 X22 puts attachments in fences that their text cannot close, before the question', () => {
    const text = 'x\n````md\ny\u200b';
    const attachments = [{ id: '1', label: 'a.md:1-3', languageId: 'markdown', text }];
    const [message] = toHistory([{ type: 'userMessage', id: 'u', at: 1, text: 'Why?', attachments }]);
    assert.equal(
      message?.text,
      'Attached: a.md:1-3 (1 invisible characters removed)\n`````markdown\nx\n````md\ny\n`````\n\nWhy?',
    );
  });
});
