import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import type { EditJournal } from '../../../src/edits/apply/edit-ports.ts';
import { createCommandSnapshots, type SnapshotDeps } from '../../../src/tools/command/command-snapshots.ts';
import { onlyPosix } from '../../support/posix.ts';
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
              const look = by === 'command' ? await snapshots.before(never) : undefined;
              await make(ws, changes);
              if (look !== undefined) await snapshots.after(look, 't', journal);
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
      const look = await snapshots.before(never);
      const copies = path.join(base, 'copies');
      const kept = await Promise.all((await readdir(copies)).map((name) => readFile(path.join(copies, name), 'utf8')));
      assert.deepEqual(kept.toSorted(), ['out/\n', 's']);
      for (const name of Object.keys(contents)) await rm(path.join(ws, name));
      await snapshots.after(look, 't', journal);
      assert.deepEqual([...before.keys()].toSorted(), ['.gitignore', 'small']);
      await snapshots.dispose();
      await assert.rejects(readdir(copies));
    });
  });
});

const touching: readonly {
  title: string;
  first: Readonly<Record<string, string>>;
  more?: Partial<SnapshotDeps>;
  line: string;
  /** Each file that is told of, with what it was; none of a new one. */
  told: Readonly<Record<string, string | undefined>>;
}[] = [
  {
    title: 'what a new ignore file hides',
    first: { a: '1', 'd/c': '2' },
    line: 'printf "*" > .gitignore; echo x > a; rm d/c; echo x > new',
    told: { '.gitignore': undefined, a: '1', 'd/c': '2', new: undefined },
  },
  {
    title: 'an ignore file that is gone, and nothing of what it hid',
    first: { '.gitignore': 'd\n', 'd/c': '2' },
    line: 'rm .gitignore; echo x > d/new',
    told: { '.gitignore': 'd\n' },
  },
  { title: 'a file that a link replaced', first: { a: '1', b: '2' }, line: 'ln -sf b a', told: { a: '1' } },
  {
    title: 'a file that a folder replaced',
    first: { a: '1' },
    line: 'rm a; mkdir a; echo x > a/b',
    told: { a: '1', 'a/b': undefined },
  },
  {
    title: 'the files of a folder that a link replaced',
    first: { 'd/c': '1' },
    line: 'mv d e; ln -s e d',
    told: { 'd/c': '1', 'e/c': undefined },
  },
  {
    title: 'a file that has become large',
    first: { a: '1' },
    more: { maxFileBytes: 1000 },
    line: 'head -c 2000 /dev/zero >> a',
    told: { a: '1' },
  },
  {
    title: 'no new name of a file that could not be kept',
    first: { a: '1', b: '2'.repeat(1100) },
    more: { maxBytes: 1000 },
    line: 'mv b c; mv a d',
    told: { a: '1', d: undefined },
  },
  {
    title: 'what was beyond the number of files neither as new nor as gone',
    first: { b: '1', c: '2', d: '3' },
    more: { maxFiles: 2, epochMs: () => Number.POSITIVE_INFINITY },
    line: 'echo x > b',
    told: { b: '1' },
  },
];

describe('what a command changed is told', () => {
  before(onlyPosix);
  for (const { title, first, more, line, told } of touching) {
    it(`F16 F31 a change by a command is told: ${title}`, async () => {
      await withTempDir(async (base) => {
        const ws = path.join(base, 'ws');
        await mkdir(ws);
        await make(
          ws,
          Object.entries(first).map(([name, text]) => ({ name, text })),
        );
        const snapshots = opened(base, more);
        const { journal, before } = recorder();
        const look = await snapshots.before(never);
        execFileSync('/bin/sh', ['-c', line], { cwd: ws });
        await snapshots.after(look, 't', journal);
        assert.deepEqual(sorted(before), sorted(new Map(Object.entries(told))));
      });
    });
  }

  it('F16 F31 nothing when Stop came while the files were looked at', async () => {
    await withTempDir(async (base) => {
      const ws = path.join(base, 'ws');
      await mkdir(ws);
      await make(ws, [
        { name: 'a', text: '1' },
        { name: 'd/c', text: '2' },
      ]);
      const snapshots = opened(base);
      await assert.rejects(snapshots.before(AbortSignal.abort()));
      const { journal, before } = recorder();
      await snapshots.after(await snapshots.before(never), 't', journal);
      assert.deepEqual([...before], []);
      assert.equal((await readdir(path.join(base, 'copies'))).length, 2);
    });
  });

  it('F16 F31 to each of two that run side by side', async () => {
    await withTempDir(async (base) => {
      const ws = path.join(base, 'ws');
      await mkdir(ws);
      await make(ws, [{ name: 'a', text: '1' }]);
      const snapshots = opened(base);
      const [one, two] = [recorder(), recorder()];
      const first = await snapshots.before(never);
      await make(ws, [{ name: 'a', text: '2' }]);
      const second = await snapshots.before(never);
      await make(ws, [{ name: 'b', text: '3' }]);
      await snapshots.after(second, 't', two.journal);
      await snapshots.after(first, 't', one.journal);
      assert.deepEqual(sorted(one.before), [
        ['a', '1'],
        ['b', undefined],
      ]);
      assert.deepEqual(sorted(two.before), [['b', undefined]]);
      assert.equal((await readdir(path.join(base, 'copies'))).length, 1);
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
