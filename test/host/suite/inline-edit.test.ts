import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { defineTool, type Tool } from '../../../src/agent/tool.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { NamedText } from '../../../src/features/inline/core/edit-request.ts';
import { beginInstruction } from '../../../src/features/inline/vscode/begun-instruction.ts';
import { createInlineEdit } from '../../../src/features/inline/vscode/inline-edit.ts';
import type { AddedFile } from '../../../src/features/inline/vscode/inline-edit-state.ts';
import type { ChatRequest, StreamResult } from '../../../src/service/contract.ts';
import type { MeterContext } from '../../../src/spend/ledger-entry.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { undoFiles } from '../../../src/vscode/edits/undo-files.ts';
import { createCodec } from '../../../src/vscode/workspace/codec-adapter.ts';
import { paidAttempt as attempt } from '../../support/paid-attempt.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';

/** The inline edit in the real editor, with a model that answers what the test says. */
const codec = createCodec();

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
  let earlier: string[] = [];
  let added: AddedFile | undefined;
  let warnings: string[] = [];
  let answersShown: string[] = [];
  let definitions: NamedText[] = [];
  let tools: Tool[] = [];
  let outline: Promise<{ line: number; endLine: number }[]>;
  let ready = true;
  let sleep: Clock['sleep'];
  let restore: () => void;

  beforeEach(async () => {
    [requests, contexts, warnings, earlier, answersShown] = [[], [], [], [], []];
    added = undefined;
    sleep = systemClock.sleep;
    [outline, ready] = [Promise.resolve([{ line: 2, endLine: 4 }]), true];
    [definitions, tools] = [[], []];
    const known = vscode.window.showWarningMessage;
    Reflect.set(vscode.window, 'showWarningMessage', async (message: string) => void warnings.push(message));
    restore = () => void Reflect.set(vscode.window, 'showWarningMessage', known);
    store = await createEditStore({ file: undefined, onError: assert.fail });
    const stream = async (request: ChatRequest, _onEvent: unknown, signal: AbortSignal): Promise<StreamResult> => {
      requests.push(request);
      const reply = wholeReply('m');
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
      estimator: { prompt: () => ({ tokens: 1, error: 0 }), text: () => ({ tokens: 1, error: 0 }) },
      model: () => 'm',
      pickModel: async () => undefined,
      request: () => ({}),
      nameOf: (model) => model,
      ensureReady: async () => ready,
      pickFile: async () => added,
      streams: () => true,
      pending: {
        ...store,
        showAll: async () => assert.fail('shows nothing'),
        undoHunks: async (uri, hunks) => void (await undoFiles({ store, codec }, [uri], { hunks })),
      },
      outline: () => outline,
      reading: {
        clock: { ...systemClock, sleep: (...given) => sleep(...given) },
        log: assert.fail,
        definitions: async () => definitions,
        tools: () => tools,
      },
      showAnswer: async (_name, text) => void answersShown.push(text),
      history: { get: () => earlier, add: (instruction) => void earlier.unshift(instruction) },
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
    await undoFiles({ store, codec }, [document.uri]);
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
    await undoFiles({ store, codec }, [document.uri]);
    assert.equal(document.getText(), 'a = 1\nb = 2');
  });

  const show = async (content: string, first: number, last: number, language = 'plaintext') => {
    document = await vscode.workspace.openTextDocument({ content, language });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(first, 0, last, document.lineAt(last).text.length);
  };

  it('F23 keeps the line ends of a file of Windows', async () => {
    await show('one\ntwo\nthree\n', 1, 1);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    await editor.edit((builder) => builder.setEndOfLine(vscode.EndOfLine.CRLF));
    answer = async () => fenced('2\n2b');
    await start('As a digit');
    assert.equal(document.getText(), 'one\r\n2\r\n2b\r\nthree\r\n');
    await undoFiles({ store, codec }, [document.uri]);
    assert.equal(document.getText(), 'one\r\ntwo\r\nthree\r\n');
  });

  it('F23 fills an empty file, and Undo empties it', async () => {
    await show('', 0, 0);
    answer = async () => fenced('hello\nworld');
    await start('Greet');
    assert.equal(document.getText(), 'hello\nworld');
    await edit.commands['svc.undoInlineEdit']();
    assert.equal(document.getText(), '');
  });

  it('F23 leaves nothing selected over what is new, and the cursor in it', async () => {
    await show('one\n  two\nthree\n', 1, 2);
    answer = async () => fenced('  2\n3');
    await start('As digits');
    const { selection } = vscode.window.activeTextEditor ?? {};
    assert.deepEqual([selection?.isEmpty, selection?.active.line, selection?.active.character], [true, 1, 2]);
  });

  it('F23 indents with tabs where tabs are used', async () => {
    await show('f() {\n\ta();\n}\n', 0, 2);
    answer = async () => fenced('f() {\n    if (x) {\n        a();\n    }\n}');
    await start('Guard it');
    assert.equal(document.getText(), 'f() {\n\tif (x) {\n\t\ta();\n\t}\n}\n');
  });

  it('F23 says what an answer cost that could not be taken', async () => {
    for (const reply of [fenced('2\n// ... rest of the code'), { text: '```\na\n```\nor\n```\nb\n```' }]) {
      answer = async () => reply;
      await start('As digits');
    }
    assert.equal(document.getText(), text);
    assert.match(warnings[0] ?? '', /left lines out, so nothing was replaced\. · \$0\.0003/);
    assert.match(warnings[1] ?? '', /several pieces of code/);
    assert.equal(answersShown.length, 2, 'it was paid, so it is shown');
  });

  const lensesOf = async () => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    return found.map(({ command }) => command?.title);
  };

  it('F23 is told definitions that cost nothing, and says so above the result', async () => {
    definitions = [{ name: 'money.ts:3', text: 'export function round() {}' }];
    tools = [];
    answer = async () => fenced('2\n3\n4');
    await start('As digits');
    assert.match(
      JSON.stringify(requests[0]?.messages),
      /Defined elsewhere, not to be edited: money\.ts:3\\nexport function round/,
    );
    assert.deepEqual([requests.length, requests[0]?.tools], [1, undefined]);
    assert.ok((await lensesOf()).includes('Looked at: money.ts:3'), JSON.stringify(await lensesOf()));
  });

  it('F23 may read where the instruction names a file that nothing shows, and not where the lines suffice', async () => {
    const readFile = defineTool({
      name: 'read_file',
      kind: 'read',
      description: 'Reads.',
      parameters: z.object({ path: z.string() }),
      access: 'read',
      title: ({ path }) => `Read ${path}`,
      run: async () => ({ forModel: 'digits: 2 3 4' }),
    });
    tools = [readFile];
    answer = async () =>
      requests.length === 1
        ? { toolCalls: [{ name: 'read_file', arguments: '{"path":"digits.ts"}' }] }
        : fenced('2\n3\n4');
    await start('As in digits.ts');
    assert.equal(document.getText(), 'one\n2\n3\n4\nfive\n');
    assert.match(JSON.stringify(requests[1]?.messages), /digits: 2 3 4/);
    assert.ok((await lensesOf()).includes('Looked at: Read digits.ts'), JSON.stringify(await lensesOf()));
    assert.ok(
      (await lensesOf()).some((title) => title?.includes('0.0007')),
      'both requests are paid',
    );
    await undoFiles({ store, codec }, [document.uri]);
    requests = [];
    answer = async () => fenced('2\n3\n4');
    await start('As digits');
    assert.equal(requests[0]?.tools, undefined);
  });

  it('F23 carries an answer that could not be taken to the chat, with what was asked', async () => {
    const asked: unknown[] = [];
    const known = vscode.commands.executeCommand;
    Reflect.set(vscode.commands, 'executeCommand', async (_id: string, argument: unknown) => void asked.push(argument));
    Reflect.set(vscode.window, 'showWarningMessage', async (_message: string, ...buttons: string[]) => buttons.at(-1));
    try {
      answer = async () => ({ text: 'Better so: `2`, `3`.' });
      await start('As digits');
    } finally {
      Reflect.set(vscode.commands, 'executeCommand', known);
    }
    const carried = asked.find((argument) => JSON.stringify(argument)?.includes('prompt'));
    assert.match(JSON.stringify(carried), /"prompt":"As digits[^"]*couldn't be applied:[^"]*Better so: `2`/);
  });

  it('F23 writes only the lines that change of an answer that is the whole file', async () => {
    await show('class A {\n  one() {}\n\n  two() {}\n}\n', 3, 3);
    answer = async () => fenced('class A {\n  one() {}\n\n  two() {\n    run();\n  }\n}');
    await start('Run');
    assert.equal(document.getText(), 'class A {\n  one() {}\n\n  two() {\n    run();\n  }\n}\n');
    assert.deepEqual(
      store.hunks(document.uri).map(({ before }) => before),
      [{ start: 3, count: 1 }],
    );
  });

  it('F23 sends only what is near in a very long file, and edits it', async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at}`);
    await show(lines.join('\n'), 40_000, 40_000);
    answer = async () => fenced('changed');
    await start('Change it');
    assert.equal(document.lineAt(40_000).text, 'changed');
    assert.equal(document.lineCount, 60_000);
    const sent = JSON.stringify(requests[0]?.messages);
    assert.match(sent, /line 39850\b[\s\S]*line 40150\b/);
    assert.doesNotMatch(sent, /line 39849\b|line 40151\b/);
  });

  it('F23 refuses a part that no answer can repeat, before anything is sent', async () => {
    const told: string[] = [];
    const known = vscode.window.showInformationMessage;
    Reflect.set(vscode.window, 'showInformationMessage', async (message: string) => void told.push(message));
    try {
      await show(`${'x'.repeat(99)}\n`.repeat(600), 0, 599);
      await start('Shorten it');
    } finally {
      Reflect.set(vscode.window, 'showInformationMessage', known);
    }
    assert.match(told[0] ?? '', /too long for an inline edit/);
    assert.deepEqual(requests, []);
  });

  describe('decided', () => {
    const twoParts = async () => {
      answer = async () => fenced('2\nthree\n4');
      await start('As digits, but three');
      assert.equal(store.hunks(document.uri).length, 2);
    };

    it('F23 Keep takes all parts of it and Undo takes them back, one step for the Undo of the editor', async () => {
      await twoParts();
      await edit.commands['svc.undoInlineEdit']();
      assert.equal(document.getText(), text);
      assert.equal(store.hunks(document.uri).length, 0);
      await vscode.commands.executeCommand('undo');
      await waitFor('the edit again', () => document.getText() === 'one\n2\nthree\n4\nfive\n');
      await vscode.commands.executeCommand('undo');
      await waitFor('the text of before', () => document.getText() === text);

      await twoParts();
      await edit.commands['svc.keepInlineEdit'](document.uri.toString());
      assert.equal(store.hunks(document.uri).length, 0);
      assert.equal(document.getText(), 'one\n2\nthree\n4\nfive\n');
    });

    it('F23 typing inside a part is keeping that part; the other part stays open', async () => {
      await twoParts();
      await type(1, 'mine ');
      const [left, ...others] = store.hunks(document.uri);
      assert.deepEqual([left?.after, others], [{ start: 3, count: 1 }, []]);
      await edit.commands['svc.undoInlineEdit']();
      assert.equal(document.getText(), 'one\nmine 2\nthree\nfour\nfive\n');
    });

    it('F23 typing elsewhere decides nothing, and neither does the Undo of the editor for that', async () => {
      await twoParts();
      await type(0, 'zero\n');
      assert.equal(store.hunks(document.uri).length, 2);
      await vscode.commands.executeCommand('undo');
      await waitFor('the text of before', () => !document.getText().startsWith('zero'));
      assert.equal(store.hunks(document.uri).length, 2);
      await edit.commands['svc.undoInlineEdit']();
      assert.equal(document.getText(), text);
    });

    it('F23 X37 takes no document that has no result', async () => {
      const told: string[] = [];
      const known = vscode.window.showInformationMessage;
      Reflect.set(vscode.window, 'showInformationMessage', async (message: string) => void told.push(message));
      try {
        await twoParts();
        for (const argument of ['file:///etc/passwd', '']) {
          await edit.commands['svc.undoInlineEdit'](argument);
          await edit.commands['svc.retryInlineEdit'](argument);
        }
      } finally {
        Reflect.set(vscode.window, 'showInformationMessage', known);
      }
      assert.equal(told.length, 4);
      assert.equal(requests.length, 1);
      assert.equal(store.hunks(document.uri).length, 2);
    });

    it('F23 is forgotten with an editor that has no file: the next one has its name and not its marks', async () => {
      await twoParts();
      const { uri } = document;
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await waitFor('the edit to be forgotten', () => store.hunks(uri).length === 0);
    });
  });

  describe('asked for', () => {
    const emitters = () => ({
      changed: new vscode.EventEmitter<string>(),
      accepted: new vscode.EventEmitter<void>(),
      triggered: new vscode.EventEmitter<vscode.QuickInputButton>(),
      hidden: new vscode.EventEmitter<void>(),
    });
    type Box = { value: string; prompt: string; title: string; buttons: vscode.QuickInputButton[] } & ReturnType<
      typeof emitters
    >;
    let boxes: Box[] = [];
    let putBack: () => void;
    const box = async (count: number): Promise<Box> => waitFor('the box', () => boxes[count - 1]);
    const press = (on: Box, icon: string) => {
      const pressed = on.buttons.find(({ iconPath }) => iconPath instanceof vscode.ThemeIcon && iconPath.id === icon);
      assert.ok(pressed, icon);
      on.triggered.fire(pressed);
    };

    beforeEach(() => {
      boxes = [];
      const known = vscode.window.createInputBox;
      const fake = () => {
        const on = emitters();
        const one = Object.assign(on, {
          value: '',
          prompt: '',
          title: '',
          buttons: [],
          onDidChangeValue: on.changed.event,
          onDidAccept: on.accepted.event,
          onDidTriggerButton: on.triggered.event,
          onDidHide: on.hidden.event,
          show: () => boxes.push(one),
          dispose: () => undefined,
        });
        return one;
      };
      Reflect.set(vscode.window, 'createInputBox', fake);
      putBack = () => void Reflect.set(vscode.window, 'createInputBox', known);
    });
    afterEach(() => putBack());

    it('F23 lands in its lines when others were typed above while the instruction was', async () => {
      answer = async () => fenced('2\n3\n4');
      const done = edit.commands['svc.inlineEdit']();
      const shown = await box(1);
      await type(0, 'zero\n');
      shown.value = 'As digits';
      shown.accepted.fire();
      await done;
      assert.equal(document.getText(), 'zero\none\n2\n3\n4\nfive\n');
      assert.match(JSON.stringify(requests[0]?.messages), /marked part begins\\ntwo\\nthree\\nfour\\n>/);
    });

    it('F23 shows the box at once, and names the code around the cursor when the language has found it', async () => {
      const found = Promise.withResolvers<{ line: number; endLine: number }[]>();
      outline = found.promise;
      answer = async () => fenced('2\n3\n4');
      const done = edit.commands['svc.inlineEdit']();
      const shown = await box(1);
      assert.match(shown.title, /:3 · m$/);
      assert.equal(shown.prompt, 'Finding the code around the cursor…');
      shown.value = 'As digits';
      found.resolve([{ line: 2, endLine: 4 }]);
      await waitFor('the price', () => shown.prompt.startsWith('≈'));
      assert.match(shown.title, /:2–4 · m$/);
      shown.accepted.fire();
      await done;
      assert.equal(document.getText(), 'one\n2\n3\n4\nfive\n');
    });

    it('F23 edits the line of the cursor where the language never answers, and takes no later answer', async () => {
      const late = Promise.withResolvers<{ line: number; endLine: number }[]>();
      outline = late.promise;
      sleep = async () => undefined;
      answer = async () => {
        late.resolve([{ line: 1, endLine: 5 }]);
        return fenced('3');
      };
      const done = edit.commands['svc.inlineEdit']();
      const shown = await box(1);
      shown.value = 'As a digit';
      shown.accepted.fire();
      await done;
      assert.equal(document.getText(), 'one\ntwo\n3\nfour\nfive\n');
    });

    const begin = (typed: string) => {
      const begun = beginInstruction();
      const shown = boxes.at(-1);
      assert.ok(begun && shown);
      shown.value = typed;
      return { begun, shown };
    };

    it('F23 takes what was typed and sent in a box that was open before it was loaded', async () => {
      answer = async () => fenced('2\n3\n4');
      const { begun, shown } = begin('As digits');
      shown.accepted.fire();
      await edit.editAfter(begun);
      assert.equal(document.getText(), 'one\n2\n3\n4\nfive\n');
      assert.equal(boxes.length, 1);
    });

    it('F23 opens again for a key that comes right behind Escape', async () => {
      const left = edit.commands['svc.inlineEdit']();
      (await box(1)).hidden.fire();
      const done = edit.commands['svc.inlineEdit']();
      const shown = await box(2);
      await left;
      shown.value = 'As digits';
      answer = async () => fenced('2\n3\n4');
      shown.accepted.fire();
      await done;
      assert.equal(document.getText(), 'one\n2\n3\n4\nfive\n');
    });

    it('F23 keeps what was typed in a box that was left before it was loaded, and edits nothing', async () => {
      const { begun, shown } = begin('As digits');
      shown.hidden.fire();
      await edit.editAfter(begun);
      assert.deepEqual([earlier, requests], [['As digits'], []]);
    });

    it('F23 keeps what was typed in an early box for a file that cannot be edited inline', async () => {
      const long = await vscode.workspace.openTextDocument({ content: 'a'.repeat(60_000) });
      const editor = await vscode.window.showTextDocument(long);
      editor.selection = new vscode.Selection(0, 0, 0, 60_000);
      const { begun } = begin('As digits');
      const known = vscode.window.showInformationMessage;
      Reflect.set(vscode.window, 'showInformationMessage', async () => undefined);
      try {
        await edit.editAfter(begun);
      } finally {
        Reflect.set(vscode.window, 'showInformationMessage', known);
      }
      assert.deepEqual([earlier, requests], [['As digits'], []]);
    });

    it('F23 asks for what the service needs after the instruction, which is kept where that is not given', async () => {
      ready = false;
      const done = edit.commands['svc.inlineEdit']();
      const shown = await box(1);
      shown.value = 'As digits';
      shown.accepted.fire();
      await done;
      assert.deepEqual([earlier, requests], [['As digits'], []]);
    });

    it('F23 sends a file that was added, names it with the price, and keeps what was typed', async () => {
      answer = async () => fenced('2\n3\n4');
      added = { name: 'b.ts', text: 'export const b = 2;', uri: vscode.Uri.file('/b.ts') };
      const done = edit.commands['svc.inlineEdit']();
      const first = await box(1);
      first.value = 'As in b';
      press(first, 'add');
      const second = await box(2);
      assert.equal(second.value, 'As in b');
      assert.match(second.prompt, /^With b\.ts · ≈ 2 tokens in, ≈ 1 out, < \$/);
      second.accepted.fire();
      await done;
      assert.match(JSON.stringify(requests[0]?.messages), /not to be edited: b\.ts\\nexport const b = 2;/);
    });

    it('F23 goes through earlier instructions and back to what was typed; what is not sent is kept as one', async () => {
      earlier = ['newest', 'older'];
      const done = edit.commands['svc.inlineEdit']();
      const shown = await box(1);
      shown.value = 'mine';
      const seen = [shown.value];
      for (const id of ['svc.olderInstruction', 'svc.olderInstruction', 'svc.olderInstruction'] as const) {
        await edit.commands[id]();
        seen.push(shown.value);
      }
      await edit.commands['svc.newerInstruction']();
      await edit.commands['svc.newerInstruction']();
      seen.push(shown.value);
      assert.deepEqual(seen, ['mine', 'newest', 'older', 'older', 'mine']);
      shown.hidden.fire();
      await done;
      assert.deepEqual(earlier, ['mine', 'newest', 'older']);
      assert.deepEqual(requests, []);
    });
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
    assert.equal(document.getText(), 'one\nII\nIII\nIV\nfive\n');
    assert.match(JSON.stringify(requests[1]?.messages), /two\\\\?nthree/);
    await undoFiles({ store, codec }, [document.uri]);
    assert.equal(document.getText(), text);
  });
});
