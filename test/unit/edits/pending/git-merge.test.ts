import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import {
  currentText,
  settledText,
  withTypedText,
  withUndone,
  withWritten,
} from '../../../../src/edits/pending/pending-text.ts';
import { gitPath } from '../../../support/git-in.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';

/** Every line stands once in all of the texts, or some are alike, as blank ones and closing brackets are. */
const lineSets = {
  unique: fc.nat({ max: 1e9 }).map((name) => `line ${name}`),
  alike: fc.oneof(
    fc.constantFrom('', '}', '  end'),
    fc.nat({ max: 1e9 }).map((name) => `line ${name}`),
  ),
};
const editsOf = (line: fc.Arbitrary<string>) =>
  fc.array(fc.record({ at: fc.nat({ max: 15 }), count: fc.nat({ max: 2 }), lines: fc.array(line, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  });
interface Edit {
  at: number;
  count: number;
  lines: readonly string[];
}
const edited = (lines: readonly string[], changes: readonly Edit[]) =>
  changes.reduce(
    (now, { at, count, lines: fresh }) => now.toSpliced(Math.min(at, now.length), count, ...fresh),
    [...lines],
  );
const toText = (lines: readonly string[]) => lines.map((one) => `${one}\n`).join('');

describe('review/undecided-text beside git', () => {
  let temp: TempDir;
  before(async () => {
    temp = await makeTempDir('svc-merge-');
  });
  after(() => temp.remove());

  /** The user's file with the way from the model's text back to the first one; undefined where git sees a conflict. */
  async function merge(user: string, model: string, first: string): Promise<string | undefined> {
    const texts = { user, model, first };
    const files = Object.entries(texts).map(([name, text]) => ({ file: path.join(temp.path, name), text }));
    for (const { file, text } of files) await writeFile(file, text);
    const { status, stdout } = spawnSync(gitPath ?? 'git', ['merge-file', '-p', ...files.map(({ file }) => file)], {
      encoding: 'utf8',
    });
    return status === 0 ? stdout : undefined;
  }

  /** How often git could merge, and how often Undo refused all the same; throws where both gave texts that differ. */
  async function compare(line: fc.Arbitrary<string>, seed?: number): Promise<{ merged: number; refused: number }> {
    const counts = { merged: 0, refused: 0 };
    const base = fc.array(line, { minLength: 2, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(base, editsOf(line), editsOf(line), async (lines, model, user) => {
        const first = toText(lines);
        const written = toText(edited(lines, model));
        const typed = toText(edited(edited(lines, model), user));
        const expected = await merge(typed, written, first);
        if (expected === undefined) return;
        counts.merged++;
        const by = { conversationId: 'a', callId: 'call' };
        const undone = withUndone(withTypedText(withWritten(settledText(first), written, by), typed));
        if (undone.conflicts > 0) counts.refused++;
        else assert.equal(currentText(undone.text), expected);
      }),
      { numRuns: 120, ...(seed !== undefined && { seed }) },
    );
    return counts;
  }

  it('U19 where git can merge the way back into what the user has, Undo gives the same', async () => {
    const { merged, refused } = await compare(lineSets.unique);
    assert.ok(merged > 20, `git merged only ${merged}`);
    assert.equal(refused, 0);
  });

  // Which of several equal lines was changed is a guess of either side: the same cases each time.
  it('U19 where lines are alike, Undo gives the same as git or says that it cannot tell', async () => {
    const { merged, refused } = await compare(lineSets.alike, 1);
    assert.ok(refused <= merged / 20, `${refused} of ${merged} were refused`);
  });
});
