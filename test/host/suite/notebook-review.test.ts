import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { EditPort } from '../../../src/edits/apply/edit-ports.ts';
import { openStateFile } from '../../../src/storage/state-file.ts';
import { storedProposal } from '../../../src/vscode/edits/edit-proposals.ts';
import { createEditReview, type EditReview } from '../../../src/vscode/edits/edit-review.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { createFileWriter } from '../../../src/vscode/edits/file-writer.ts';
import { placeOf } from '../../../src/vscode/workspace/place-uri.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const cells = [
  { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['a = 1\n', 'b = 2'] },
  { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
  { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['print(a)'] },
];
const notebook = { nbformat: 4, nbformat_minor: 4, metadata: { language_info: { name: 'python' } }, cells };

/** As a program, Jupyter, and nobody in particular write it: none of them is as VS Code would. */
const layouts = {
  'one line': JSON.stringify(notebook),
  Jupyter: `${JSON.stringify({ cells, metadata: notebook.metadata, nbformat: 4, nbformat_minor: 4 }, undefined, 1)}\n`,
  'its own order of keys': JSON.stringify(notebook, undefined, 4),
};

/** Edits of a notebook that the editor shows as one. */
describe('a notebook under review', () => {
  const chat = 'chat';
  let folder: string;
  let uri: vscode.Uri;
  let store: EditStore;
  let review: EditReview;
  let port: EditPort;
  let warnings: string[] = [];
  let answer: string | undefined;
  let turn = 0;
  let restore: () => void;

  const { workspace } = createWorkspace();
  const onDisk = () => readFile(uri.fsPath, 'utf8');
  const rows = () => review.files(chat).map(({ added, removed }) => [added, removed]);

  const open = async (json: string) => {
    await writeFile(uri.fsPath, json);
    const book = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(book);
    return book;
  };
  /** What edit_file does with the file. */
  const agentEdits = async (search: string, replace: string) => {
    const before = await onDisk();
    assert.ok(before.includes(search));
    const place = placeOf(workspace, uri);
    assert.ok(place);
    const after = before.replace(search, replace);
    const format = { encoding: 'utf8', mark: false };
    const change = { kind: 'write', place, before, after, format, decided: false } as const;
    await port.apply(change, { turnId: 't', callId: randomUUID() });
    return { before, after };
  };
  const shows = async (book: vscode.NotebookDocument, cell: number, text: string) =>
    waitFor(`cell ${cell} to say ${text}`, async () => book.cellAt(cell).document.getText() === text);
  const typeInto = async (book: vscode.NotebookDocument, cell: number, text: string) => {
    const change = new vscode.WorkspaceEdit();
    change.insert(book.cellAt(cell).document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(change));
  };

  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.notEqual(root, '');
    folder = path.join(root, `notebooks-${++turn}`);
    await mkdir(folder, { recursive: true });
    uri = vscode.Uri.file(path.join(folder, 'n.ipynb'));
    store = await createEditStore({ file: undefined, onError: assert.ifError });
    review = createEditReview({
      store,
      codec: workspace.codec,
      setContext: () => undefined,
      conversationAtHand: () => chat,
      titleOf: () => undefined,
      aroundUndo: (_uris, undo) => undo(),
      proposals: {
        storage: await openStateFile({ file: undefined, onError: assert.ifError }, storedProposal),
        keepExpired: () => assert.fail('no proposals'),
      },
      schemePrefix: `svc-notebook-${randomUUID().slice(0, 8)}`,
    });
    port = createFileWriter(workspace, store).portFor(chat);
    warnings = [];
    answer = undefined;
    const known = vscode.window.showWarningMessage;
    const reportedMs = async (message: string) => {
      warnings.push(message);
      return answer;
    };
    Reflect.set(vscode.window, 'showWarningMessage', reportedMs);
    restore = () => void Reflect.set(vscode.window, 'showWarningMessage', known);
  });
  afterEach(async () => {
    restore();
    review.dispose();
    store.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const [name, json] of Object.entries(layouts)) {
    it(`F26 an agent’s edit of one line is one line, and Undo gives back every byte of a file in ${name}`, async () => {
      const book = await open(json);
      const { after } = await agentEdits('b = 2', 'b = 3');
      assert.equal(await onDisk(), after);
      await shows(book, 0, 'a = 1\nb = 3');
      assert.deepEqual(rows(), [[1, 1]]);
      await review.decideAll('undoAll', chat);
      await shows(book, 0, 'a = 1\nb = 2');
      assert.equal(await onDisk(), json);
      assert.equal(book.isDirty, false);
      assert.deepEqual([rows(), warnings], [[], []]);
    });
  }

  it('F26 Undo leaves cells that the user changed and saved since, in the layout that the editor gave the file', async () => {
    const book = await open(layouts['one line']);
    await agentEdits('b = 2', 'b = 3');
    await shows(book, 0, 'a = 1\nb = 3');
    await typeInto(book, 2, '# mine\n');
    assert.ok(await book.save());
    const saved = await onDisk();
    assert.ok(saved.split('\n').length > 20);
    await waitFor('the row to be one line still', async () => JSON.stringify(rows()) === '[[1,1]]');
    await review.decideAll('undoAll', chat);
    await shows(book, 0, 'a = 1\nb = 2');
    assert.equal(await onDisk(), saved.replace('b = 3', 'b = 2'));
    assert.deepEqual([rows(), warnings], [[], []]);
  });

  it('F26 a notebook that was rewritten on the disk after an inline edit and its Undo is edited and undone like any other', async () => {
    const book = await open(layouts['one line']);
    const { document } = book.cellAt(0);
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, document.lineAt(1).range, 'b = 9');
    const reportedMs = store.begin({
      uri: document.uri,
      path: 'n.ipynb, cell 1',
      before: document.getText(),
      after: 'a = 1\nb = 9',
      by: { callId: 'inline' },
    });
    assert.ok(await vscode.workspace.applyEdit(change));
    reportedMs.commit();
    assert.ok(await book.save());
    await review.decideAll('undoAll', undefined);
    assert.equal(document.getText(), 'a = 1\nb = 2');
    assert.equal(book.isDirty, false);
    assert.deepEqual(warnings, []);
    const rewritten = layouts['its own order of keys'].replace('# Title', '# Other');
    await writeFile(uri.fsPath, rewritten);
    await shows(book, 1, '# Other');
    await agentEdits('print(a)', 'print(b)');
    await shows(book, 2, 'print(b)');
    assert.deepEqual(rows(), [[1, 1]]);
    await review.decideAll('undoAll', chat);
    await shows(book, 2, 'print(a)');
    assert.equal(await onDisk(), rewritten);
    assert.deepEqual(warnings, []);
  });

  it('F26 Undo waits for cells that are not saved, and says so', async () => {
    const book = await open(layouts.Jupyter);
    await agentEdits('b = 2', 'b = 3');
    await shows(book, 0, 'a = 1\nb = 3');
    await typeInto(book, 2, '# mine\n');
    const saved = await onDisk();
    await review.decideAll('undoAll', chat);
    assert.deepEqual(warnings, [
      `Not undone because cells have unsaved changes: ${vscode.workspace.asRelativePath(uri)}`,
    ]);
    assert.equal(await onDisk(), saved);
    answer = 'Save and Undo';
    await review.decideAll('undoAll', chat);
    await shows(book, 0, 'a = 1\nb = 2');
    assert.equal(book.cellAt(2).document.getText(), '# mine\nprint(a)');
    assert.deepEqual(rows(), []);
  });

  it('F26 a new cell goes with Undo, and a deleted one comes back with its output', async () => {
    const output = { name: 'stdout', output_type: 'stream', text: ['1\n'] };
    const json = layouts.Jupyter.replace('"outputs": []', `"outputs": [${JSON.stringify(output)}]`);
    const book = await open(json);
    const [first, title] = ['  {\n   "cell_type": "code"', '  {\n   "cell_type": "markdown"'].map((head) =>
      json.indexOf(head),
    );
    await agentEdits(
      json.slice(first, title),
      '  {\n   "cell_type": "code",\n   "metadata": {},\n   "source": ["new()"]\n  },\n',
    );
    await shows(book, 0, 'new()');
    await review.decideAll('undoAll', chat);
    await shows(book, 0, 'a = 1\nb = 2');
    assert.equal(await onDisk(), json);
    assert.equal(book.cellAt(0).outputs.length, 1);
  });
});
