import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatState, emptyChat, reduceChat } from '../../../src/shared/chat-state.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { ask, end, fold, kimi, richTurn, say, toolStep, turn } from '../../panel/fixtures.ts';

const partsOf = (state: ChatState) => {
  const item = state.items.at(-1);
  return item?.kind === 'answer' ? item.parts : [];
};

describe('the picture of a conversation', () => {
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
