import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { EditJournal } from '../../../src/edits/apply/edit-ports.ts';
import {
  type CheckpointFile,
  type Checkpoints,
  createCheckpoints,
} from '../../../src/edits/checkpoints/checkpoints.ts';
import type { Place } from '../../../src/files/workspace.ts';
import { encodeLine } from '../../../src/storage/log-line.ts';
import { onlyPosix } from '../../support/posix.ts';
import { restorable } from '../../support/restorable.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

describe('edits/checkpoints', () => {
  let temp: TempDir;
  let root: string;
  let ids = 0;
  let journal: EditJournal;
  let checkpoints: Checkpoints;
  const taken: string[][] = [];
  const unwritable = new Set<string>();
  /** The folders that were to be taken away. */
  const asked: string[] = [];

  /** As a disk that takes `Button.ts` and `button.ts` for one file. */
  let ignoresCase = false;
  const nameOf = async (place: Place): Promise<string | undefined> => {
    const folder = path.dirname(place.path);
    const names = await readdir(path.join(root, folder)).catch(() => []);
    const isIt = (name: string) => name === path.basename(place.path);
    const isAlike = (name: string) => name.toLowerCase() === path.basename(place.path).toLowerCase();
    const name = names.find(isIt) ?? (ignoresCase ? names.find(isAlike) : undefined);
    return name === undefined ? undefined : path.join(folder, name);
  };
  const files = (turnIds: readonly string[], told?: readonly string[]) => restorable(checkpoints, turnIds, told);
  const fileOf = (place: Place) => path.join(root, place.path);
  const readBytes = (file: string) =>
    readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  const open = (maxBytes?: number) =>
    createCheckpoints({
      dir: path.join(temp.path, 'checkpoints'),
      workspace: openFolders({ ws: root }).workspace,
      shown: ({ path: name }) => name,
      files: {
        read: async (place) => {
          const name = await nameOf(place);
          return name === undefined ? undefined : readBytes(path.join(root, name));
        },
        named: async (place) => {
          const name = await nameOf(place);
          return name === undefined ? undefined : { ...place, path: name };
        },
        missingFolders: async ({ path: relative }) => {
          const parts = relative.split('/').slice(0, -1);
          const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
          const isThere = await Promise.all(
            folders.map((folder) => readdir(path.join(root, folder)).catch(() => undefined)),
          );
          return folders.filter((_, index) => isThere[index] === undefined);
        },
        async put(changes) {
          asked.push(...changes.flatMap(({ madeFolders }) => madeFolders));
          for (const { place, bytes, renamedFrom } of changes) {
            if (unwritable.has(place.path)) continue;
            if (renamedFrom) await rename(fileOf(renamedFrom), fileOf(place));
            if (bytes === undefined) await rm(fileOf(place));
            else await mkdir(path.dirname(fileOf(place)), { recursive: true });
            if (bytes !== undefined) await writeFile(fileOf(place), bytes);
          }
          return changes.map(({ place }) => place).filter(({ path: one }) => unwritable.has(one));
        },
      },
      clock: { epochMs: () => 1 },
      newId: () => String(++ids),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  const placeAt = (relative: string): Place => {
    const [first] = openFolders({ ws: root }).workspace.roots();
    if (first === undefined) throw new Error('no root');
    return { root: first, path: relative };
  };
  /** Changes a file as an edit tool does. */
  const change = async (turnId: string, relative: string, content: string | Uint8Array | undefined) => {
    const place = placeAt(relative);
    await journal.willChange(turnId, place, await readBytes(fileOf(place)));
    if (content === undefined) await rm(fileOf(place));
    else await writeFiles(root, { [relative]: content });
    await journal.didChange(turnId, place, await readBytes(fileOf(place)));
  };
  const text = async (relative: string) => (await readBytes(path.join(root, relative)))?.toString();
  const states = (files: readonly CheckpointFile[]) => files.map((file) => `${file.path} ${file.state}`);

  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(root, { 'a.ts': 'a0', 'b.ts': 'b0', 'mine.txt': 'untracked' });
    taken.length = 0;
    asked.length = 0;
    unwritable.clear();
    ignoresCase = false;
    checkpoints = open();
    journal = checkpoints.journal(({ paths }) => taken.push(paths));
  });
  afterEach(async () => {
    await checkpoints.close();
    await temp.remove();
  });

  it('E10 a decision of the user on our edits leaves a file as ready to be restored as it was', async () => {
    await change('t1', 'a.ts', 'a1 a2');
    await change('t1', 'b.ts', 'b1');
    await writeFile(path.join(root, 'b.ts'), 'b1 mine');
    const places = ['a.ts', 'b.ts', 'mine.txt'].map(placeAt);
    const result = await checkpoints.follow(places, async () => {
      await writeFile(path.join(root, 'a.ts'), 'a1');
      await writeFile(path.join(root, 'b.ts'), 'mine');
      await writeFile(path.join(root, 'mine.txt'), 'x');
      return 7;
    });
    assert.equal(result, 7);
    assert.deepEqual(states(await files(['t1'])), ['a.ts ready', 'b.ts changed']);
  });

  it('F16 E09 gives a file back the case of its name where the disk ignores it, and takes nothing away', async () => {
    ignoresCase = true;
    const [from, to] = [placeAt('a.ts'), placeAt('A.ts')];
    await journal.willChange('t1', from, Buffer.from('a0'));
    await journal.willChange('t1', to, undefined);
    await rename(fileOf(from), fileOf(to));
    await journal.didChange('t1', from, undefined);
    await journal.didChange('t1', to, Buffer.from('a0'));
    await change('t2', 'A.ts', 'a1');
    assert.deepEqual(states(await files(['t1', 't2'])), ['a.ts ready']);
    const { restored, undoId } = await checkpoints.restore(['t1', 't2'], async () => 'all');
    assert.deepEqual([restored, await readdir(root)], [['a.ts'], ['a.ts', 'b.ts', 'mine.txt']]);
    assert.equal(await text('a.ts'), 'a0');
    assert.deepEqual(states(await files(['t1', 't2'])), ['a.ts same']);
    await checkpoints.restore([undoId ?? ''], async () => 'all');
    assert.deepEqual([(await readdir(root)).includes('A.ts'), await text('A.ts')], [true, 'a1']);
  });

  it('F16 E09 puts every touched file back, takes new ones away and leaves the others alone', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'a.ts', 'a2');
    await change('t1', 'dir/new.ts', 'n1');
    await change('t1', 'b.ts', undefined);
    await writeFile(path.join(root, 'mine.txt'), 'newer');
    const seen: string[] = [];
    const result = await checkpoints.restore(['t1'], async (files) => {
      seen.push(...states(files));
      return 'unchanged';
    });
    assert.deepEqual(seen, ['a.ts ready', 'dir/new.ts ready', 'b.ts ready']);
    assert.deepEqual(result.restored, ['a.ts', 'dir/new.ts', 'b.ts']);
    assert.deepEqual([await text('a.ts'), await text('dir/new.ts'), await text('b.ts')], ['a0', undefined, 'b0']);
    assert.equal(await text('mine.txt'), 'newer');
  });

  it('F16 tells of the checkpoint before the first write, with every file as it joins', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'a.ts', 'a2');
    await change('t1', 'b.ts', 'b1');
    assert.deepEqual(taken, [['a.ts'], ['a.ts', 'b.ts']]);
  });

  it('E10 never touches what the user changed since without an answer that says so', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'b.ts', 'b1');
    await writeFile(path.join(root, 'a.ts'), 'user work');
    const kept = await checkpoints.restore(['t1'], async (files) => {
      assert.deepEqual(states(files), ['a.ts changed', 'b.ts ready']);
      return 'unchanged';
    });
    assert.deepEqual(kept.left, ['a.ts']);
    assert.deepEqual([await text('a.ts'), await text('b.ts')], ['user work', 'b0']);
    const all = await checkpoints.restore(['t1'], async () => 'all');
    assert.deepEqual(all.restored, ['a.ts']);
    assert.equal(await text('a.ts'), 'a0');
  });

  it('F16 E10 puts back only the files that were chosen, also one that was changed since', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'b.ts', 'b1');
    await change('t1', 'new.ts', 'n1');
    await writeFile(path.join(root, 'a.ts'), 'user work');
    const only = (...names: string[]) =>
      checkpoints.restore(['t1'], async (files) => files.filter((file) => names.includes(file.path)));
    assert.deepEqual(await only(), { restored: [], left: ['a.ts', 'b.ts', 'new.ts'] });
    assert.deepEqual((await only('new.ts')).restored, ['new.ts']);
    const { restored, left, undoId } = await only('a.ts');
    assert.deepEqual([restored, left], [['a.ts'], ['b.ts']]);
    assert.deepEqual([await text('a.ts'), await text('b.ts'), await text('new.ts')], ['a0', 'b1', undefined]);
    await checkpoints.restore([undoId ?? ''], async () => 'unchanged');
    assert.deepEqual([await text('a.ts'), await text('b.ts')], ['user work', 'b1']);
  });

  it('E10 leaves a file that the user changes while the question is open', async () => {
    await change('t1', 'a.ts', 'a1');
    const result = await checkpoints.restore(['t1'], async () => {
      await writeFile(path.join(root, 'a.ts'), 'typed meanwhile');
      return 'all';
    });
    assert.deepEqual(result, { restored: [], left: ['a.ts'] });
    assert.equal(await text('a.ts'), 'typed meanwhile');
  });

  it('F16 has the folders taken away that were made for a file, also over a restart', async () => {
    await change('t1', 'new/deep/a.ts', 'a');
    await change('t1', 'new/b.ts', 'b');
    await change('t2', 'new/b.ts', 'b2');
    await checkpoints.close();
    checkpoints = open();
    await checkpoints.restore(['t1', 't2'], async () => 'all');
    assert.deepEqual(asked, ['new', 'new/deep']);
  });

  it('F16 says of a file that could not be written that it is left, and undoes the others', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'b.ts', 'b1');
    unwritable.add('b.ts');
    const { restored, left, undoId } = await checkpoints.restore(['t1'], async () => 'all');
    assert.deepEqual({ restored, left }, { restored: ['a.ts'], left: ['b.ts'] });
    assert.equal(await text('a.ts'), 'a0');
    unwritable.clear();
    assert.ok(undoId !== undefined);
    await checkpoints.restore([undoId], async () => 'unchanged');
    assert.equal(await text('a.ts'), 'a1');
    assert.equal(await text('b.ts'), 'b1');
    unwritable.add('a.ts').add('b.ts');
    const none = await checkpoints.restore(['t1'], async () => 'all');
    assert.deepEqual(none, { restored: [], left: ['a.ts', 'b.ts'] });
  });

  it('F16 restoring does nothing when the question is cancelled', async () => {
    await change('t1', 'a.ts', 'a1');
    assert.deepEqual(await checkpoints.restore(['t1'], async () => 'cancel'), { restored: [], left: [] });
    assert.equal(await text('a.ts'), 'a1');
  });

  it('F16 a restore is itself undoable, with what the user had', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'new.ts', 'n1');
    await writeFile(path.join(root, 'a.ts'), 'user work');
    const { undoId } = await checkpoints.restore(['t1'], async () => 'all');
    assert.deepEqual([await text('a.ts'), await text('new.ts')], ['a0', undefined]);
    await checkpoints.restore([undoId ?? ''], async () => 'unchanged');
    assert.deepEqual([await text('a.ts'), await text('new.ts')], ['user work', 'n1']);
  });

  it('F16 goes back over several turns, and survives a restart', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t2', 'a.ts', 'a2');
    await change('t2', 'b.ts', 'b2');
    await checkpoints.close();
    checkpoints = open();
    await checkpoints.restore(['t2'], async () => 'unchanged');
    assert.deepEqual([await text('a.ts'), await text('b.ts')], ['a1', 'b0']);
    await checkpoints.restore(['t1', 't2'], async () => 'all');
    assert.deepEqual([await text('a.ts'), await text('b.ts')], ['a0', 'b0']);
  });

  it('E09 a checkpoint keeps bytes that are no text', async () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]);
    await writeFile(path.join(root, 'x.png'), image);
    await change('t1', 'x.png', undefined);
    await checkpoints.restore(['t1'], async () => 'unchanged');
    assert.deepEqual(await readBytes(path.join(root, 'x.png')), image);
  });

  it('E09 a crash between keeping and writing leaves a checkpoint that asks', async () => {
    await journal.willChange('t1', placeAt('a.ts'), Buffer.from('a0'));
    assert.deepEqual(states(await files(['t1'])), ['a.ts same']);
    await writeFile(path.join(root, 'a.ts'), 'half');
    assert.deepEqual(states(await files(['t1'])), ['a.ts changed']);
  });

  it('E09 drops the oldest bytes beyond the cap and says that they are lost', async () => {
    await checkpoints.close();
    checkpoints = open(3000);
    journal = checkpoints.journal(() => undefined);
    for (let turn = 1; turn <= 6; turn++) {
      await writeFile(path.join(root, 'a.ts'), `${turn}`.repeat(1000));
      await change(`t${turn}`, 'a.ts', 'x');
    }
    const blobs = path.join(temp.path, 'checkpoints/blobs');
    const sizes = await Promise.all(
      (await readdir(blobs)).map(async (name) => (await stat(path.join(blobs, name))).size),
    );
    // The newest is kept after the sweep.
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 3000 + 1001);
    assert.deepEqual(states(await files(['t1'])), ['a.ts lost']);
    assert.deepEqual(states(await files(['t6'])), ['a.ts ready']);
    assert.deepEqual(await checkpoints.restore(['t1'], async () => 'all'), { restored: [], left: ['a.ts'] });
  });

  it('E09 keeps old bytes also while another window moves its own into place', async () => {
    const blobs = path.join(temp.path, 'checkpoints', 'blobs');
    await mkdir(blobs, { recursive: true });
    // Listed, and gone when it is looked at.
    await symlink(path.join(temp.path, 'nowhere'), path.join(blobs, 'other.blob.tmp'));
    await change('t1', 'a.ts', 'a1');
    await checkpoints.restore(['t1'], async () => 'all');
    assert.equal(await text('a.ts'), 'a0');
  });

  it('X06 does not restore through a link that came since', async () => {
    await writeFiles(root, { 'dir/a.ts': 'a0' });
    await change('t1', 'dir/a.ts', 'a1');
    await rm(path.join(root, 'dir'), { recursive: true });
    await writeFiles(temp.path, { 'out/a.ts': 'a1' });
    await symlink('../out', path.join(root, 'dir'));
    assert.deepEqual(await checkpoints.restore(['t1'], async () => 'all'), { restored: [], left: ['dir/a.ts'] });
    assert.equal(await readFile(path.join(temp.path, 'out/a.ts'), 'utf8'), 'a1');
  });

  it('F16 keeps what was moved away from where a link is now: it is the only copy', async () => {
    await writeFiles(root, { 'd/one.ts': 'one', 'd/two.ts': 'two' });
    await change('t1', 'e/one.ts', 'one');
    await change('t1', 'e/two.ts', 'changed');
    await change('t1', 'd/one.ts', undefined);
    await change('t1', 'd/two.ts', undefined);
    await rm(path.join(root, 'd'), { recursive: true });
    await symlink(path.join(root, 'e'), path.join(root, 'd'));
    const { restored, left } = await checkpoints.restore(['t1'], async () => 'all');
    assert.deepEqual([restored, left.toSorted()], [['e/two.ts'], ['d/one.ts', 'd/two.ts', 'e/one.ts']]);
    assert.equal(await text('e/one.ts'), 'one');
  });

  it('X06 does not restore into another folder of the workspace either', async () => {
    await writeFiles(root, { 'dir/a.ts': 'a0', 'other/a.ts': 'a1' });
    await change('t1', 'dir/a.ts', 'a1');
    await rm(path.join(root, 'dir'), { recursive: true });
    await symlink('other', path.join(root, 'dir'));
    assert.deepEqual(await checkpoints.restore(['t1'], async () => 'all'), { restored: [], left: ['dir/a.ts'] });
    assert.equal(await text('other/a.ts'), 'a1');
  });

  it('F16 restores files whatever they are called, and says so on one line each', async function () {
    if (process.platform === 'win32') this.skip();
    const names = [
      'ws/a.ts',
      'ws/ws/b.ts',
      'a:b',
      'what?',
      'end.',
      'x~1.txt',
      'con',
      'a\\b',
      'line\nbreak',
      'r\u202etl',
      '~/x',
    ];
    for (const name of names) {
      await writeFiles(root, { [name]: 'before' });
      await change('t1', name, undefined);
    }
    for (const folder of ['ws', '~']) await rm(path.join(root, folder), { recursive: true });
    const shown = names.map((name) => name.replace('\n', '⟦U+000A⟧').replace('\u202e', '⟦U+202E⟧'));
    assert.deepEqual(
      states(await files(['t1'])),
      shown.map((name) => `${name} ready`),
    );
    const { restored, left } = await checkpoints.restore(['t1'], async () => 'unchanged');
    assert.deepEqual({ restored, left }, { restored: shown, left: [] });
    for (const name of names) assert.equal(await text(name), 'before');
  });

  it('F16 restores the others when a folder is where a file was', async () => {
    await change('t1', 'a.ts', 'a1');
    await change('t1', 'b.ts', 'b1');
    await rm(path.join(root, 'a.ts'));
    await mkdir(path.join(root, 'a.ts'));
    assert.deepEqual(states(await files(['t1'])), ['a.ts lost', 'b.ts ready']);
    const { restored, left } = await checkpoints.restore(['t1'], async () => 'all');
    assert.deepEqual({ restored, left }, { restored: ['b.ts'], left: ['a.ts'] });
  });

  for (const [how, harm] of Object.entries({
    'came to harm': (line: string) => line.replace('a.ts', 'a.xx'),
    'is of a later version': () => encodeLine(JSON.stringify({ type: 'dreamed', turnId: 't1' }), 'd').toString(),
    'is gone': () => '',
  })) {
    it(`E04 E09 F16 a file whose line ${how} is told as lost, and the others are restored`, async () => {
      await change('t1', 'a.ts', 'a1');
      await change('t1', 'b.ts', 'b1');
      await checkpoints.close();
      const manifest = path.join(temp.path, 'checkpoints/manifest.jsonl');
      const lines = (await readFile(manifest, 'utf8')).split(/(?<=\n)/);
      await writeFile(manifest, lines.map((line) => (line.includes('a.ts') ? harm(line) : line)).join(''));
      checkpoints = open();
      const told = ['a.ts', 'b.ts'];
      assert.deepEqual(states(await files(['t1'], told)), ['b.ts ready', 'a.ts lost']);
      const { restored, left } = await checkpoints.restore(['t1'], async () => 'all', told);
      assert.deepEqual({ restored, left }, { restored: ['b.ts'], left: ['a.ts'] });
    });
  }

  it('E19 only the user can read what is kept', async function () {
    onlyPosix.call(this);
    await change('t1', 'a.ts', 'a1');
    const mode = (await stat(path.join(temp.path, 'checkpoints/manifest.jsonl'))).mode & 0o777;
    assert.equal(mode, 0o600);
  });
});
