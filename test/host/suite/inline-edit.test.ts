import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ChatRequest, StreamResult } from '../../../src/service/contract.ts';
import type { Attempt } from '../../../src/shared/messages.ts';
import type { MeterContext } from '../../../src/spend/ledger-entry.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edit-store.ts';
import { createInlineEdit } from '../../../src/vscode/inline-edit.ts';
import { undoFiles } from '../../../src/vscode/undo-files.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const attempt: Attempt = {
  requestId: 'r1',
  model: 'm',
  startedAt: 0,
  durationMs: 1,
  outcome: 'complete',
  usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1000, estimated: false },
  charge: 'yes',
};

/** The inline edit in the real editor, with a model that answers what the test says. */
describe('an inline edit', () => {
  const text = 'one\ntwo\nthree\nfour\nfive\n';
  let store: EditStore;
  let edit: ReturnType<typeof createInlineEdit>;
  let document: vscode.TextDocument;
  let requests: ChatRequest[] = [];
  let contexts: MeterContext[] = [];
  let answer: (
    signal: AbortSignal,
  ) => Promise<Partial<Extract<StreamResult, { outcome: 'done' }>['reply']> | 'stopped'>;
  let warnings: string[] = [];
  let restore: () => void;

  beforeEach(async () => {
    [requests, contexts, warnings] = [[], [], []];
    const known = vscode.window.showWarningMessage;
    Reflect.set(vscode.window, 'showWarningMessage', async (message: string) => void warnings.push(message));
    restore = () => void Reflect.set(vscode.window, 'showWarningMessage', known);
    store = await createEditStore({ file: undefined, onError: assert.fail });
    const stream = async (request: ChatRequest, _onEvent: unknown, signal: AbortSignal): Promise<StreamResult> => {
      requests.push(request);
      const reply = {
        requestedModel: 'm',
        model: 'm',
        text: '',
        reasoning: '',
        toolCalls: [],
        finish: 'stop' as const,
        evidence: 'finish' as const,
        damagedEvents: 0,
        toolMarkup: false,
      };
      const given = await answer(signal);
      if (given === 'stopped') return { outcome: 'stopped', reply, attempts: [] };
      return { outcome: 'done', reply: { ...reply, ...given }, attempts: [attempt] };
    };
    edit = createInlineEdit({
      metered: (context) => {
        contexts.push(context);
        const unused = () => assert.fail('only streams');
        return { stream, complete: unused, listModels: unused, checkKey: unused };
      },
      estimator: { prompt: () => ({ tokens: 1 }) },
      model: () => 'm',
      pickModel: async () => undefined,
      request: () => ({}),
      nameOf: (model) => model,
      ensureReady: async () => true,
      pending: store,
      onDidChangePending: store.onDidChange,
      outline: async () => [{ line: 2, endLine: 4 }],
      history: { get: () => [], add: () => undefined },
    });
    document = await vscode.workspace.openTextDocument({ content: text, language: 'plaintext' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(2, 0, 2, 0);
  });
  afterEach(() => {
    restore();
    edit.dispose();
    store.dispose();
  });

  const start = async (instruction: string) => edit.commands['svc.inlineEdit']({ instruction });
  const type = async (line: number, added: string) => {
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(line, 0), added);
    assert.ok(await vscode.workspace.applyEdit(change));
  };
  const fenced = (lines: string) => ({ text: `\`\`\`\n${lines}\n\`\`\`` });

  it('F23 replaces the enclosing symbol, is pending, and goes back with Undo; its surface is inline', async () => {
    answer = async () => fenced('2\n3\n4');
    await start('As digits');
    assert.equal(document.getText(), 'one\n2\n3\n4\nfive\n');
    assert.equal(store.hunks(document.uri).length, 1);
    assert.deepEqual(contexts, [{ surface: 'inline' }]);
    assert.equal(requests[0]?.surface, 'inline');
    await undoFiles(store, [document.uri]);
    assert.equal(document.getText(), text);
    assert.equal(store.hunks(document.uri).length, 0);
  });

  it('F23 is one step for the Undo of the editor', async () => {
    answer = async () => fenced('2\n3\n4');
    await start('As digits');
    await vscode.commands.executeCommand('undo');
    await waitFor('the text of before', () => document.getText() === text);
  });

  it('F23 lands in its lines when others were changed meanwhile', async () => {
    answer = async () => {
      await type(0, 'zero\n');
      return fenced('2\n3\n4');
    };
    await start('As digits');
    assert.equal(document.getText(), 'zero\none\n2\n3\n4\nfive\n');
  });

  it('F23 is refused when its own lines were changed meanwhile; nothing is overwritten', async () => {
    answer = async () => {
      await type(2, 'mine ');
      return fenced('2\n3\n4');
    };
    await start('As digits');
    assert.equal(document.getText(), 'one\ntwo\nmine three\nfour\nfive\n');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /nothing was replaced/);
    assert.equal(store.hunks(document.uri).length, 0);
  });

  it('F23 W39 is refused when the answer is cut, damaged or only words', async () => {
    for (const reply of [
      { ...fenced('2'), finish: 'length' as const },
      { ...fenced('2'), evidence: 'none' as const },
      { ...fenced('2'), damagedEvents: 1 },
      { text: 'I would not.' },
    ]) {
      answer = async () => reply;
      await start('As digits');
    }
    assert.equal(document.getText(), text);
    assert.equal(warnings.length, 4);
  });

  it('F23 keeps the end of the last line as it was', async () => {
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(4, 0, 4, 4);
    answer = async () => fenced('5');
    await start('As digits');
    assert.equal(document.getText(), 'one\ntwo\nthree\nfour\n5\n');
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    answer = async () => fenced('6');
    await start('And the next');
    assert.match(document.getText(), /\n6$/);
  });

  it('F26 edits a cell of a notebook, which is named by its place in it', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'a = 1\nb = 2', 'python');
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    await vscode.window.showNotebookDocument(notebook);
    document = notebook.cellAt(0).document;
    await waitFor('the cell to be the editor in front', async () => {
      await vscode.commands.executeCommand('notebook.cell.edit');
      return vscode.window.activeTextEditor?.document === document;
    });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(1, 0, 1, 5);
    answer = async () => fenced('b = 3');
    await start('Three');
    assert.equal(document.getText(), 'a = 1\nb = 3');
    assert.match(JSON.stringify(requests[0]?.messages), /File: [^,]+, cell 1 \(python\)/);
    await undoFiles(store, [document.uri]);
    assert.equal(document.getText(), 'a = 1\nb = 2');
  });

  it('F23 stops, and changes and says nothing', async () => {
    answer = (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('stopped'));
        void edit.commands['svc.stopInlineEdit']();
      });
    await start('As digits');
    assert.equal(document.getText(), text);
    assert.deepEqual(warnings, []);
  });

  it('F23 Retry asks about what stood there first and replaces what came; Undo still goes back to the beginning', async () => {
    answer = async () => fenced('2\n3\n4');
    await start('As digits');
    answer = async () => fenced('II\nIII\nIV\n');
    await edit.commands['svc.retryInlineEdit']();
    assert.equal(document.getText(), 'one\nII\nIII\nIV\n\nfive\n');
    assert.match(JSON.stringify(requests[1]?.messages), /two\\\\?nthree/);
    await undoFiles(store, [document.uri]);
    assert.equal(document.getText(), text);
  });
});
