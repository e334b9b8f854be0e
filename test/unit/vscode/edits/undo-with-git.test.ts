import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createFakeEditorSubject } from '../../../support/fake-editor-subject.ts';
import { play, type Tally } from '../../../support/undo-judge.ts';
import { type Action, gitSessions, saveEffects, uniqueLines } from '../../../support/undo-sessions.ts';

/** A line that the user moved is no edit of the model, though it went from one hunk and came in another. */
const movedThenStashed: Action[] = [
  { kind: 'write', by: 'a', at: 5, count: 0, lines: 1 },
  { kind: 'move', at: 3, count: 1, to: 'down' },
  { kind: 'insert', at: 0, lines: 1, side: 'above' },
  { kind: 'git', what: 'stash' },
  { kind: 'delete', at: 0, count: 1 },
];

const sequences = Number(process.env.SVC_GIT_SESSIONS ?? 300);

describe('edits of the model, Git and saving', () => {
  for (const [name, onSave] of Object.entries(saveEffects)) {
    /** Lines with blanks behind them, as nobody's editor has trimmed them yet. */
    const first = name === 'trimmed lines' ? uniqueLines.map((line, at) => (at % 2 ? line : `${line}  `)) : uniqueLines;
    const judged = async (
      actions: readonly Action[],
      how: { areWatchersFirst: boolean; isOpen: boolean },
      tally: Tally,
    ) => {
      const text = (whole: string) => {
        const lines = whole.split('\n').map(onSave.line);
        return [...lines, ...(onSave.endsFile && lines.at(-1) !== '' ? [''] : [])].join('\n');
      };
      const subject = await createFakeEditorSubject(first, { onSave: text, ...how });
      try {
        await play({ first, actions, onSave }, subject, tally);
      } finally {
        subject.dispose();
      }
    };
    it(`U19 Undo gives what the user would have without the model, with Git between any two steps and ${name} on save, in ${sequences} sessions`, async function () {
      this.timeout(120_000 + sequences * 30);
      const tally: Tally = { asked: 0, refused: 0, lost: 0 };
      const how = fc.record({ areWatchersFirst: fc.boolean(), isOpen: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(gitSessions, how, (actions, options) => judged(actions, options, tally)),
        { numRuns: sequences, examples: [[movedThenStashed, { areWatchersFirst: false, isOpen: false }]] },
      );
      if (process.env.SVC_GIT_SESSIONS) console.log(name, JSON.stringify(tally));
      assert.ok(tally.refused < tally.asked / 100, `${tally.refused} of ${tally.asked} were refused without need`);
    });
  }
});
