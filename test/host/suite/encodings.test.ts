import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ToolError } from '../../../src/agent/tool.ts';
import { createReadTracker } from '../../../src/edits/apply/read-tracker.ts';
import { createTextWork } from '../../../src/edits/apply/text-work.ts';
import { type Checkpoints, createCheckpoints } from '../../../src/edits/checkpoints/checkpoints.ts';
import { createWalkSearch } from '../../../src/files/search/walk-search.ts';
import { createEditTools } from '../../../src/tools/all-tools.ts';
import { readFile as readFileTool } from '../../../src/tools/read-file.ts';
import { createFileWriter, type WriteListener, type WrittenFile } from '../../../src/vscode/edits/file-writer.ts';
import { removeEmptyFolders } from '../../../src/vscode/edits/made-folders.ts';
import { openInFormat } from '../../../src/vscode/edits/open-as.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { times } from '../../support/effort.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { encodingLabels } from '../../support/vscode-encodings.ts';
import { waitFor } from '../../vscode/wait-for.ts';

/** Of many scripts; those that an encoding does not have are left out of its texts. */
const signs = [...'aZ 0\\~é§ßøÅłžğşİжЯїіўΩάשםعربไทย日本語ソ表能十漢字한국어中文龍€£½№—…“”あいウ║░─𠀀😀'];

/** An older Node knows some less. */
function isKnownHere(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

const { extensionUri } = vscode.extensions.getExtension('svc.svc-assistant') ?? { extensionUri: vscode.Uri.file('/') };

describe('encodings in the editor', () => {
  let temp: TempDir;
  let root: string;
  let run = 0;
  let turnId = '';
  let checkpoints: Checkpoints;
  let tools: ReturnType<typeof createEditTools> = [];
  let written: WrittenFile[] = [];

  const { workspace, files } = createWorkspace();
  const folder = () => `encodings-${run}`;
  const fileOf = (name: string) => path.join(root, folder(), name);
  const uriOf = (name: string) => vscode.Uri.file(fileOf(name));
  const bytesOf = (name: string) => readFile(fileOf(name));
  const settings = (languageId?: string) =>
    vscode.workspace.getConfiguration('files', languageId === undefined ? undefined : { languageId });
  const set = async (key: string, value: unknown, languageId?: string) => {
    const found = settings(languageId).inspect(key);
    // Each takes a write of the settings file.
    if ((languageId === undefined ? found?.globalValue : found?.globalLanguageValue) === value) return;
    await settings(languageId).update(key, value, vscode.ConfigurationTarget.Global, languageId !== undefined);
  };
  const call = async (name: string, args: { path: string } & Record<string, unknown>) => {
    const tool = [
      ...tools,
      readFileTool.create({ workspace, files, search: { files: async () => undefined, text: async () => [] } }),
    ].find((candidate) => candidate.name === name);
    assert.ok(tool);
    const given = { ...args, path: `${folder()}/${args.path}` };
    const plan = await tool.plan(given, toolContext({ turnId }));
    return plan.run();
  };
  const edit = (name: string, search: string, replace: string) =>
    call('edit_file', { path: name, edits: [{ search, replace }] });
  const undo = async (name: string) => {
    await vscode.window.showTextDocument(uriOf(name));
    await vscode.commands.executeCommand('undo');
    await vscode.workspace.save(uriOf(name));
  };
  const refused = (pattern: RegExp) => (error: unknown) => error instanceof ToolError && pattern.test(error.message);
  const restore = () => checkpoints.restore([turnId], async () => 'all');

  before(() => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.notEqual(root, '');
  });
  beforeEach(async () => {
    run++;
    turnId = `t${run}`;
    written = [];
    temp = await makeTempDir('svc-encodings-');
    await mkdir(path.join(root, folder()), { recursive: true });
    const nothing = () => undefined;
    const unseen = { commit: nothing, abort: nothing };
    const listener: WriteListener = {
      begin(file) {
        written.push(file);
        return unseen;
      },
      beginRename: () => unseen,
      saving: () => nothing,
      decided: nothing,
      restored: nothing,
    };
    const writer = createFileWriter(workspace, listener);
    const dir = path.join(temp.path, 'checkpoints');
    const clock = { epochMs: Date.now };
    checkpoints = createCheckpoints({
      dir,
      workspace,
      shown: ({ path: name }) => name,
      files: writer.files,
      clock,
      newId: randomUUID,
    });
    const editDeps = {
      workspace,
      files,
      port: writer.portFor(undefined),
      policy: { mode: () => 'apply' as const, isProtected: () => false },
      reviewer: { review: async () => Promise.reject(new Error('nothing to review')) },
      journal: checkpoints.journal(() => undefined),
      tracker: createReadTracker(),
      search: createWalkSearch({ workspace, files, regexThread: '' }),
      work: createTextWork(vscode.Uri.joinPath(extensionUri, 'dist/text-thread.js').fsPath),
    };
    tools = createEditTools(editDeps);
  });
  afterEach(async () => {
    await set('autoSave', undefined);
    await set('encoding', undefined);
    await set('encoding', undefined, 'bat');
    await set('autoGuessEncoding', undefined);
    await checkpoints.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(path.join(root, folder()), { recursive: true, force: true });
    await temp.remove();
  });

  it('F37 edits a line in every encoding, leaves all other bytes as they are and takes it back byte for byte', async function () {
    this.timeout(120_000);
    // In `npm test` every fifth.
    const some = Object.entries(encodingLabels).filter((_each, at) => at % times(5, 1) === 0);
    for (const [encoding, label] of some) {
      turnId = encoding;
      const all = signs.join('\n');
      const back = await vscode.workspace.decode(await vscode.workspace.encode(all, { encoding }), { encoding });
      const known = back.split('\n');
      const fitting = signs.filter((sign, index) => known[index] === sign);
      assert.ok(fitting.length > 3, encoding);
      const line = fc.array(fc.constantFrom(...fitting), { maxLength: 12 }).map((all) => all.join(''));
      const [sample] = fc.sample(fc.tuple(fc.array(line, { maxLength: 5 }), line, fc.array(line, { maxLength: 5 })), {
        numRuns: 1,
        seed: 37 + encoding.length,
      });
      assert.ok(sample);
      const [head, fresh, tail] = sample;
      const end = encoding.length % 2 === 0 ? '\n' : '\r\n';
      const name = `${encoding}.txt`;
      const text = (middle: string) => [...head, middle, ...tail, 'last'].join(end);
      const inIt = async (content: string) => Buffer.from(await vscode.workspace.encode(content, { encoding }));
      const original = await inIt(text('what is edited'));
      if (label !== undefined && isKnownHere(label)) {
        assert.equal(new TextDecoder(label).decode(original), text('what is edited'), `${encoding}: the sample itself`);
      }
      await writeFile(fileOf(name), original);
      // As the user reopens a file; the other tests have it from the settings.
      await vscode.workspace.openTextDocument(uriOf(name), { encoding });
      await edit(name, 'what is edited', `now ${fresh}`);
      assert.deepEqual(await bytesOf(name), await inIt(text(`now ${fresh}`)), `${encoding}: edited`);
      const { restored } = await restore();
      assert.ok(restored.includes(`${folder()}/${name}`), encoding);
      assert.deepEqual(await bytesOf(name), original, `${encoding}: restored`);
      const shown = await call('read_file', { path: name });
      assert.match(shown.forModel, /what is edited/, encoding);
      if (!encoding.startsWith('utf8')) {
        assert.ok(
          shown.forModel.includes(encoding.replace(/^utf16(.e)$/, (_all, ends) => `UTF-16${ends.toUpperCase()}`)),
        );
      }
    }
  });

  it("F37 the editor's own Undo gives back the bytes", async () => {
    const samples: [encoding: string, bytes: number[], search: string, replace: string][] = [
      ['shiftjis', [0x95, 0x5c, 0x83, 0x5c, 0x5c, 0x0d, 0x0a, 0x61, 0x0d, 0x0a], 'a', '能'],
      ['gb18030', [0x81, 0x30, 0x89, 0x38, 0x95, 0x32, 0x82, 0x36, 0x0a, 0x61, 0x0a], 'a', '😀'],
      ['euckr', [0xc7, 0xd1, 0x0a, 0x61, 0x0a], 'a', '국'],
      ['windows1251', [0xcf, 0xf0, 0x0a, 0x61, 0x0a], 'a', 'ж'],
      ['iso88591', [0xe9, 0x0a, 0x61, 0x0a], 'a', 'ß'],
    ];
    for (const [encoding, bytes, search, replace] of samples) {
      await set('encoding', encoding);
      const name = `${encoding}.txt`;
      await writeFile(fileOf(name), Buffer.from(bytes));
      await edit(name, search, replace);
      const changed = await bytesOf(name);
      assert.notDeepEqual(changed, Buffer.from(bytes), encoding);
      const at = bytes.lastIndexOf(0x61);
      assert.deepEqual(changed.subarray(0, at), Buffer.from(bytes.slice(0, at)), encoding);
      await undo(name);
      assert.deepEqual(await bytesOf(name), Buffer.from(bytes), encoding);
    }
  });

  it('F37 keeps UTF-16 without a mark as it is, and mixed line ends', async () => {
    const utf16 = Buffer.from('one\r\ntwo é\r\n', 'utf16le');
    await writeFile(fileOf('a.txt'), utf16);
    await edit('a.txt', 'two', '2');
    assert.deepEqual(await bytesOf('a.txt'), Buffer.from('one\r\n2 é\r\n', 'utf16le'));
    await set('encoding', 'windows1251');
    await writeFile(fileOf('b.txt'), Buffer.from([0xcf, 0x0d, 0x0a, 0x61, 0x0a, 0xf0, 0x0d, 0x61]));
    await edit('b.txt', 'a\n', 'ж\n');
    assert.deepEqual(await bytesOf('b.txt'), Buffer.from([0xcf, 0x0d, 0x0a, 0xe6, 0x0a, 0xf0, 0x0d, 0x61]));
    await restore();
    assert.deepEqual(await bytesOf('a.txt'), utf16);
    assert.deepEqual(await bytesOf('b.txt'), Buffer.from([0xcf, 0x0d, 0x0a, 0x61, 0x0a, 0xf0, 0x0d, 0x61]));
  });

  it('F37 writes nothing that the encoding cannot hold, and names it', async () => {
    await set('encoding', 'windows1251');
    const bytes = Buffer.from([0xcf, 0x0a, 0x61, 0x0a]);
    await writeFile(fileOf('a.txt'), bytes);
    await assert.rejects(edit('a.txt', 'a', 'a → b'), refused(/line 2: '→' does not fit windows1251/));
    await assert.rejects(
      call('create_file', { path: 'new.txt', content: '→' }),
      refused(/new\.txt is kept in windows1251: line 1: '→'/),
    );
    assert.deepEqual(await bytesOf('a.txt'), bytes);
    await call('create_file', { path: 'new.txt', content: 'Я' });
    assert.deepEqual(await bytesOf('new.txt'), Buffer.from([0xdf]));
  });

  it('F37 goes by the language, by what the editor guesses, and by what a document is open with', async () => {
    await set('encoding', 'cp866', 'bat');
    await writeFile(fileOf('a.bat'), Buffer.from([0x9f, 0x0a, 0x61, 0x0a]));
    await writeFile(fileOf('a.txt'), 'Я\na\n');
    await edit('a.bat', 'a', 'я');
    assert.deepEqual(await bytesOf('a.bat'), Buffer.from([0x9f, 0x0a, 0xef, 0x0a]));
    await edit('a.txt', 'a', 'я');
    assert.equal((await bytesOf('a.txt')).toString(), 'Я\nя\n');
    await call('create_file', { path: 'new.bat', content: 'Я' });
    assert.deepEqual(await bytesOf('new.bat'), Buffer.from([0x9f]));
    await call('create_file', { path: 'new.txt', content: 'Я' });
    assert.equal((await bytesOf('new.txt')).toString(), 'Я');
    await set('encoding', undefined, 'bat');

    const text = 'Съешь же ещё этих мягких французских булок, да выпей чаю\n'.repeat(20);
    const guessed = Buffer.from(await vscode.workspace.encode(`${text}end`, { encoding: 'windows1251' }));
    await set('autoGuessEncoding', true);
    await writeFile(fileOf('guessed.txt'), guessed);
    // Not every build of the editor can guess: what counts is that the tools read as it does.
    const [asEditor = ''] = (await vscode.workspace.decode(guessed, { uri: uriOf('guessed.txt') })).split('\n');
    assert.ok((await call('read_file', { path: 'guessed.txt' })).forModel.includes(`\n1\t${asEditor}\n`));
    if (asEditor.includes('\ufffd')) {
      await assert.rejects(edit('guessed.txt', 'end', 'конец'), refused(/not valid UTF-8/));
    } else {
      await edit('guessed.txt', 'end', 'конец');
      assert.deepEqual((await bytesOf('guessed.txt')).subarray(0, -5), guessed.subarray(0, -3));
    }
    await set('autoGuessEncoding', undefined);

    await writeFile(fileOf('opened.txt'), Buffer.from([0x88, 0xc0, 0x0a, 0x61, 0x0a]));
    await assert.rejects(
      edit('opened.txt', 'a', 'b'),
      refused(/not valid UTF-8, so an edit would damage it\. The user/),
    );
    await vscode.workspace.openTextDocument(uriOf('opened.txt'), { encoding: 'gbk' });
    const { forModel } = await call('read_file', { path: 'opened.txt' });
    assert.match(forModel, /\(gbk\)/);
    await edit('opened.txt', 'a', '中');
    assert.deepEqual(await bytesOf('opened.txt'), Buffer.from([0x88, 0xc0, 0x0a, 0xd6, 0xd0, 0x0a]));
  });

  it('F37 saves unsaved text in its encoding together with the edit', async () => {
    await set('encoding', 'windows1251');
    await writeFile(fileOf('a.txt'), Buffer.from([0xcf, 0x0a, 0x61, 0x0a]));
    // In a browser the editor saves by itself.
    await set('autoSave', 'off');
    const typing = new vscode.WorkspaceEdit();
    await vscode.workspace.openTextDocument(uriOf('a.txt'));
    typing.insert(uriOf('a.txt'), new vscode.Position(0, 0), 'ж');
    assert.ok(await vscode.workspace.applyEdit(typing));
    // What is set now is for files that are opened from now on.
    await set('encoding', 'koi8r');
    assert.match((await call('read_file', { path: 'a.txt' })).forModel, /unsaved[\s\S]*windows1251[\s\S]*жП/);
    await edit('a.txt', 'a', 'я');
    assert.deepEqual(await bytesOf('a.txt'), Buffer.from([0xe6, 0xcf, 0x0a, 0xff, 0x0a]));
  });

  it('F37 opens a file in the format that it was edited in, whatever the settings say', async () => {
    await writeFile(fileOf('a.txt'), Buffer.from([0xd6, 0xd0, 0x0a]));
    assert.equal((await openInFormat(uriOf('a.txt'), { encoding: 'gbk', mark: false })).getText(), '中\n');
  });

  it('F37 tells of the format of a deleted file, and restores it in it', async () => {
    await set('encoding', 'euckr');
    const bytes = Buffer.from([0xc7, 0xd1, 0x0a]);
    await writeFile(fileOf('a.txt'), bytes);
    await call('delete_file', { path: 'a.txt' });
    assert.deepEqual(written.at(-1)?.before, '한\n');
    assert.deepEqual(written.at(-1)?.format, { encoding: 'euckr', mark: false });
    await restore();
    assert.deepEqual(await bytesOf('a.txt'), bytes);
  });

  it('F16 takes the folders away that were made for a new file, as far as they are empty', async () => {
    await mkdir(path.join(root, folder(), 'was'));
    await call('create_file', { path: 'was/x/y/new.txt', content: 'x' });
    await call('create_file', { path: 'was/z/new.txt', content: 'x' });
    await writeFile(fileOf('was/z/mine.txt'), 'mine');
    assert.deepEqual(
      written[0]?.madeFolders?.map((made) => path.posix.relative(uriOf('').path, vscode.Uri.parse(made).path)),
      ['was/x', 'was/x/y'],
    );
    await restore();
    const isThere = (name: string) => vscode.workspace.fs.stat(uriOf(name)).then(Boolean, () => false);
    assert.deepEqual(await Promise.all(['was', 'was/x', 'was/z', 'was/z/mine.txt', 'was/z/new.txt'].map(isThere)), [
      true,
      false,
      true,
      true,
      false,
    ]);
    await mkdir(path.join(root, folder(), 'a/b'), { recursive: true });
    await removeEmptyFolders([uriOf('a'), uriOf('a/b'), uriOf('was'), uriOf('gone')]);
    assert.deepEqual(await Promise.all(['a', 'was'].map(isThere)), [false, true]);
  });

  it('X06 restores a file also where the editor does not save it', async () => {
    await writeFile(fileOf('a.txt'), 'one\n');
    await edit('a.txt', 'one', 'two');
    const document = await vscode.workspace.openTextDocument(uriOf('a.txt'));
    await set('autoSave', 'off');
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uriOf('a.txt'), new vscode.Position(0, 0), 'mine\n');
    assert.ok(await vscode.workspace.applyEdit(typing));
    await writeFile(fileOf('a.txt'), 'of a program, longer\n');
    const { restored, left } = await restore();
    assert.deepEqual({ restored, left }, { restored: [`${folder()}/a.txt`], left: [] });
    assert.equal((await bytesOf('a.txt')).toString(), 'one\n');
    assert.equal(document.getText(), 'one\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('X06 neither deletes nor renames a file whose unsaved text cannot be saved', async () => {
    await writeFile(fileOf('a.txt'), 'one\n');
    const document = await vscode.workspace.openTextDocument(uriOf('a.txt'));
    // In a browser the editor saves by itself.
    await set('autoSave', 'off');
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uriOf('a.txt'), new vscode.Position(0, 0), 'mine\n');
    assert.ok(await vscode.workspace.applyEdit(typing));
    // A program wrote the file meanwhile: the editor does not save over that without a question.
    await writeFile(fileOf('a.txt'), 'of a program, longer\n');
    await waitFor('the file to be newer', async () => (await bytesOf('a.txt')).toString() !== 'one\n');
    await assert.rejects(call('delete_file', { path: 'a.txt' }), refused(/could not be saved, so it was not deleted/));
    await assert.rejects(
      call('rename_file', { path: 'a.txt', newPath: `${folder()}/b.txt` }),
      refused(/could not be saved, so it was not renamed/),
    );
    assert.equal((await bytesOf('a.txt')).toString(), 'of a program, longer\n');
    assert.equal(document.getText(), 'mine\none\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
