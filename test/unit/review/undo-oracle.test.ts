import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type Action, actions, createTextSubject, play, type Tally } from '../../support/undo-oracle.ts';

/** What the property has found, as small as it could make it. */
const found: readonly (readonly Action[])[] = [
  [
    { kind: 'write', by: 'b', at: 2, count: 0, lines: 2 },
    { kind: 'write', by: 'a', at: 2, count: 2, lines: 0 },
  ],
  [
    { kind: 'write', by: 'b', at: 2, count: 0, lines: 1 },
    { kind: 'write', by: 'a', at: 2, count: 1, lines: 0 },
    { kind: 'insert', at: 2, lines: 1, side: 'unknown' },
  ],
  [
    { kind: 'write', by: 'a', at: 3, count: 2, lines: 0 },
    { kind: 'insert', at: 3, lines: 1, side: 'below' },
  ],
  [
    { kind: 'write', by: 'a', at: 0, count: 1, lines: 0 },
    { kind: 'delete', at: 0, count: 3 },
    { kind: 'delete', at: 0, count: 1 },
  ],
  [
    { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
    { kind: 'split', at: 0 },
    { kind: 'write', by: 'b', at: 0, count: 0, lines: 1 },
    { kind: 'delete', at: 0, count: 2 },
  ],
  [
    { kind: 'write', by: 'a', at: 0, count: 2, lines: 0 },
    { kind: 'write', by: 'a', at: 0, count: 3, lines: 0 },
    { kind: 'insert', at: 0, lines: 1, side: 'above' },
  ],
  [
    { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
    { kind: 'change', at: 0, count: 1, lines: 2 },
    { kind: 'insert', at: 0, lines: 1, side: 'above' },
    { kind: 'write', by: 'b', at: 1, count: 1, lines: 0 },
    { kind: 'split', at: 1 },
  ],
  [
    { kind: 'write', by: 'b', at: 1, count: 0, lines: 2 },
    { kind: 'change', at: 1, count: 1, lines: 2 },
    { kind: 'write', by: 'a', at: 1, count: 1, lines: 0 },
    { kind: 'change', at: 1, count: 1, lines: 2 },
    { kind: 'join', at: 1 },
  ],
  [
    { kind: 'insert', at: 5, lines: 1, side: 'above' },
    { kind: 'write', by: 'a', at: 5, count: 1, lines: 0 },
    { kind: 'editorUndo' },
    { kind: 'editorUndo' },
  ],
  [
    { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
    { kind: 'write', by: 'b', at: 0, count: 1, lines: 0 },
    { kind: 'undo', by: 'a' },
  ],
  [
    { kind: 'write', by: 'b', at: 2, count: 0, lines: 1 },
    { kind: 'change', at: 2, count: 1, lines: 3 },
    { kind: 'write', by: 'a', at: 2, count: 1, lines: 0 },
    { kind: 'delete', at: 1, count: 2 },
  ],
  [
    { kind: 'write', by: 'a', at: 0, count: 0, lines: 2 },
    { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
    { kind: 'insert', at: 2, lines: 2, side: 'above' },
    { kind: 'write', by: 'b', at: 2, count: 0, lines: 2 },
    { kind: 'delete', at: 0, count: 2 },
    { kind: 'write', by: 'b', at: 4, count: 1, lines: 0 },
    { kind: 'delete', at: 0, count: 3 },
  ],
];

const sequences = Number(process.env.SVC_UNDO_SEQUENCES ?? 2000);

describe('review/undecided-text', () => {
  for (const [at, session] of found.entries()) {
    it(`U19 Undo holds in found session ${at + 1}`, () => play(session, createTextSubject(), { asked: 0, refused: 0 }));
  }

  it(`U19 Undo gives what the user would have without the model, in ${sequences} sessions`, async () => {
    const tally: Tally = { asked: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(actions, (all) => play(all, createTextSubject(), tally)),
      { numRuns: sequences },
    );
    assert.ok(tally.refused < tally.asked / 100, `${tally.refused} of ${tally.asked} were refused without need`);
  });
});
