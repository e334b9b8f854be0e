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
} from '../../../src/review/undecided-text.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';

/** Lines that are alike, as blank ones and closing brackets are, among others that stand once. */
const line = fc.oneof(
  fc.constantFrom('', '}', '  end'),
  fc.nat({ max: 1000 }).map((name) => `line ${name}`),
);
const edits = fc.array(
  fc.record({ at: fc.nat({ max: 15 }), count: fc.nat({ max: 2 }), lines: fc.array(line, { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3 },
);
const edited = (
  lines: readonly string[],
  changes: readonly { at: number; count: number; lines: readonly string[] }[],
) =>
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
    const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...files.map(({ file }) => file)], {
      encoding: 'utf8',
    });
    return status === 0 ? stdout : undefined;
  }

  it('U19 where git can merge the way back into what the user has, Undo gives the same', async () => {
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 14 }), edits, edits, async (base, model, user) => {
        const first = toText(base);
        const written = toText(edited(base, model));
        const typed = toText(edited(edited(base, model), user));
        const expected = await merge(typed, written, first);
        if (expected === undefined) return;
        merged++;
        const text = withTypedText(
          withWritten(settledText(first), written, { conversationId: 'a', callId: 'call' }),
          typed,
        );
        const undone = withUndone(text);
        assert.equal(undone.conflicts, 0);
        assert.equal(currentText(undone.text), expected);
      }),
      { numRuns: 150 },
    );
    assert.ok(merged > 30, `git merged only ${merged}`);
  });
});
