import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { anchorAt } from '../../../src/features/review-comments/core/anchor.ts';
import { type CommentStore, createCommentStore } from '../../../src/features/review-comments/core/comment-store.ts';
import { createCommentThreads } from '../../../src/features/review-comments/vscode/comment-threads.ts';

const text = Array.from({ length: 30 }, (_, at) => `line(${at});`).join('\n');

/** Threads in the real editor; what is undecided is what the test says. */
describe('comments on lines as threads', () => {
  let store: CommentStore;
  let threads: ReturnType<typeof createCommentThreads>;
  let editor: vscode.TextEditor;
  let asked: string[];
  let undecided: number[];
  let decided: vscode.EventEmitter<void>;

  beforeEach(async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: text });
    editor = await vscode.window.showTextDocument(document);
    [asked, undecided] = [[], []];
    decided = new vscode.EventEmitter();
    store = createCommentStore(undefined, () => undefined);
    threads = createCommentThreads({
      store,
      pending: {
        hunks: () =>
          undecided.map((line) => ({
            before: { start: line, count: 1 },
            after: { start: line, count: 1 },
            origins: [{ conversationId: 'k1', callId: 'x' }],
            removed: [],
            isMixed: false,
          })),
        onDidChange: decided.event,
      },
      ask: async (prompt) => void asked.push(prompt),
      conversationId: () => 'k1',
    });
    const lines = text.split('\n');
    for (const line of [5, 12])
      store.add({ uri: document.uri.toString(), path: 'a.ts', anchor: anchorAt(lines, line, 1), text: `at ${line}` });
  });
  afterEach(async () => {
    threads.dispose();
    decided.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('F33 are sent once, with their lines as they were typed meanwhile', async () => {
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), 'first();\n');
      edit.insert(new vscode.Position(12, 0), 'x');
    });
    await threads.commands['svc.sendComments']();
    assert.equal(asked.length, 1);
    assert.match(
      asked[0] ?? '',
      /c1 a\.ts:7\n```\nline\(5\);\n```\nat 5\n\nc2 a\.ts:14\n```\nxline\(12\);\n```\nat 12$/,
    );
    await threads.commands['svc.sendComments']();
    assert.equal(asked.length, 1);
  });

  it('F33 are resolved when the edits of their conversation in their lines are kept, not when they are undone', async () => {
    await threads.commands['svc.sendComments']();
    assert.ok(await editor.edit((edit) => edit.replace(new vscode.Range(5, 0, 5, 8), 'better();')));
    undecided = [5];
    decided.fire();
    assert.deepEqual(
      store.all().map(({ isChanged }) => isChanged),
      [true, undefined],
    );
    undecided = [];
    decided.fire();
    assert.deepEqual(
      store.all().map(({ isResolved }) => isResolved),
      [true, undefined],
    );
  });

  it('F33 X37 an argument that is none of our threads means the comment at the cursor, and nothing elsewhere', async () => {
    const foreign = { uri: editor.document.uri, range: new vscode.Range(5, 0, 5, 0), comments: [] };
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await threads.commands['svc.discardComment'](foreign);
    assert.equal(store.all().length, 2);
    editor.selection = new vscode.Selection(12, 0, 12, 0);
    await threads.commands['svc.discardComment'](foreign);
    assert.deepEqual(
      store.all().map(({ id }) => id),
      ['c1'],
    );
  });
});
