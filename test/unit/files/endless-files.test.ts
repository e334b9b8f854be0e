import assert from 'node:assert/strict';
import { appendFile, mkdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readRegular } from '../../../src/base/read-regular.ts';
import { proposeTest, withScripts } from '../../../src/features/best-of/core/test-command.ts';
import { createIgnoreRules } from '../../../src/files/ignore-rules.ts';
import { readText } from '../../../src/files/read-text.ts';
import { gather, readSmallFile } from '../../../src/files/workspace.ts';
import { textOf } from '../../../src/sandbox/paths.ts';
import { locateGit } from '../../../src/tools/git/git-location.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

const names = ['package.json', 'Makefile', '.gitignore', 'AGENTS.md', '.git/objects/info/alternates'];

describe('files of two gigabytes where the extension reads by name', () => {
  it('X32 X05 are not read, whoever reads', () =>
    withTempDir(async (ws) => {
      for (const name of names) {
        await writeFiles(ws, { [name]: '' });
        await truncate(path.join(ws, name), 2 ** 31 + 2 ** 20);
      }
      await mkdir(path.join(ws, '.git/refs'));
      const { workspace, files } = openFolders({ ws });
      const [root] = workspace.roots();
      assert(root);
      const place = { root, path: 'AGENTS.md' };
      assert.equal(await proposeTest(ws), undefined);
      assert.equal(await withScripts('npm test', ws), 'npm test');
      const rules = createIgnoreRules(files, root, []);
      await rules.enter('');
      assert.equal(rules.ignores('a.txt', false), false);
      assert.deepEqual(await readText({ workspace, files }, place, { max: 9, checked: undefined }), { not: 'small' });
      assert.equal(await readSmallFile(files, place, 9), undefined);
      assert.equal(textOf(path.join(ws, 'package.json')), '');
      // Git itself would follow them, so nothing that cannot be known is taken for harmless.
      await assert.rejects(locateGit(ws), /data cannot be read/);
    }));

  it('X32 are read as far as they went when they were opened, or not at all, while they grow', () =>
    withTempDir(async (dir) => {
      const file = path.join(dir, 'log');
      await appendFile(file, 'x'.repeat(100));
      const growing = setInterval(() => void appendFile(file, 'x'.repeat(1000)), 0);
      const read = await readRegular(file, 1_000_000).finally(() => clearInterval(growing));
      assert.match(String(read), /^x{100,}$/);
      await assert.rejects(readRegular(file, 99), { code: 'EFBIG' });
      await assert.rejects(readRegular(dir), { code: 'EISDIR' });
      async function* endless() {
        for (;;) yield Buffer.alloc(1000);
      }
      assert.equal(await gather(endless(), 1_000_000), undefined);
    }));
});
