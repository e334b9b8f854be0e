import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { splitDiff } from '../../../../src/edits/apply/unified-hunks.ts';
import { type Hunk, linesOf, type PendingText } from '../../../../src/edits/pending/hunks.ts';
import {
  currentText,
  groupsOf,
  settledText,
  withUndone,
  withWritten,
} from '../../../../src/edits/pending/pending-text.ts';
import { diffsOf, textBefore } from '../../../../src/features/hunk-review/core/text-before.ts';
import { createNodeGit } from '../../../../src/tools/git/node-git.ts';
import { times } from '../../../support/effort.ts';
import { gitPath } from '../../../support/git-in.ts';
import { createRandom } from '../../../support/random.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { makeHistory } from '../git/histories.ts';

const git = createNodeGit({ gitPath: () => gitPath });
const unixEnds = (text: string) => text.replaceAll('\r\n', '\n');

describe('the text that a change leads from', () => {
  before(function () {
    if (gitPath === undefined) this.skip();
  });

  it('F48 is that of the last commit, whatever the change and the settings of Git', async function () {
    this.timeout(120_000);
    let compared = 0;
    for (let seed = 1; seed <= times(12, 60); seed++) {
      await withTempDir(async (folder) => {
        const { git: run } = await makeHistory(folder, createRandom(seed));
        if (!(await run('rev-parse', '--verify', 'HEAD').catch(() => undefined))) return;
        const root = { name: '', uri: `file://${folder}`, fsPath: folder };
        const changes = await git.changes(root, { staged: false }, new AbortController().signal);
        const diffs = await diffsOf(changes);
        for (const { path: name, oldPath = name, added } of changes.files) {
          const diff = diffs.get(name) ?? assert.fail(name);
          if (added === undefined || /^(?:new file mode|old mode|index \S+ 120000)/m.test(splitDiff(diff).head))
            continue;
          const after = await readFile(path.join(folder, name), 'utf8').catch(() => '');
          const options = { cwd: folder, encoding: 'buffer' as const };
          const { stdout } = await promisify(execFile)('git', ['cat-file', 'blob', `HEAD:${oldPath}`], options);
          const found = textBefore(after, diff);
          // A file became a link, or a link a file.
          if (diff.split(/^diff --git /m).length > 2) {
            assert.equal(found, undefined);
            continue;
          }
          assert.equal(unixEnds(found ?? 'nothing'), unixEnds(stdout.toString('utf8')), `${seed} ${name}`);
          compared++;
        }
      });
    }
    assert.ok(compared > 20, `${compared} files`);
  });

  it('F48 the hunks undone are what `git apply -R` takes back of the same hunks, whichever they are', async function () {
    this.timeout(120_000);
    await withTempDir(async (folder) => {
      let several = 0;
      for (let seed = 1; seed <= times(40, 400); seed++) {
        const random = createRandom(seed);
        const word = () => `${random.pick(['one', 'two', '', '  three', '}'])}\n`;
        const before = Array.from({ length: random.between(1, 30) }, word);
        const after = before.flatMap((line) => {
          const dice = random.next();
          return dice < 0.1 ? [] : dice < 0.2 ? [word()] : dice < 0.3 ? [line, word()] : [line];
        });
        if (after.length === 0) continue;
        const pending = withWritten(settledText(before.join('')), after.join(''), { callId: 'other tool' });
        const undone = groupsOf(pending).filter(() => random.next() < 0.5);
        const { text, conflicts } = withUndone(pending, { hunks: undone.flat() });
        assert.equal(conflicts, 0);
        if (undone.length === 0) continue;
        const patched = await applyReversed(folder, after.join(''), patchOf(pending, undone.flat()));
        assert.equal(currentText(text), patched, `seed ${seed}`);
        if (undone.length > 1) several++;
      }
      assert.ok(several > 10, `${several} texts with several hunks undone`);
    });
  });

  it('F48 is not known where the text is another than the change leads to', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
    assert.equal(textBefore('one\n2\nthree\n', diff), 'one\ntwo\nthree\n');
    assert.equal(textBefore('one\ntwo\n', diff), undefined);
    assert.equal(textBefore('', diff), undefined);
  });
});

/** The hunks as Git writes them without lines around: what they lead to is the present text. */
function patchOf(pending: PendingText, hunks: readonly Hunk[]): string {
  const lines = linesOf(pending);
  let grown = 0;
  const parts = hunks
    .toSorted((one, other) => one.after.start - other.after.start)
    .map(({ removed, after: { start, count } }) => {
      const from = start - grown;
      grown += count - removed.length;
      const at = (line: number, size: number) => `${size === 0 ? line : line + 1},${size}`;
      const rows = [
        ...removed.map((line) => `-${line}\n`),
        ...lines.slice(start, start + count).map((line) => `+${line}\n`),
      ];
      return `@@ -${at(from, removed.length)} +${at(start, count)} @@\n${rows.join('')}`;
    });
  return `--- a/judged\n+++ b/judged\n${parts.join('')}`;
}

async function applyReversed(folder: string, text: string, patch: string): Promise<string> {
  await writeFile(path.join(folder, 'judged'), text);
  await writeFile(path.join(folder, 'patch'), patch);
  const plain = { cwd: folder, env: { ...process.env, GIT_DIR: '/nowhere', GIT_CONFIG_GLOBAL: '/dev/null' } };
  await promisify(execFile)('git', ['apply', '-R', '--unidiff-zero', 'patch'], plain);
  return readFile(path.join(folder, 'judged'), 'utf8');
}
