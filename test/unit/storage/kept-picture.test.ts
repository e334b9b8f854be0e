import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { dayMs } from '../../../src/base/clock.ts';
import { sweepTemporary } from '../../../src/base/temporary.ts';
import { forgetTexts } from '../../../src/chat/view-memory.ts';
import { createWorktrees } from '../../../src/features/worktrees/core/worktrees.ts';
import { removeLeftOver } from '../../../src/sandbox/placeholders.ts';
import { eraseStorage, isNamed, storagePaths, sweepStorage } from '../../../src/storage/storage-paths.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { openGitProgram } from '../../../src/tools/git/git-program.ts';
import { someOf } from '../../support/effort.ts';
import { gitPath } from '../../support/git-in.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openStore } from '../conversation/store-samples.ts';
import { commitOf, signal } from '../features/worktrees/repositories.ts';
import { type Places, placesIn, steps } from './everything.ts';

const worker = new URL('keeping-window.ts', import.meta.url).pathname;

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

const foldersOf = ({ top, machine, workspace }: Places) => ({ machine, workspace, temporary: path.join(top, 'tmp') });

async function unnamed(at: Places): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, folder] of Object.entries(foldersOf(at)) as [keyof typeof storagePaths, string][])
    found.push(...(await filesBelow(folder)).filter((file) => !isNamed(storagePaths[kind], file)));
  return found;
}

async function withTemporary(folder: string, run: () => Promise<void>): Promise<void> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  await run().finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
}

describe('all that is kept outside of the workspace, after a kill', () => {
  for (const step of someOf([...Object.keys(steps), 'nothing'], 3)) {
    it(`E21 F6 E10 is named, swept by the next window, and gone with Erase: killed in the middle of ${step}`, async function () {
      if (process.platform === 'win32' || gitPath === undefined) this.skip();
      this.timeout(60_000);
      await withTempDir(async (top) => {
        const at = placesIn(top);
        const { machine, workspace, temporary } = foldersOf(at);
        for (const folder of [temporary, at.repository]) await mkdir(folder, { recursive: true });
        await commitOf(at.repository, { 'a.txt': 'one\n' });
        const options = { env: { ...process.env, TMPDIR: temporary }, encoding: 'utf8' } as const;
        const killed = spawnSync(process.execPath, [worker, top, step], options);
        assert.equal(killed.signal, 'SIGKILL', killed.stderr);
        assert.deepEqual(await unnamed(at), [], 'after the kill');

        const worktrees = createWorktrees({
          dir: path.join(machine, 'worktrees'),
          openGit: (folder, until, known) => openGitProgram(gitPath, folder, until, known),
        });
        await withTemporary(temporary, sweepTemporary);
        await removeLeftOver(path.join(machine, 'sandbox'));
        assert.deepEqual(await worktrees.recover(signal), []);
        assert.deepEqual(await unnamed(at), [], 'after the next start');
        assert.deepEqual(
          (await filesBelow(path.join(machine, 'sandbox'))).filter((file) => !file.startsWith('alpha')),
          [],
        );
        assert.deepEqual(await filesBelow(temporary), []);
        assert.equal(existsSync(path.join(at.repository, '.vscode')), false);

        const store = openStore(machine);
        const ids = new Set((await store.list()).map(({ id }) => id)).add('alpha');
        for (const folder of await worktrees.old(Number.POSITIVE_INFINITY)) {
          const patch = await worktrees.remove(folder, signal);
          if (patch !== undefined) await rm(patch);
        }
        await store.eraseAll();
        await eraseStorage(workspace, storagePaths.workspace);
        const values = await openStoredValues({ dir: path.join(workspace, 'unsent'), onError: assert.ifError });
        forgetTexts(values, ids);
        await values.flush();
        await sweepStorage(machine, storagePaths.machine, Date.now() + 2 * dayMs);
        await sweepStorage(workspace, storagePaths.workspace, Date.now() + 2 * dayMs);
        const left: string[] = [];
        for (const folder of [machine, workspace])
          for (const file of await filesBelow(folder)) {
            if ((await readFile(path.join(folder, file), 'utf8')).includes('canary of')) left.push(file);
            if (folder === machine) assert.match(file, /^(?:ledger|models|checkpoints\/manifest)/);
          }
        assert.deepEqual(left, [], 'after Erase');
        await store.dispose();
      });
    });
  }
});
