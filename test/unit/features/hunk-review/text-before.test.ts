import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { splitDiff } from '../../../../src/edits/apply/unified-hunks.ts';
import { diffsOf, textBefore } from '../../../../src/features/hunk-review/core/text-before.ts';
import { createNodeGit } from '../../../../src/tools/git/node-git.ts';
import { times } from '../../../support/effort.ts';
import { createRandom } from '../../../support/random.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { makeHistory } from '../git/histories.ts';

const gitPath = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git'].find((file) => existsSync(file));
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

  it('F48 is not known where the text is another than the change leads to', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
    assert.equal(textBefore('one\n2\nthree\n', diff), 'one\ntwo\nthree\n');
    assert.equal(textBefore('one\ntwo\n', diff), undefined);
    assert.equal(textBefore('', diff), undefined);
  });
});
