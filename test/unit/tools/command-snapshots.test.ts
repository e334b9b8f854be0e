import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createCommandSnapshots, type SnapshotDeps } from '../../../src/tools/command/command-snapshots.ts';
import type { EditJournal } from '../../../src/tools/edit/edit-ports.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders } from './workspace.ts';

const never = new AbortController().signal;

/** Remembers what a checkpoint would: of each file the first bytes before and the last ones after. */
function recorder(): {
  journal: EditJournal;
  before: Map<string, string | undefined>;
  after: Map<string, string | undefined>;
} {
  const before = new Map<string, string | undefined>();
  const after = new Map<string, string | undefined>();
  const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('latin1');
  return {
    before,
    after,
    journal: {
      willChange: async (_, place, bytes) => {
        if (!before.has(place.path)) before.set(place.path, text(bytes));
      },
      didChange: async (_, place, bytes) => void after.set(place.path, text(bytes)),
    },
  };
}

const opened = (base: string, more: Partial<SnapshotDeps> = {}) => {
  const { workspace, files } = openFolders({ ws: path.join(base, 'ws') });
  return createCommandSnapshots({ workspace, files, dir: path.join(base, 'copies'), ...more });
};

const names = ['a', 'b', 'd/c', 'd/e/f'];
const change = fc.record({
  name: fc.constantFrom(...names),
  text: fc.option(fc.string({ maxLength: 12, unit: 'binary' }), { nil: undefined }),
});

describe('what commands changed', () => {
  it('F16 F31 putting back what was told gives every file as it was before, over several commands and changes of others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 5 }),
        fc.array(fc.record({ by: fc.constantFrom('command', 'user'), changes: fc.array(change, { maxLength: 4 }) }), {
          maxLength: 4,
        }),
        async (first, steps) => {
          await withTempDir(async (base) => {
            const ws = path.join(base, 'ws');
            await mkdir(ws);
            await make(ws, first);
            const snapshots = opened(base);
            const { journal, before } = recorder();
            // What each file was when a command first changed it: the oracle.
            const expected = new Map<string, string | undefined>();
            for (const { by, changes } of steps) {
              const was = await all(ws);
              if (by === 'command') await snapshots.before(never);
              await make(ws, changes);
              if (by === 'command') await snapshots.after('t', journal);
              const is = await all(ws);
              for (const name of names) {
                if (by === 'command' && was.get(name) !== is.get(name) && !expected.has(name)) {
                  expected.set(name, was.get(name));
                }
              }
            }
            assert.deepEqual(sorted(before), sorted(expected));
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('F31 X16 ignored files, secrets and large files are not copied', async () => {
    await withTempDir(async (base) => {
      const ws = path.join(base, 'ws');
      const contents = { '.gitignore': 'out/\n', 'out/x': 'x', '.env': 'SECRET', large: 'l'.repeat(2000), small: 's' };
      for (const [name, text] of Object.entries(contents)) {
        await mkdir(path.dirname(path.join(ws, name)), { recursive: true });
        await writeFile(path.join(ws, name), text);
      }
      const snapshots = opened(base, { maxFileBytes: 1000 });
      const { journal, before } = recorder();
      await snapshots.before(never);
      const copies = path.join(base, 'copies');
      const kept = await Promise.all((await readdir(copies)).map((name) => readFile(path.join(copies, name), 'utf8')));
      assert.deepEqual(kept.toSorted(), ['out/\n', 's']);
      for (const name of Object.keys(contents)) await rm(path.join(ws, name));
      await snapshots.after('t', journal);
      assert.deepEqual([...before.keys()].toSorted(), ['.gitignore', 'small']);
      await snapshots.dispose();
      await assert.rejects(readdir(copies));
    });
  });
});

async function make(ws: string, changes: readonly { name: string; text?: string | undefined }[]): Promise<void> {
  for (const { name, text } of changes) {
    const file = path.join(ws, name);
    if (text === undefined) await rm(file, { force: true });
    else {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text, 'latin1');
    }
  }
}

async function all(ws: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const text = await readFile(path.join(ws, name), 'latin1').catch(() => undefined);
    if (text !== undefined) found.set(name, text);
  }
  return found;
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
