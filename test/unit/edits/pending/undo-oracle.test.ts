import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { play, type Session, type Tally } from '../../../support/undo-judge.ts';
import { createTextSubject } from '../../../support/undo-oracle.ts';
import {
  type Action,
  alikeLines,
  commonSessions,
  keySessions,
  movingSessions,
  typedSessions,
  uniqueLines,
} from '../../../support/undo-sessions.ts';

/** The user takes a line to the clipboard, keeps the hunk that it came from, and pastes it: then it is theirs. */
const keptInTheClipboard: readonly Action[] = [
  { kind: 'rewrite', by: 'b', at: 2, count: 5, lines: 2 },
  { kind: 'write', by: 'a', at: 7, count: 1, lines: 1 },
  { kind: 'cut', at: 7, count: 1 },
  { kind: 'keepHunk', at: 0 },
  { kind: 'paste', at: 0, side: 'above' },
  { kind: 'rewrite', by: 'a', at: 1, count: 1, lines: 1 },
];

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

/** The same, of lines that moved or are alike. */
const foundMoving: readonly { first: readonly string[]; actions: readonly Action[] }[] = [
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'b', at: 1, count: 0, lines: 3 },
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 3 },
      { kind: 'change', at: 6, count: 1, lines: 1 },
      { kind: 'insert', at: 5, lines: 2, side: 'above' },
      { kind: 'write', by: 'a', at: 7, count: 1, lines: 0 },
      { kind: 'delete', at: 3, count: 3 },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'undo', by: 'a' },
      { kind: 'editorUndo' },
      { kind: 'cut', at: 0, count: 1 },
      { kind: 'paste', at: 0, side: 'above' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'b', at: 5, count: 0, lines: 2 },
      { kind: 'insert', at: 6, lines: 1, side: 'above' },
      { kind: 'write', by: 'b', at: 5, count: 2, lines: 0 },
      { kind: 'delete', at: 3, count: 3 },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'b', at: 5, count: 0, lines: 3 },
      { kind: 'write', by: 'a', at: 5, count: 2, lines: 0 },
      { kind: 'insert', at: 6, lines: 1, side: 'above' },
      { kind: 'move', at: 6, count: 1, to: 'up' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'write', by: 'b', at: 0, count: 0, lines: 2 },
      { kind: 'copy', at: 1, count: 2 },
      { kind: 'paste', at: 1, side: 'above' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'cut', at: 0, count: 1 },
      { kind: 'insert', at: 0, lines: 1, side: 'above' },
      { kind: 'paste', at: 6, side: 'above' },
      { kind: 'change', at: 6, count: 1, lines: 1 },
      { kind: 'paste', at: 0, side: 'above' },
      { kind: 'cut', at: 5, count: 3 },
    ],
  },
  {
    first: alikeLines,
    actions: [
      { kind: 'rewrite', by: 'b', at: 8, count: 1, lines: 2 },
      { kind: 'copy', at: 8, count: 1 },
      { kind: 'paste', at: 0, side: 'above' },
      { kind: 'rewrite', by: 'a', at: 0, count: 1, lines: 1 },
      { kind: 'cut', at: 7, count: 3 },
    ],
  },
  {
    first: alikeLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'copy', at: 0, count: 1 },
      { kind: 'paste', at: 0, side: 'above' },
      { kind: 'rewrite', by: 'a', at: 0, count: 1, lines: 1 },
    ],
  },
  {
    first: alikeLines,
    actions: [
      { kind: 'rewrite', by: 'b', at: 0, count: 1, lines: 1 },
      { kind: 'rewrite', by: 'a', at: 0, count: 1, lines: 1 },
      { kind: 'cut', at: 0, count: 1 },
      { kind: 'keep', by: 'b' },
      { kind: 'paste', at: 0, side: 'above' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 1, lines: 2 },
      { kind: 'write', by: 'b', at: 0, count: 1, lines: 0 },
      { kind: 'move', at: 0, count: 1, to: 'down' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 4, count: 0, lines: 1 },
      { kind: 'cut', at: 4, count: 1 },
      { kind: 'editorUndo' },
      { kind: 'editorUndo' },
      { kind: 'paste', at: 0, side: 'above' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'cut', at: 0, count: 1 },
      { kind: 'keepHunk', at: 0 },
      { kind: 'paste', at: 0, side: 'above' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 3, count: 0, lines: 3 },
      { kind: 'cut', at: 5, count: 1 },
      { kind: 'editorUndo' },
      { kind: 'write', by: 'a', at: 5, count: 1, lines: 0 },
      { kind: 'paste', at: 0, side: 'above' },
    ],
  },
  {
    first: uniqueLines,
    actions: [
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'cut', at: 0, count: 1 },
      { kind: 'write', by: 'a', at: 0, count: 0, lines: 1 },
      { kind: 'paste', at: 1, side: 'above' },
      { kind: 'paste', at: 0, side: 'above' },
      { kind: 'change', at: 2, count: 1, lines: 1 },
      { kind: 'delete', at: 2, count: 1 },
    ],
  },
];

const sequences = Number(process.env.SVC_UNDO_SEQUENCES ?? 5000);

/** Many more than usual take longer than any test may. */
const limitMs = 120_000 + sequences * 10;

const judged = (session: Session, tally: Tally = { asked: 0, refused: 0 }) =>
  play(session, createTextSubject(session.first), tally);

describe('edits/pending/pending-text', () => {
  for (const [at, actions] of found.entries()) {
    it(`U19 Undo holds in found session ${at + 1}`, () => judged({ first: uniqueLines, actions }));
  }
  for (const [at, session] of foundMoving.entries()) {
    it(`U19 Undo holds in found session ${at + 1} of lines that move or are alike`, () => judged(session));
  }

  it('U19 the judge of these sessions knows nothing of the review', () => {
    for (const name of ['undo-judge', 'undo-worlds', 'undo-sessions']) {
      const text = readFileSync(new URL(`../../../support/${name}.ts`, import.meta.url), 'utf8');
      const from = [...text.matchAll(/from '(.+)'/g)].map(([, path]) => path);
      assert.ok(
        from.every((path) => path === 'fast-check' || path?.startsWith('./undo-')),
        from.join(),
      );
      assert.ok(!from.includes('./undo-oracle.ts'));
    }
  });

  it(`U19 Undo gives what the user would have without the model, in ${sequences} sessions of typing`, async function () {
    this.timeout(limitMs);
    const tally: Tally = { asked: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(typedSessions, (actions) => judged({ first: uniqueLines, actions }, tally)),
      { numRuns: sequences },
    );
    assert.ok(tally.refused < tally.asked / 100, `${tally.refused} of ${tally.asked} were refused without need`);
  });

  it(`U19 Undo reports success over no line of the model’s, in ${sequences} sessions with lines that move`, async function () {
    this.timeout(limitMs);
    const tally: Tally = { asked: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(movingSessions, (actions) => judged({ first: uniqueLines, actions }, tally)),
      { numRuns: sequences },
    );
    assert.ok(tally.refused < tally.asked / 100, `${tally.refused} of ${tally.asked} were refused without need`);
  });

  it(`U19 Undo takes no block back by half, in ${sequences} sessions with lines that are alike`, async function () {
    this.timeout(limitMs);
    await fc.assert(
      fc.asyncProperty(commonSessions, (actions) => judged({ first: alikeLines, actions })),
      { numRuns: sequences, examples: [[keptInTheClipboard]] },
    );
  });

  it(`U19 Undo refuses nothing where lines were only moved by keys, in ${sequences} sessions`, async function () {
    this.timeout(limitMs);
    await fc.assert(
      fc.asyncProperty(keySessions, (actions) => judged({ first: uniqueLines, actions, isSure: true })),
      { numRuns: sequences },
    );
  });
});
