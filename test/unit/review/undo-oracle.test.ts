import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { actions, play, type Tally } from './undo-oracle.ts';

const sequences = Number(process.env.SVC_UNDO_SEQUENCES ?? 2000);

describe('review/undecided-text', () => {
  it(`U19 Undo gives what the user would have without the model, in ${sequences} sessions`, () => {
    const tally: Tally = { asked: 0, refused: 0 };
    fc.assert(
      fc.property(actions, (all) => play(all, tally)),
      { numRuns: sequences },
    );
    assert.ok(tally.refused < tally.asked / 100, `${tally.refused} of ${tally.asked} were refused without need`);
  });
});
