import assert from 'node:assert/strict';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createWrittenFiles, type WrittenFiles } from '../../../src/edits/apply/later-changes.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createEditBench, type EditBench } from '../tools/node-edit-port.ts';
import { writeFiles } from '../tools/workspace.ts';

describe('edits/later-changes', () => {
  let temp: TempDir;
  let bench: EditBench;
  let written: WrittenFiles;
  const unsaved: Record<string, string> = {};
  const put = (name: string, text: string) => writeFile(path.join(temp.path, name), text);
  /** With the consent of the user. */
  const call = async (name: string, args: object, turnId = 't1') => {
    const tool = bench.tools.find((one) => one.name === name);
    assert.ok(tool);
    return (await tool.plan(args, toolContext({ turnId }))).run();
  };
  const edit = (file: string, search: string, replace: string, turnId?: string) =>
    call('edit_file', { path: file, edits: [{ search, replace }] }, turnId);

  beforeEach(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    delete unsaved['b.txt'];
    bench = createEditBench(temp.path, { unsaved });
    written = createWrittenFiles(bench.deps);
    bench.deps.journal = written.follow(bench.deps.journal);
  });
  afterEach(() => temp.remove());

  it('H18 tells nothing of what is as the model left it, and nothing of files it did not change', async () => {
    await edit('a.txt', 'one', '1');
    await put('b.txt', 'of the user\n');
    assert.equal(await written.take(), undefined);
  });

  it('H18 tells once what was taken back, and what was changed again, also without saving', async () => {
    await edit('a.txt', 'one', '1');
    await edit('b.txt', 'b', 'B');
    await put('a.txt', 'one\ntwo\n');
    await put('b.txt', 'B\nmore\n');
    assert.deepEqual(await written.peek(), { undone: ['a.txt'], changed: ['b.txt'] });
    assert.deepEqual(await written.take(), { undone: ['a.txt'], changed: ['b.txt'] });
    assert.equal(await written.peek(), undefined);
    assert.equal(await written.take(), undefined);
    unsaved['b.txt'] = 'B\nmore and more\n';
    assert.deepEqual(await written.take(), { undone: [], changed: ['b.txt'] });
  });

  it('H18 a turn that was taken back is one, whatever was kept of those before it', async () => {
    await edit('a.txt', 'one', '1');
    await edit('a.txt', 'two', '2', 't2');
    await edit('a.txt', '2', 'II', 't2');
    await put('a.txt', '1\ntwo\n');
    assert.deepEqual(await written.take(), { undone: ['a.txt'], changed: [] });
  });

  it('H18 knows files that were created, deleted and renamed', async () => {
    await call('create_file', { path: 'new.txt', content: 'new\n' });
    await call('delete_file', { path: 'b.txt' });
    await call('rename_file', { path: 'c.txt', newPath: 'd.txt' });
    assert.equal(await written.take(), undefined);
    await rm(path.join(temp.path, 'new.txt'));
    await put('b.txt', 'b\n');
    await rm(path.join(temp.path, 'd.txt'));
    await put('c.txt', 'c\n');
    const later = await written.take();
    assert.deepEqual(later?.undone.toSorted(), ['b.txt', 'c.txt', 'd.txt', 'new.txt']);
    assert.deepEqual(later?.changed, []);
  });

  it('H18 tells when what was taken back is there again, and nothing of what the user does in between', async () => {
    await edit('a.txt', 'one', '1');
    await put('a.txt', 'one\ntwo\n');
    assert.deepEqual(await written.take(), { undone: ['a.txt'], changed: [] });
    await put('a.txt', 'one\ntwo\nthree\n');
    assert.equal(await written.take(), undefined);
    await put('a.txt', '1\ntwo\n');
    assert.deepEqual(await written.take(), { undone: [], changed: ['a.txt'] });
    assert.equal(await written.take(), undefined);
    await put('a.txt', 'one\ntwo\n');
    assert.deepEqual(await written.take(), { undone: ['a.txt'], changed: [] });
  });

  it('H18 X33 reads nothing that can only be otherwise: a huge file, or what is no file', async () => {
    const { workspace, files, journal } = bench.deps;
    written = createWrittenFiles({ workspace, files: { ...files, read: () => assert.fail('read') } });
    bench.deps.journal = written.follow(journal);
    await edit('a.txt', 'one', '1');
    await edit('b.txt', 'b', 'B');
    await rm(path.join(temp.path, 'a.txt'));
    await mkdir(path.join(temp.path, 'a.txt'));
    await truncate(path.join(temp.path, 'b.txt'), 11 * 1024 * 1024);
    assert.deepEqual(await written.take(), { undone: [], changed: ['a.txt', 'b.txt'] });
    assert.equal(await written.take(), undefined);
  });
});
