import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chooseModel, type ModelsToAsk } from '../../../../src/features/completion/core/choose-model.ts';
import type { CapacitySummary } from '../../../../src/service/step/capacity-board.ts';

const seen = (waitMs: number, more: Partial<CapacitySummary> = {}): CapacitySummary => ({
  last: { at: 0, outcome: 'answered', durationMs: 1 },
  waitMs,
  refusals: 0,
  count: 1,
  ...more,
});
const models = (some: Record<string, CapacitySummary>, more: Partial<ModelsToAsk> = {}): ModelsToAsk => ({
  ids: ['a', 'b', 'c'],
  named: '',
  chatModel: 'a',
  thinksFirst: () => false,
  seen: (id) => some[id],
  ...more,
});

describe('the model for a completion', () => {
  it('F40 is the usual one as long as nothing was measured', () =>
    assert.deepEqual(chooseModel(models({})), { model: 'a', thinks: false }));

  it('F40 is the quickest to its last word, with what it thinks before', () => {
    const some = {
      a: seen(900, { tokensPerSecond: 60 }),
      b: seen(300, { tokensPerSecond: 60, reasoningTokens: 600 }),
      c: seen(800, { tokensPerSecond: 120 }),
    };
    assert.deepEqual(chooseModel(models(some)), { model: 'c', thinks: false, answerMs: 1300 });
  });

  it('F40 is none that was seen to think first, unless all do, or the user named it', () => {
    const some = { a: seen(100), b: seen(900) };
    assert.equal(chooseModel(models(some, { thinksFirst: (id) => id === 'a' })).model, 'b');
    assert.deepEqual(chooseModel(models(some, { thinksFirst: () => true })), {
      model: 'a',
      thinks: true,
      answerMs: 100,
    });
    const named = chooseModel(models(some, { named: 'a', thinksFirst: (id) => id === 'a' }));
    assert.deepEqual(named, { model: 'a', thinks: true, answerMs: 100 });
  });

  it('F40 is none whose last answer was that it is full', () => {
    const full = seen(100, { last: { at: 0, outcome: 'capacity', durationMs: 1 } });
    assert.equal(chooseModel(models({ b: full, c: seen(700) })).model, 'c');
  });
});
