import assert from 'node:assert/strict';
import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import type { Protection } from '../../../src/files/protection.ts';
import { scanRoots, type WorkspaceScan } from '../../../src/sandbox/scan/scan.ts';
import { type CachedFolder, createScanCache } from '../../../src/sandbox/scan/scan-cache.ts';
import { times } from '../../support/effort.ts';
import { withTempDir } from '../../support/temp-dir.ts';

/** As if all that is there had been written long ago; `nextTick` keeps that true. */
const clock = { now: () => performance.now(), epochMs: () => Date.now() + 10_000 };

/** Until the file system would give a change another time than all that is there. */
async function nextTick(base: string): Promise<void> {
  const probe = path.join(base, 'probe');
  const touched = async () => {
    await writeFile(probe, 'x');
    return (await stat(probe)).ctimeMs;
  };
  const before = await touched();
  while ((await touched()) <= before);
}

const names = [
  'a',
  'b',
  'node_modules',
  '.git',
  '.env',
  'config',
  'AGENTS.md',
  '.vscode',
  'x.config.js',
  'HEAD',
  'refs',
];
const place = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const step = fc.oneof(
  fc.record({ what: fc.constantFrom('file', 'folder', 'remove', 'link', 'backdate'), at: place }),
  fc.record({ what: fc.constant('move'), at: place, to: place }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Done where it can be: a step that does not fit what is there is none. */
async function perform(root: string, one: Step): Promise<void> {
  const at = path.join(root, one.at);
  const parent = path.dirname(at);
  try {
    if (one.what === 'file') await writeFile(at, 'x', { flag: 'wx' });
    if (one.what === 'folder') await mkdir(at, { recursive: true });
    if (one.what === 'remove') await rm(at, { recursive: true, force: true });
    if (one.what === 'link') await symlink('../a', at);
    if (one.what === 'move' && 'to' in one) await rename(at, path.join(root, one.to));
    // What a program can do to hide that it was here.
    if (one.what === 'backdate') {
      await writeFile(path.join(at, '.env'), 'x').catch(() => undefined);
      await utimes(at, 1, 1);
      await utimes(parent, 1, 1);
    }
  } catch {
    return;
  }
}

const noneIsProtected: Protection = () => false;

function look(root: string, scanCache = createScanCache(), isProtected = noneIsProtected): Promise<WorkspaceScan> {
  return scanRoots({ roots: [root], isProtected, home: '/nonexistent', gitSettings: [], scanCache, clock });
}

function sorted({ guarded, links, masked, emptied, loaded, linked, ...rest }: WorkspaceScan) {
  const lists = [guarded, links, masked, emptied, linked, [...loaded].map(String)];
  return { lists: lists.map((list) => list.toSorted()), ...('unfit' in rest && { unfit: rest.unfit }) };
}

function foldersOf(folder: CachedFolder): CachedFolder[] {
  return [folder, ...[...folder.inside.values()].flatMap(foldersOf)];
}

describe('the picture of a workspace', () => {
  before(function () {
    // Elsewhere nobody knows which file systems keep the times of folders, so all is read.
    if (process.platform !== 'linux') this.skip();
  });

  it('X52 F31 P24 says after any changes what a look at everything says', async () => {
    let spared = 0;
    const change = fc.array(step, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 6 }), (changes) =>
        withTempDir(async (base) => {
          const root = path.join(base, 'ws');
          for (const name of names.slice(0, 3)) await mkdir(path.join(root, name, 'a'), { recursive: true });
          const scanCache = createScanCache();
          for (const steps of changes) {
            await nextTick(base);
            spared += foldersOf(scanCache.rootOf(root, noneIsProtected)).filter(
              ({ stats }) => stats !== undefined,
            ).length;
            for (const one of steps) await perform(root, one);
            const found = await look(root, scanCache);
            assert.deepEqual(sorted(found), sorted(await look(root)));
          }
        }),
      ),
      { numRuns: times(60, 600) },
    );
    // Otherwise each look reads all, and nothing was compared.
    assert.ok(spared > 0);
  });

  it('X52 P24 sees what came into a folder whose time a program set back', async () => {
    await withTempDir(async (base) => {
      const root = path.join(base, 'ws');
      await mkdir(root);
      await utimes(root, 1, 1);
      const scanCache = createScanCache();
      assert.deepEqual((await look(root, scanCache)).masked, []);
      await nextTick(base);
      await writeFile(path.join(root, '.env'), 'x');
      await utimes(root, 1, 1);
      assert.deepEqual((await look(root, scanCache)).masked, [path.join(root, '.env')]);
    });
  });

  it('F31 is another one with another list of protected files', async () => {
    await withTempDir(async (root) => {
      await writeFile(path.join(root, 'mine.txt'), 'x');
      const scanCache = createScanCache();
      assert.deepEqual((await look(root, scanCache)).guarded, []);
      const guarded = (await look(root, scanCache, (relative) => relative === 'mine.txt')).guarded;
      assert.deepEqual(guarded, [path.join(root, 'mine.txt')]);
    });
  });

  it('F31 does not rely on the time of a folder that was changed just now, whose next change may leave it with the same', async () => {
    await withTempDir(async (base) => {
      const root = path.join(base, 'ws');
      await mkdir(root);
      const scanCache = createScanCache();
      const input = { roots: [root], isProtected: noneIsProtected, home: '/nonexistent', gitSettings: [], scanCache };
      const isKnown = async (afterMs: number) => {
        const { ctimeMs } = await stat(root);
        await scanRoots({ ...input, clock: { now: () => 0, epochMs: () => ctimeMs + afterMs } });
        return scanCache.rootOf(root, noneIsProtected).stats !== undefined;
      };
      assert.deepEqual([await isKnown(0), await isKnown(1999), await isKnown(2001)], [false, false, true]);
    });
  });

  it('F31 P24 gives up after half a minute, and goes on from there when it is asked again', async () => {
    await withTempDir(async (base) => {
      const root = path.join(base, 'ws');
      const deep = path.join(root, 'a/b/c/d');
      await mkdir(deep, { recursive: true });
      await writeFile(path.join(deep, '.env'), 'x');
      const scanCache = createScanCache();
      /** So much time passes with each folder; the processor is not used. */
      const lookWith = (msAFolder: number) => {
        let now = 0;
        return scanRoots({
          ...{ roots: [root], isProtected: noneIsProtected, home: '/nonexistent', gitSettings: [], scanCache },
          clock: {
            now() {
              now += msAFolder;
              return now;
            },
            epochMs: clock.epochMs,
          },
        });
      };
      const given = await lookWith(11_000);
      assert.equal(given.unfit, 'large');
      assert.deepEqual(given.masked, []);
      const known = foldersOf(scanCache.rootOf(root, noneIsProtected)).filter(({ stats }) => stats !== undefined);
      assert.ok(known.length > 0, 'nothing was kept of the first look');
      const whole = await lookWith(1);
      assert.deepEqual([whole.unfit, whole.masked], [undefined, [path.join(deep, '.env')]]);
    });
  });
});
