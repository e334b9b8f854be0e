import assert from 'node:assert/strict';
import fc from 'fast-check';
import { waitingIn } from '../../../src/chat/waiting.ts';
import type { ApprovalAnswer } from '../../../src/shared/approval.ts';
import { maxTailLines } from '../../../src/shared/chat/answer-parts.ts';
import { type ChatState, emptyChat, pendingApprovals, type ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { foldChat, reduceChat } from '../../../src/shared/chat/reduce-chat.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { ask, end, fold, kimi, richTurn, say, toolStep, turn } from '../../panel/fixtures.ts';

const partsOf = (state: ChatState) => {
  const item = state.items.at(-1);
  return item?.kind === 'answer' ? item.parts : [];
};

const requested = (callId: string): ChatEvent => ({
  type: 'asked',
  turnId: 'turn-1',
  step: 0,
  id: callId,
  kind: 'approval',
  about: {
    callId,
    tool: 'run_command',
    title: 'Run ls',
    subject: { kind: 'command', command: 'ls', cwd: '/w', shell: 'bash' },
    warnings: [],
    scopes: ['once'],
  },
});

/** A turn whose one call is about to run. */
function calling(...more: ChatEvent[]): ChatState {
  const [step] = toolStep('', [{ id: 'c1', name: 'run_command', title: 'run_command', arguments: '{}', output: '' }]);
  assert.ok(step);
  return fold([...ask('Hi', 'turn-1'), step, ...more]);
}

function callOf(state: ChatState): ToolPart {
  const part = partsOf(state).find((one) => one.type === 'tool');
  assert.ok(part?.type === 'tool');
  return part;
}

describe('a call that needs the user', () => {
  const answered = (answer: ApprovalAnswer): ChatEvent => ({
    type: 'answered',
    turnId: 'turn-1',
    id: 'c1',
    kind: 'approval',
    value: answer,
  });
  const output = (text: string): ChatEvent => ({ type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c1', text });

  it('waits for consent with what was asked, and the turn waits with it', () => {
    const state = calling(requested('c1'));
    const { state: phase, title, approval } = callOf(state);
    assert.deepEqual([phase, title, approval?.answer], ['approval', 'Run ls', undefined]);
    assert.equal(state.running?.phase, 'approval');
    assert.deepEqual(pendingApprovals(state), [approval?.request]);
  });

  it('a call that waited for its user goes on with the answer', () => {
    const state = calling(requested('c1'), answered({ decision: 'allow', scope: 'once' }));
    assert.deepEqual(callOf(state).approval?.answer, { decision: 'allow', scope: 'once' });
    assert.deepEqual([callOf(state).state, state.running?.phase], ['pending', 'tool']);
    assert.deepEqual(pendingApprovals(state), []);
  });

  it('E21 is cancelled with its turn, and what was not answered stays so', () => {
    const state = calling(requested('c1'), end('turn-1', { outcome: 'stopped' }));
    assert.equal(callOf(state).state, 'cancelled');
    assert.equal(callOf(state).approval?.answer, undefined);
    assert.deepEqual(pendingApprovals(state), []);
    const expired = calling(requested('c1'), answered({ decision: 'expired' }), end('turn-1'));
    assert.deepEqual(callOf(expired).approval?.answer, { decision: 'expired' });
  });

  it('F18 asks a question and shows the answer', () => {
    const question = { callId: 'c1', text: 'Which?', options: ['a'] };
    const asked: ChatEvent = {
      type: 'asked',
      turnId: 'turn-1',
      step: 0,
      id: question.callId,
      kind: 'question',
      about: question,
    };
    assert.deepEqual(callOf(calling(asked)).question, { question });
    assert.equal(calling(asked).running?.phase, 'question');
    const state = calling(asked, { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'question', value: 'b' });
    assert.deepEqual(callOf(state).question, { question, answer: 'b' });
  });

  it('F31 a call that asked while it ran counts its time without that of its user', () => {
    const question = { callId: 'c1', text: 'Allow?', options: ['Allow'] };
    const turn = { turnId: 'turn-1', step: 0 };
    const begun = calling({ type: 'toolStarted', ...turn, callId: 'c1', name: 'edit_file', title: 'x', at: 1000 });
    const asked = reduceChat(begun, { type: 'asked', ...turn, id: 'c1', kind: 'question', about: question }, 3000);
    const answer = { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'question', value: 'Allow' } as const;
    assert.equal(callOf(reduceChat(asked, answer, 43_000)).startedAt, 41_000);
  });

  it('U4 a question about the price is a wait for the user, and nothing counts as sent before a request has left', () => {
    const costs = { estimateMicroUsd: 3, spentMicroUsd: 2, limitMicroUsd: 1 };
    const at = { turnId: 'turn-1', step: 0 };
    const asked = calling({ type: 'asked', ...at, id: 'p', kind: 'cost', about: costs });
    assert.deepEqual([asked.running?.phase, asked.running?.asked], ['cost', { id: 'p', kind: 'cost', about: costs }]);
    assert.equal(waitingIn([{ state: () => asked }]).questions, 1);
    const goesOn = reduceChat(asked, { type: 'answered', turnId: 'turn-1', id: 'p', kind: 'cost', value: true }, 0);
    assert.deepEqual(
      [goesOn.running?.phase, goesOn.running?.asked, goesOn.running?.sent],
      ['sending', undefined, undefined],
    );
    const sent = reduceChat(goesOn, { type: 'requestSent', ...at, model: kimi, at: 0 }, 0);
    assert.equal(sent.running?.sent, true);
  });

  it('an answer to a call that does not wait changes nothing', () => {
    const before = callOf(calling());
    const state = calling(answered({ decision: 'skip' }), {
      type: 'answered',
      turnId: 'turn-1',
      id: 'c1',
      kind: 'question',
      value: 'b',
    });
    assert.deepEqual(callOf(state), before);
  });

  it('keeps the last 200 lines that a tool prints, until it ends', () => {
    const lines = Array.from({ length: 250 }, (_, index) => `line ${index}\n`);
    const state = calling(...lines.map(output), output('half'));
    const shown = callOf(state).tail?.split('\n') ?? [];
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [maxTailLines, 'line 51', 'half']);
    assert.equal(callOf(calling(output('a\n'.repeat(200)))).tail, 'a\n'.repeat(200));
    assert.equal(callOf(calling(output('b\n'), output('a\n'.repeat(200)))).tail, 'a\n'.repeat(200));
    const endless = callOf(calling(...Array.from({ length: 30 }, () => output('x'.repeat(10_000))))).tail ?? '';
    assert.ok(endless.length <= 64 * 1024 && endless.length > 60_000);
    const [, finished] = toolStep('', [{ id: 'c1', name: 'x', title: 'x', arguments: '', output: 'done' }]);
    assert.ok(finished);
    assert.equal(callOf(calling(output('a'), finished)).tail, undefined);
  });
});

describe('the picture of a conversation', () => {
  it('says how long a turn took without its user, never less than nothing', () => {
    const took = (at: number, more: Parameters<typeof end>[1] = {}) => {
      const [item] = fold([...ask('Hi', 'turn-1'), end('turn-1', { at, ...more })]).items.slice(-1);
      return item?.kind === 'answer' ? item.durationMs : undefined;
    };
    const [, started] = ask('Hi', 'turn-1');
    assert.ok(started?.type === 'turnStarted');
    assert.equal(took(started.at + 8200), 8200);
    assert.equal(took(started.at - 1), 0, 'the clock was set back');
    assert.equal(took(started.at + 38_200, { waitedMs: 30_000 }), 8200);
    assert.equal(took(started.at + 8200, { outcome: 'interrupted' }), undefined, 'nobody knows when it ended');
  });

  it('U13 adds up what the steps of a turn did without', () => {
    const [step] = toolStep('', []);
    assert.ok(step?.type === 'stepFinished');
    const state = fold([
      ...ask('Hi', 'turn-1'),
      step,
      { ...step, step: 1, savedTokens: 3 },
      { ...step, savedTokens: 4 },
    ]);
    const item = state.items.at(-1);
    assert.equal(item?.kind === 'answer' && item.savedTokens, 7);
  });

  it('F18 keeps the last plan, F16 what a turn changed, U13 where it was shortened', () => {
    const items = [{ text: 'a', state: 'active' as const }];
    const state = fold([
      ...ask('Hi', 'turn-1'),
      { type: 'planUpdated', turnId: 'turn-1', items: [] },
      { type: 'planUpdated', turnId: 'turn-1', items },
      { type: 'checkpointTaken', turnId: 'turn-1', checkpointId: 'k1', paths: ['a.ts'] },
      end('turn-1'),
      { type: 'compacted', turnId: 'x1', summary: 's', tokensBefore: 9, tokensAfter: 1 },
    ]);
    assert.deepEqual(state.plan, items);
    const [, answer, divider] = state.items;
    assert.deepEqual(answer?.kind === 'answer' && answer.checkpoint, { id: 'k1', paths: ['a.ts'] });
    assert.deepEqual(divider, { kind: 'compacted', id: 'x1', summary: 's', tokensBefore: 9, tokensAfter: 1 });
  });

  it('ux 2.7 says where another model goes on: one line for several changes, none for a change there and back', () => {
    const change = (model: string): ChatEvent => ({ type: 'modelChanged', model });
    const lines = (...events: ChatEvent[]) => fold(events).items.filter((item) => item.kind === 'modelChanged');
    const asked = [change(kimi), ...turn('a', 'b', 'turn-1')];
    assert.deepEqual(lines(change('svc/glm-5.3'), ...asked), [], 'nothing was asked of another model yet');
    assert.deepEqual(lines(...asked, change('svc/glm-5.3'), change('svc/kimi-k2.7')), [
      { kind: 'modelChanged', id: '2', from: kimi, model: 'svc/kimi-k2.7' },
    ]);
    assert.deepEqual(lines(...asked, change('svc/glm-5.3'), change(kimi)), []);
    const later = [...asked, change('svc/glm-5.3'), ...turn('c', 'd', 'turn-2'), change(kimi)];
    assert.deepEqual(
      lines(...later).map(({ model }) => model),
      ['svc/glm-5.3', kimi],
    );
  });

  it('shows only calls that were finished when the turn ended', () => {
    const call = { id: 'c1', name: 'read_file', title: 'Read a.ts', arguments: '{}', output: 'x' };
    const [finished] = toolStep('', [call]);
    assert.ok(finished);
    const state = fold([...ask('Hi'), finished, end('turn-1', { outcome: 'stopped' })]);
    assert.deepEqual(
      partsOf(state).map((part) => part.type === 'tool' && part.state),
      ['cancelled'],
    );
  });

  it('leaves items alone that an event is not about', () => {
    const before = fold([...turn('a', 'b', 't1'), ...ask('c', 't2')]);
    const after = reduceChat(before, say('d', 't2'), 0);
    assert.equal(after.items[0], before.items[0]);
    assert.equal(after.items[1], before.items[1]);
    assert.notEqual(after.items[3], before.items[3]);
  });

  it('P7 folds a whole conversation as one event after another would, and copies no item of it twice', () => {
    const texts = Array.from({ length: 200 }, (_, n) => turn(`q${n}`, `a${n}`, `t${n}`)).flat();
    const original = Array.prototype.with;
    let copied = 0;
    Array.prototype.with = function (index, value) {
      copied += this.length;
      return original.call(this, index, value);
    };
    try {
      assert.equal(foldChat(emptyChat, texts, () => 0).items.length, 400);
    } finally {
      Array.prototype.with = original;
    }
    assert.ok(copied <= 4 * texts.length, `${copied} items and parts for ${texts.length} events`);
    const others: ChatEvent[] = [
      ...turn('a', 'b', 't1'),
      ...turn('c', 'd', 't2'),
      { type: 'rewound', toMessageId: 'message-t1', at: 1 },
      { type: 'modelChanged', model: kimi },
      { type: 'titleChanged', title: 't' },
      { type: 'compacted', turnId: 'x', summary: 's', tokensBefore: 2, tokensAfter: 1 },
      { type: 'forked', from: 'other', at: 1 },
      { type: 'created', conversationId: 'new', at: 1 },
    ];
    const ids = others.flatMap((event) => (event.type === 'userMessage' ? [event.id] : []));
    others.push(...ids.map((toMessageId): ChatEvent => ({ type: 'rewound', toMessageId, at: 2 })));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...others), { maxLength: 60 }), (order) => {
        const one = order.reduce((state, event) => reduceChat(state, event, 7), emptyChat);
        assert.deepEqual(
          foldChat(emptyChat, order, () => 7),
          one,
        );
      }),
    );
  });

  it('ends every call with its turn, whatever came before in whatever order', () => {
    const events: ChatEvent[] = [
      ...richTurn,
      ...turn('a', 'b', 'turn-1'),
      { type: 'stopping', turnId: 'turn-1' },
      { type: 'titleChanged', title: 't' },
      { type: 'modelChanged', model: kimi },
      { type: 'responseStarted', turnId: 'turn-1', step: 0, model: kimi },
      { type: 'toolStarted', turnId: 'turn-1', step: 0, callId: 'c1', name: 'x', title: 'x', at: 0 },
      { type: 'toolForming', turnId: 'turn-1', step: 0, key: 'k', name: 'read_file', argumentsDelta: '{' },
      ...toolStep('x', [{ id: 'c1', name: 'y', title: 'y', arguments: '', output: '' }]),
      requested('c1'),
      { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'approval', value: { decision: 'skip' } },
      {
        type: 'asked',
        turnId: 'turn-1',
        step: 0,
        id: 'c1',
        kind: 'question',
        about: { callId: 'c1', text: '?', options: [] },
      },
      { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'question', value: 'x' },
      { type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c1', text: 'x' },
      end('unknown'),
    ];
    const closed = new Set(['done', 'failed', 'cancelled']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 60 }), (order) => {
        const state = [...order, end('turn-1')].reduce((picture, event) => reduceChat(picture, event, 0), emptyChat);
        assert.notEqual(state.running?.turnId, 'turn-1');
        const answer = state.items.findLast((item) => item.kind === 'answer' && item.turnId === 'turn-1');
        if (answer?.kind !== 'answer') return;
        assert.equal(answer.outcome, 'finished');
        const open = answer.parts.filter((part) => part.type === 'tool' && !closed.has(part.state));
        assert.deepEqual(open, []);
      }),
    );
  });
});
