import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createEditOutcomes, partsOf } from '../../../../src/edits/pending/edit-outcomes.ts';

const call = (callId: string) => ({ conversationId: 'a', turnId: 'turn', callId });
const block = (callId: string, number: number) => ({ ...call(callId), block: number });

describe('edits/pending/edit-outcomes', () => {
  const told = (outcomes: ReturnType<typeof createEditOutcomes>) =>
    outcomes.of('a').map(({ callId, outcome }) => `${callId} ${outcome}`);
  const counted = (outcomes: ReturnType<typeof createEditOutcomes>, ...open: number[]) =>
    outcomes.of('a').map((row) => {
      const pending = [call('one'), block('other', 7), ...open.map((number) => block('one', number))];
      const { kept, undone, open: left } = partsOf(row, pending);
      return [kept, undone, left];
    });

  it('F17 counts what was decided of the blocks of a call, each once', () => {
    const outcomes = createEditOutcomes([]);
    outcomes.add([block('one', 1)], 'kept');
    assert.deepEqual(counted(outcomes, 2, 3), [[1, 0, 2]]);
    outcomes.add([block('one', 1), block('one', 2)], 'kept');
    assert.deepEqual([counted(outcomes, 3), told(outcomes)], [[[2, 0, 1]], ['one kept']]);
    outcomes.add([block('one', 3)], 'undone');
    assert.deepEqual([counted(outcomes), told(outcomes)], [[[2, 1, 0]], ['one partly']]);
  });

  it('F17 what the editor brings back is undecided, and what was kept stays kept', () => {
    const outcomes = createEditOutcomes([]);
    outcomes.add([block('one', 1)], 'undone');
    outcomes.forget([block('one', 1)]);
    assert.deepEqual(told(outcomes), []);
    outcomes.add([block('one', 1)], 'kept');
    outcomes.add([block('one', 2)], 'undone');
    outcomes.forget([block('one', 2)]);
    assert.deepEqual([counted(outcomes, 2), told(outcomes)], [[[1, 0, 1]], ['one kept']]);
  });

  it('F17 a decision on a block that is decided again counts as the later one', () => {
    const outcomes = createEditOutcomes([]);
    outcomes.add([block('one', 1)], 'undone');
    outcomes.add([block('one', 1)], 'kept');
    assert.deepEqual(counted(outcomes), [[1, 0, 0]]);
  });

  it('F17 remembers nothing of edits that belong to no conversation, and no more calls than the last 5000', () => {
    const outcomes = createEditOutcomes([]);
    outcomes.add([{ callId: 'inline' }], 'kept');
    assert.deepEqual(outcomes.all(), []);
    for (let at = 0; at < 5001; at++) outcomes.add([call(`${at}`)], 'kept');
    assert.deepEqual([outcomes.all().length, outcomes.all()[0]?.callId], [5000, '1']);
  });

  it('F17 takes up what was stored', () => {
    const first = createEditOutcomes([]);
    first.add([block('one', 1)], 'kept');
    const again = createEditOutcomes(JSON.parse(JSON.stringify(first.all())));
    again.add([block('one', 2)], 'undone');
    assert.deepEqual([counted(again), told(again)], [[[1, 1, 0]], ['one partly']]);
  });
});
