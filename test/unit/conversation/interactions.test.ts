import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createInteractions } from '../../../src/conversation/interactions.ts';
import { asksQuestion } from '../../../src/shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { About, Answered } from '../../../src/shared/interaction.ts';
import { answering, converse, model } from './samples.ts';

const question: About<'question'> = { callId: 'c1', text: 'Which?', options: ['a', 'b'] };
const request: About<'approval'> = {
  ...{ callId: 'c2', tool: 'run_command', title: 'Run ls', warnings: [], scopes: ['once'] },
  subject: { kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' },
};
const compact: About<'compact'> = {
  near: { tokens: 32_000, by: 'set' },
  ...{ priceMicroUsd: 7200, savedMicroUsd: 5610, paysAfterRequests: 2 },
};
const allowed: Answered<'approval'> = { id: 'c2', kind: 'approval', value: { decision: 'allow', scope: 'once' } };

function open(hears: (event: ChatEvent) => void = () => undefined) {
  const interactions = createInteractions();
  const events: ChatEvent[] = [];
  const ask = interactions.askFor('t1', (event) => {
    events.push(event);
    hears(event);
  });
  const stop = new AbortController();
  const how = (id: string) => ({ id, step: 3, signal: stop.signal });
  return { ...interactions, ask, events, stop, how };
}

describe('what a conversation asks its user', () => {
  it('F18 is told with its turn and its step, waits under its id, and is answered once', async () => {
    const { ask, answer, events, how } = open();
    const asked = ask('question', question, how('c1'));
    const told = { turnId: 't1', id: 'c1', kind: 'question' };
    assert.deepEqual(events, [{ ...told, type: 'asked', step: 3, about: question }]);
    assert.equal(answer({ id: 'c1', kind: 'question', value: 'b' }), true);
    assert.equal(answer({ id: 'c1', kind: 'question', value: 'a' }), false, 'it was answered');
    assert.equal(await asked, 'b');
    assert.deepEqual(events.slice(1), [{ ...told, type: 'answered', value: 'b' }]);
  });

  it('X26 is not answered under another id, nor by an answer of another kind', async () => {
    const { ask, answer, events, how } = open();
    const asked = ask('approval', request, how('c2'));
    assert.equal(answer({ ...allowed, id: 'c1' }), false);
    const others: Answered[] = [
      { id: 'c2', kind: 'question', value: 'allow' },
      { id: 'c2', kind: 'cost', value: true },
      { id: 'c2', kind: 'compact', value: true },
      { id: 'c2', kind: 'wait', value: 'now' },
    ];
    for (const other of others) assert.equal(answer(other), false, other.kind);
    assert.equal(createInteractions().answer(allowed), false, 'another conversation');
    assert.equal(events.length, 1);
    assert.equal(answer(allowed), true);
    assert.deepEqual(await asked, allowed.value);
  });

  it('takes a refusal for an answer', async () => {
    const { ask, answer, events, how } = open();
    const costs = { estimateMicroUsd: 3, spentMicroUsd: 2, limitMicroUsd: 1 };
    const asked = ask('cost', costs, how('p'));
    answer({ id: 'p', kind: 'cost', value: false });
    assert.equal(await asked, false);
    assert.deepEqual(events.at(-1), { type: 'answered', turnId: 't1', id: 'p', kind: 'cost', value: false });
  });

  it('F15 whoever hears of a question may answer it at once', async () => {
    const took: boolean[] = [];
    const { ask, answer, how } = open(({ type }) => {
      if (type === 'asked') took.push(answer(allowed));
    });
    assert.deepEqual(await ask('approval', request, how('c2')), allowed.value);
    assert.deepEqual(took, [true]);
  });

  it('F2 Stop leaves nothing open and tells no answer; after it nothing is asked', async () => {
    const { ask, answer, events, stop, how } = open();
    const both = [ask('approval', request, how('c2')), ask('question', question, how('c1'))];
    stop.abort();
    assert.deepEqual(await Promise.all(both), [undefined, undefined]);
    assert.equal(await ask('question', question, how('c3')), undefined);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['asked', 'asked'],
    );
    assert.equal(answer(allowed), false);
    assert.equal(answer({ id: 'c1', kind: 'question', value: 'a' }), false);
  });

  it('F2 Stop after the answer changes nothing, and what was asked later under the same id stays open', async () => {
    const { ask, answer, stop, how } = open();
    const first = ask('question', question, how('c1'));
    answer({ id: 'c1', kind: 'question', value: 'a' });
    const second = ask('question', question, { ...how('c1'), signal: new AbortController().signal });
    stop.abort();
    assert.equal(await first, 'a');
    assert.equal(answer({ id: 'c1', kind: 'question', value: 'b' }), true);
    assert.equal(await second, 'b');
  });

  it('X26 a conversation that is left expires what asks for consent, and nothing else', async () => {
    const { ask, answer, expire, events, how } = open();
    const approvals = [ask('approval', request, how('c2')), ask('approval', request, how('c3'))];
    const asked = ask('question', question, how('c1'));
    expire();
    assert.deepEqual(await Promise.all(approvals), [{ decision: 'expired' }, { decision: 'expired' }]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'answered' ? [event.id] : [])),
      ['c2', 'c3'],
    );
    assert.equal(answer(allowed), false);
    assert.equal(answer({ id: 'c1', kind: 'question', value: 'a' }), true);
    assert.equal(await asked, 'a');
  });
});

describe('the question whether a conversation is compacted before a message', () => {
  const compaction = { summary: 'In short.', tokensBefore: 9, tokensAfter: 1, attempts: [] };

  /** A conversation of one turn that asks. */
  async function asking() {
    const { conversation, stored } = converse([answering('hi')]);
    await conversation.send({ text: 'Hello', attachments: [], model });
    const events: ChatEvent[] = [];
    conversation.onDidEmit((batch) => events.push(...batch));
    const values: (boolean | undefined)[] = [];
    const done = conversation.compact(async (_history, signal, ask) => {
      const value = await ask('compact', compact, { id: 'compact', step: 0, signal });
      values.push(value);
      return value === true ? compaction : undefined;
    });
    const types = () => events.map(({ type }) => type);
    return { conversation, stored, types, events, values, done };
  }

  it('U4 U13 stands in the chat with its price until it is answered, once, and belongs to no turn', async () => {
    for (const value of [true, false]) {
      const { conversation, events, types, values, done } = await asking();
      assert.deepEqual(conversation.state().asked, { id: 'compact', kind: 'compact', about: compact });
      assert.equal(asksQuestion(conversation.state()), true);
      assert.deepEqual(events, [{ type: 'asked', id: 'compact', kind: 'compact', about: compact }]);
      assert.equal(conversation.answer({ id: 'other', kind: 'compact', value }), false);
      assert.notEqual(conversation.state().asked, undefined);
      assert.equal(conversation.answer({ id: 'compact', kind: 'compact', value }), true);
      assert.equal(conversation.answer({ id: 'compact', kind: 'compact', value: !value }), false);
      assert.deepEqual([await done, values], [value, [value]]);
      assert.deepEqual([conversation.state().asked, asksQuestion(conversation.state())], [undefined, false]);
      assert.deepEqual(types(), value ? ['asked', 'answered', 'compacted'] : ['asked', 'answered']);
    }
  });

  it('U4 E21 survives no reload: neither it nor its answer is stored', async () => {
    const { conversation, stored, done } = await asking();
    const reload = () => converse([], { events: stored }).conversation.state();
    assert.equal(reload().asked, undefined);
    conversation.answer({ id: 'compact', kind: 'compact', value: false });
    await done;
    await conversation.stored();
    assert.deepEqual(
      stored.filter(({ type }) => type === 'asked' || type === 'answered'),
      [],
    );
    assert.equal(reload().asked, undefined);
  });

  it('F2 Stop takes it away, and nothing is compacted', async () => {
    const { conversation, types, values, done } = await asking();
    conversation.stop();
    assert.deepEqual([await done, values], [false, [undefined]]);
    assert.equal(conversation.state().asked, undefined);
    assert.equal(conversation.answer({ id: 'compact', kind: 'compact', value: true }), false);
    assert.deepEqual(types(), ['asked', 'answered'], 'whoever shows it hears of its end');
  });
});
