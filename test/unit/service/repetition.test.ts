import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRepetitionGuard } from '../../../src/service/repetition.ts';

/** How many of the deltas it takes until the guard speaks; undefined when it never does. */
function trips(deltas: readonly string[]): number | undefined {
  const guard = createRepetitionGuard();
  const at = deltas.findIndex((delta) => guard.push(delta));
  return at < 0 ? undefined : at + 1;
}

const times = (count: number, delta: string) => Array.from({ length: count }, () => delta);

describe('the repetition guard', () => {
  it('W64 speaks at the hundredth equal delta', () => {
    assert.equal(trips(times(1800, '!')), 100);
    assert.equal(trips([...times(99, '!'), '?', ...times(99, '!')]), undefined);
  });

  it('W64 speaks at a short period however it is cut into deltas', () => {
    assert.ok(trips(Array.from({ length: 2000 }, (_, index) => 'abcde'[index % 5] ?? '')) !== undefined);
    assert.equal(trips(['x'.repeat(3000)]), 1);
  });

  it('W64 lets people draw lines and leave space', () => {
    assert.equal(trips(times(400, '-')), undefined);
    assert.equal(trips(times(400, '    ')), undefined);
  });

  it('W64 lets long ordinary text pass', () => {
    assert.equal(trips(Array.from({ length: 5000 }, (_, index) => ` word${index % 300}`)), undefined);
  });
});
