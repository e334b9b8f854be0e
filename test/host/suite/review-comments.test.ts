import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { anchorAt } from '../../../src/features/review-comments/core/anchor.ts';
import { createFindingStore, type FindingStore } from '../../../src/features/review-comments/core/finding-store.ts';
import {
  createFindingThreads,
  type FindingThreads,
} from '../../../src/features/review-comments/vscode/finding-threads.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const text = Array.from({ length: 40 }, (_, at) => `  line(${at});`).join('\n');

/** Threads in the real editor; what is undecided is what the test says. */
describe('findings of a review as comments', () => {
  let store: FindingStore;
  let threads: FindingThreads;
  let editor: vscode.TextEditor;
  let stored: unknown;
  let undecided: { callId: string }[];
  let decided: vscode.EventEmitter<void>;

  beforeEach(async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: text });
    editor = await vscode.window.showTextDocument(document);
    undecided = [];
    decided = new vscode.EventEmitter();
    open(undefined);
    const lines = text.split('\n');
    const finding = (id: string, line: number, more = {}) => {
      const known = { id, uri: document.uri.toString(), path: 'a.ts', anchor: anchorAt(lines, line, 1) };
      return { ...known, severity: 'warning' as const, title: id, why: '![](https://x/?k)', ...more };
    };
    store.add([finding('one', 10, { replacement: ['  better(10);'] }), finding('two', 20)], []);
    threads.refresh();
  });
  afterEach(async () => {
    threads.dispose();
    decided.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  const open = (from: unknown) => {
    store = createFindingStore(from, (all) => {
      stored = all;
    });
    threads = createFindingThreads({
      store,
      pending: {
        hunks: () =>
          undecided.map(({ callId }) => ({
            before: { start: 0, count: 0 },
            after: { start: 0, count: 0 },
            origins: [{ callId }],
            removed: [],
            isMixed: false,
          })),
        begin: ({ by }) => ({ commit: () => void undecided.push(by), abort: () => undefined }),
        onDidChange: decided.event,
      },
    });
  };
  const lineOf = () => editor.selection.active.line;
  /** Where VS Code itself has the next thread below the cursor. */
  const nextThread = async (from: number, wanted: number) => {
    await waitFor(`VS Code's thread at line ${wanted}`, async () => {
      editor.selection = new vscode.Selection(from, 0, from, 0);
      await vscode.commands.executeCommand('editor.action.nextCommentThreadAction');
      return vscode.window.activeTextEditor?.selection.active.line === wanted;
    });
  };

  it('F33 the walk goes from finding to finding and around, and VS Code knows the threads there', async () => {
    await threads.commands['svc.nextFinding']();
    assert.equal(lineOf(), 10);
    await threads.commands['svc.nextFinding']();
    assert.equal(lineOf(), 20);
    await threads.commands['svc.nextFinding']();
    assert.equal(lineOf(), 10);
    await threads.commands['svc.previousFinding']();
    assert.equal(lineOf(), 20);
    await nextThread(0, 10);
  });

  it('F33 threads follow what is typed above them', async () => {
    await editor.edit((edit) => edit.insert(new vscode.Position(3, 0), 'new();\nnew();\n'));
    await threads.commands['svc.nextFinding']();
    assert.equal(lineOf(), 12);
    await nextThread(0, 12);
    await nextThread(13, 22);
  });

  it('F33 Fix writes the stored lines as an edit to be decided; kept it is fixed, undone it is open again', async () => {
    // The window may still tell where the cursor was before, or show what something else opened late.
    await waitFor('the stored lines', async () => {
      editor = await vscode.window.showTextDocument(editor.document);
      editor.selection = new vscode.Selection(10, 0, 10, 0);
      await threads.commands['svc.fixFinding']();
      return editor.document.lineAt(10).text === '  better(10);';
    });
    assert.deepEqual(undecided, [{ callId: 'one' }]);
    // A second Fix finds no lines that it was made for.
    await threads.commands['svc.fixFinding']();
    assert.equal(undecided.length, 1);
    undecided = [];
    await vscode.commands.executeCommand('undo');
    decided.fire();
    await threads.commands['svc.fixFinding']();
    assert.deepEqual(undecided, [{ callId: 'one' }]);
  });

  it('F33 X37 an argument that is none of our threads means the finding at the cursor, and nothing elsewhere', async () => {
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    const foreign = { uri: editor.document.uri, range: new vscode.Range(10, 0, 10, 0), comments: [] };
    await threads.commands['svc.fixFinding'](foreign);
    await threads.commands['svc.dismissFinding'](foreign);
    assert.equal(editor.document.getText(), text);
    assert.equal(store.all().length, 2);
    editor.selection = new vscode.Selection(20, 0, 20, 0);
    await threads.commands['svc.dismissFinding'](foreign);
    assert.deepEqual(
      store.all().map(({ id }) => id),
      ['one'],
    );
  });

  it('F33 after a reload findings are found by their lines again, and what is gone is outdated and not fixed', async () => {
    threads.dispose();
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), 'first();\n');
      edit.replace(new vscode.Range(20, 0, 20, 3), '  x');
    });
    open(stored);
    await threads.commands['svc.nextFinding']();
    assert.equal(lineOf(), 11);
    const [one, two] = store.all();
    assert.ok(one && two);
    assert.deepEqual([store.isOutdated(one.id), store.isOutdated(two.id)], [false, true]);
  });
});
