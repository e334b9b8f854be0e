import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { restorable } from '../../support/restorable.ts';
import { canary, converse, openMachine, withMachines } from './machine.ts';

/** Every file of the storage, with what it holds, images as they look. */
async function onDisk(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [path.relative(dir, file).replaceAll('\\', '/'), await readFile(file, 'utf8')] as const),
  );
  return new Map(texts);
}

async function filesWith(dir: string, id: string): Promise<string[]> {
  const signs = [canary(id), Buffer.from(canary(id)).toString('base64')];
  const found = [...(await onDisk(dir))].filter(
    ([name, text]) => name.includes(`${id}.`) || signs.some((sign) => text.includes(sign)),
  );
  return found.map(([name]) => name).sort();
}

/** Fails at its `fatal`th change. */
function createFailingFs(fatal: number): { fs: StorageFs; changes(): number } {
  let changes = 0;
  const fails = <T>(act: () => Promise<T>): Promise<T> => {
    changes += 1;
    return changes === fatal ? Promise.reject(new Error('the power is gone')) : act();
  };
  const fs = {
    ...nodeFs,
    rm: (...args: Parameters<typeof nodeFs.rm>) => fails(() => nodeFs.rm(...args)),
    open: (...args: Parameters<typeof nodeFs.open>) =>
      args[1] === 'r+' ? fails(() => nodeFs.open(...args)) : nodeFs.open(...args),
  } as unknown as StorageFs;
  return { fs, changes: () => changes };
}

describe('erasing conversations', () => {
  it('F6 E10 takes all that a conversation left, and nothing that another one needs', () =>
    withMachines(async (temp) => {
      const machine = await openMachine(temp);
      const { dir, store, checkpoints, images } = machine;
      await converse(machine, 'alpha', 1);
      await converse(machine, 'beta', 2);
      const before = await filesWith(dir, 'alpha');
      for (const part of [
        'checkpoints/blobs',
        'conversations/blobs',
        'conversations/quarantine',
        'conversations/alpha',
        'images',
      ])
        assert.ok(
          before.some((name) => name.startsWith(part)),
          `${part} in ${before.join(' ')}`,
        );
      const ofBeta = await filesWith(dir, 'beta');
      await store.remove('alpha');
      assert.equal(await store.emptyTrash(Number.POSITIVE_INFINITY), 1);
      assert.deepEqual(
        await filesWith(dir, 'alpha'),
        ['conversations/index.json'].filter((name) => before.includes(name)),
      );
      assert.deepEqual(await filesWith(dir, 'beta'), ofBeta);
      assert.doesNotMatch((await onDisk(dir)).get('checkpoints/manifest.jsonl') ?? '', /alpha/);
      assert.deepEqual(
        (await restorable(checkpoints, ['t2'])).map(({ state }) => state),
        ['ready', 'same'],
      );
      assert.ok(await images.read(await images.add('data:image/png;base64,AAAA')));
    }));

  it('F6 E10 erasing all leaves the disk as it was before the first conversation', () =>
    withMachines(async (temp) => {
      const machine = await openMachine(temp);
      await converse(machine, 'alpha', 1);
      await converse(machine, 'beta', 2);
      await machine.store.remove('alpha');
      await machine.store.eraseAll();
      const left = [...(await onDisk(machine.dir))].filter(([, text]) => text.trim() !== '').map(([name]) => name);
      assert.deepEqual(left, []);
      await converse(machine, 'gamma', 3);
      assert.equal((await restorable(machine.checkpoints, ['t3'])).length, 2);
    }));

  it('F6 a fork keeps what it shares with an erased conversation', () =>
    withMachines(async (temp) => {
      const machine = await openMachine(temp);
      const { store, checkpoints } = machine;
      await converse(machine, 'alpha', 1);
      await store.create('fork', (await store.readRecords('alpha')) as object[]);
      await store.remove('alpha');
      await store.emptyTrash(Number.POSITIVE_INFINITY);
      assert.equal((await restorable(checkpoints, ['t1'])).length, 2);
      assert.match(JSON.stringify(await store.read('fork')), /canary of alpha/);
    }));

  it('F6 E10 what a crash left half erased is gone after the next time', () =>
    withMachines(async (temp) => {
      for (let fatal = 1; ; fatal++) {
        const folder = path.join(temp, String(fatal));
        const failing = createFailingFs(fatal);
        const machine = await openMachine(folder);
        await converse(machine, 'alpha', 1);
        await machine.store.remove('alpha');
        await machine.store.dispose();
        const { store } = await openMachine(folder, failing.fs);
        const crashed = await store.emptyTrash(Number.POSITIVE_INFINITY).then(
          () => false,
          () => true,
        );
        await machine.store.emptyTrash(Number.POSITIVE_INFINITY);
        assert.deepEqual(await filesWith(machine.dir, 'alpha'), [], `crash at ${fatal}`);
        if (!crashed) break;
      }
    }));
});
