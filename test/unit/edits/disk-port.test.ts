import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ToolError } from '../../../src/agent/tool.ts';
import { createDiskPort } from '../../../src/edits/apply/disk-port.ts';
import type { FileChange } from '../../../src/edits/apply/edit-ports.ts';
import { encodeFile } from '../../../src/files/file-text.ts';
import type { Place } from '../../../src/files/workspace.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

const codec = createNodeCodec();
const utf8 = { encoding: 'utf8', mark: false };
const formats = [
  utf8,
  { encoding: 'utf8', mark: true },
  { encoding: 'utf16le', mark: true },
  { encoding: 'utf16be', mark: true },
  { encoding: 'windows1252', mark: false },
];

interface Bench {
  folder: string;
  place(name: string): Place;
  write(name: string, before: string | undefined, after: string, format?: typeof utf8): FileChange;
  apply(change: FileChange): Promise<unknown>;
  isWritable(name: string): Promise<boolean>;
  /** All files, as text. */
  files(): Promise<Record<string, string>>;
  /** Rejects with what the model is told, and has changed nothing. */
  refused(change: FileChange, words: RegExp): Promise<void>;
}

async function withPort(unsaved: Record<string, string>, use: (bench: Bench) => Promise<void>): Promise<void> {
  await withTempDir(async (folder) => {
    const { workspace } = openFolders({ ws: folder }, { unsaved, codec });
    const root = workspace.roots()[0] ?? assert.fail();
    const port = createDiskPort(workspace);
    const place = (name: string) => ({ root, path: name });
    const files = async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const names = entries.map((entry) => path.join(entry.parentPath, entry.name));
      const texts = names.map(async (name, at) => [
        path.relative(folder, name).replaceAll(path.sep, '/'),
        entries[at]?.isFile() ? await readFile(name, 'utf8') : '/',
      ]);
      return Object.fromEntries(await Promise.all(texts));
    };
    const apply = (change: FileChange) => port.apply(change, { turnId: 't', callId: 'c' });
    await use({
      ...{ folder, place, files, apply },
      write: (name, before, after, format = utf8) => ({
        ...{ kind: 'write', place: place(name), after, format, decided: false },
        ...(before !== undefined && { before }),
      }),
      isWritable: (name) => port.isWritable(place(name)),
      async refused(change, words) {
        const was = await files();
        await assert.rejects(apply(change), (error) => error instanceof ToolError && words.test(error.message));
        assert.deepEqual(await files(), was);
      },
    });
  });
}

describe('the port to a folder that nobody looks at', () => {
  it('F39 writes a text in the encoding of its file, with its mark and its line ends', async () => {
    await withPort({}, async ({ folder, write, apply, files }) => {
      for (const [at, format] of formats.entries()) {
        const [before, after] = ['é\r\nold\n', 'é\r\nnew\n'];
        const name = `${at}.txt`;
        await writeFiles(folder, { [name]: await encodeFile(codec, before, format) });
        assert.deepEqual(await apply(write(name, before, after, format)), {});
        assert.deepEqual(
          await readFile(path.join(folder, name)),
          Buffer.from(await encodeFile(codec, after, format)),
          JSON.stringify(format),
        );
      }
      assert.equal(Object.keys(await files()).length, formats.length);
    });
  });

  it('F39 leaves a program one that can be run', async function () {
    if (process.platform === 'win32') return this.skip();
    await withPort({}, async ({ folder, write, apply }) => {
      await writeFiles(folder, { 'run.sh': 'a' });
      // More than the process lets new files have.
      await chmod(path.join(folder, 'run.sh'), 0o777);
      await apply(write('run.sh', 'a', 'b'));
      const { mode } = await stat(path.join(folder, 'run.sh'));
      assert.equal(mode & 0o777, 0o777);
    });
  });

  it('F39 gives whoever reads meanwhile the old text or the new one', async function () {
    if (process.platform === 'win32') return this.skip();
    await withPort({}, async ({ folder, write, apply }) => {
      await writeFiles(folder, { 'a.txt': 'old' });
      const was = await stat(path.join(folder, 'a.txt'));
      await apply(write('a.txt', 'old', 'new'));
      assert.notEqual((await stat(path.join(folder, 'a.txt'))).ino, was.ino);
    });
  });

  it('F39 changes nothing where the bytes are not those of the text that was seen', async () => {
    await withPort({}, async ({ folder, place, write, refused }) => {
      const marked = { encoding: 'utf8', mark: true };
      await writeFiles(folder, { 'a.txt': 'seen\r\n', 'dir/b.txt': 'x' });
      for (const [before, format] of [
        ['other\r\n', utf8],
        ['seen\n', utf8],
        ['seen\r\n', marked],
      ] as const) {
        await refused(write('a.txt', before, 'new', format), /^a\.txt changed since/);
        await refused({ kind: 'delete', place: place('a.txt'), before, format }, /^a\.txt changed since/);
      }
    });
  });

  it('F39 changes nothing where text is not saved, on either side of a rename', async () => {
    const unsaved = { 'a.txt': 'typed', 'new.txt': 'typed' };
    await withPort(unsaved, async ({ folder, place, write, refused }) => {
      await writeFiles(folder, { 'a.txt': 'a', 'b.txt': 'b' });
      const words = /is open in an editor with unsaved changes/;
      await refused(write('a.txt', 'a', 'new'), words);
      await refused(write('new.txt', undefined, 'new'), words);
      await refused({ kind: 'delete', place: place('a.txt'), before: 'a', format: utf8 }, words);
      await refused({ kind: 'delete', place: place('a.txt') }, words);
      await refused({ kind: 'rename', place: place('a.txt'), to: place('c.txt') }, words);
      await refused({ kind: 'rename', place: place('b.txt'), to: place('new.txt') }, words);
    });
  });

  it('F39 makes new files and moves files with the folders they need, and never over what is there', async () => {
    await withPort({}, async ({ folder, place, write, apply, files, refused }) => {
      await writeFiles(folder, { 'a.txt': 'a', 'b.txt': 'b' });
      await apply(write('x/y/new.txt', undefined, 'new'));
      await apply({ kind: 'rename', place: place('a.txt'), to: place('p/q/a.txt') });
      const made = await files();
      assert.deepEqual([made['x/y/new.txt'], made['p/q/a.txt'], made['a.txt']], ['new', 'a', undefined]);
      const there = /is there already/;
      await refused(write('b.txt', undefined, 'new'), there);
      await refused(write('x', undefined, 'new'), there);
      await refused({ kind: 'rename', place: place('p/q/a.txt'), to: place('b.txt') }, there);
      await refused({ kind: 'rename', place: place('p/q/a.txt'), to: place('x/y') }, there);
      if (process.platform === 'win32') return;
      await symlink(path.join(folder, 'nowhere'), path.join(folder, 'link'));
      await refused(write('link', undefined, 'new'), there);
      await refused({ kind: 'rename', place: place('b.txt'), to: place('link') }, there);
    });
  });

  it('F39 deletes what was seen, and what is no text without looking', async () => {
    await withPort({}, async ({ folder, place, apply, files }) => {
      await writeFiles(folder, { 'a.txt': 'a', 'b.bin': Uint8Array.of(0, 255) });
      await apply({ kind: 'delete', place: place('a.txt'), before: 'a', format: utf8 });
      await apply({ kind: 'delete', place: place('b.bin') });
      assert.deepEqual(await files(), {});
    });
  });

  it('F39 says what cannot be done as what the model is told', async () => {
    await withPort({}, async ({ folder, place, write, refused }) => {
      await writeFiles(folder, { 'a.txt': 'a', 'dir/b.txt': 'b' });
      const words =
        /^(gone|dir|a)\S* cannot be changed \((ENOENT|ENOTDIR|EEXIST|EISDIR|EPERM)\)\. Nothing was changed\.$/;
      await refused(write('gone.txt', 'a', 'new'), words);
      await refused({ kind: 'delete', place: place('gone.txt') }, words);
      await refused({ kind: 'rename', place: place('gone.txt'), to: place('new/b.txt') }, words);
      await refused({ kind: 'delete', place: place('dir') }, words);
      await refused(write('a.txt/new.txt', undefined, 'new'), words);
      await refused({ kind: 'rename', place: place('dir/b.txt'), to: place('a.txt/b.txt') }, words);
    });
  });

  it('F39 touches no other file, whatever it is called', async () => {
    await withPort({}, async ({ folder, write, apply, files }) => {
      await writeFiles(folder, { 'a.txt': 'a', 'a.txt.svc-new': 'mine', 'a.txt.tmp': 'mine' });
      await apply(write('a.txt', 'a', 'b'));
      assert.deepEqual(await files(), { 'a.txt': 'b', 'a.txt.svc-new': 'mine', 'a.txt.tmp': 'mine' });
    });
  });

  it('F39 leaves nothing behind when the last step fails', async () => {
    await withPort({}, async ({ folder, write, apply, files, place }) => {
      await writeFiles(folder, { 'a.txt': 'a' });
      const port = createDiskPort({
        unsavedText: () => undefined,
        codec: {
          ...codec,
          // Between the comparison and the write the file gives way to a folder.
          async encode(text) {
            if (text === 'b') {
              await rm(path.join(folder, 'a.txt'));
              await mkdir(path.join(folder, 'a.txt'));
            }
            return Buffer.from(text);
          },
        },
      });
      const change = write('a.txt', 'a', 'b', { encoding: 'windows1252', mark: false });
      await assert.rejects(port.apply(change, { turnId: 't', callId: 'c' }), ToolError);
      assert.deepEqual(await files(), { 'a.txt': '/' });
      await assert.rejects(apply({ kind: 'delete', place: place('a.txt') }), ToolError);
    });
  });

  it('F39 knows which files take no writes', async () => {
    await withPort({}, async ({ folder, isWritable }) => {
      await writeFiles(folder, { 'a.txt': 'a', 'b.txt': 'b' });
      await chmod(path.join(folder, 'b.txt'), 0o444);
      assert.deepEqual([await isWritable('a.txt'), await isWritable('b.txt')], [true, false]);
      await writeFile(path.join(folder, 'a.txt'), 'still');
    });
  });
});
