import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import type { ContextPick } from '../../../../src/shared/panel/field-schemas.ts';
import type { ExternalTools } from '../../../../src/tools/external-tools.ts';
import type { AskDeps } from '../../../../src/vscode/commands/ask.ts';
import type { CodeCommandDeps } from '../../../../src/vscode/commands/code-commands.ts';
import type { Settings } from '../../../../src/vscode/host/settings.ts';
import {
  Location,
  languages,
  Position,
  person,
  Range,
  reset,
  settings,
  Uri,
  window,
  workspace,
} from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { openFolders } from '../../tools/workspace.ts';

const { ask } = await importWithVscodeStub<typeof import('../../../../src/vscode/commands/ask.ts')>(
  new URL('../../../../src/vscode/commands/ask.ts', import.meta.url),
);
const { createCodeCommands } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/commands/code-commands.ts')
>(new URL('../../../../src/vscode/commands/code-commands.ts', import.meta.url));
const { createOutputCommands } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/commands/output-commands.ts')
>(new URL('../../../../src/vscode/commands/output-commands.ts', import.meta.url));
const { pickTools } = await importWithVscodeStub<typeof import('../../../../src/vscode/commands/pick-tools.ts')>(
  new URL('../../../../src/vscode/commands/pick-tools.ts', import.meta.url),
);
const { showMenu } = await importWithVscodeStub<typeof import('../../../../src/vscode/commands/menu.ts')>(
  new URL('../../../../src/vscode/commands/menu.ts', import.meta.url),
);
const { NothingToAttach } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/composer/read-context.ts')
>(new URL('../../../../src/vscode/composer/read-context.ts', import.meta.url));

function document(path: string, text = 'const a = 1;\n') {
  return { uri: Uri.file(path), languageId: 'typescript', isUntitled: false, getText: () => text };
}

/** A chat that notes what is done with it. */
function chat({ running = false, full = false } = {}) {
  const done: string[] = [];
  const summary = {
    ...{ conversationId: 'c', text: 'Hi', model: 'm', requestedModel: 'r', stopReason: 'stop' },
    cost: { totalTokens: 5, microUsd: 2_500_000, charge: 'yes' },
  };
  const viewModel = {
    newChat: () => done.push('new chat'),
    setModel: (id: string) => done.push(`model ${id}`),
    draft: {
      attach: ({ label }: { label: string }) => done.push(`attached ${label}`),
      append: (text: string) => done.push(`draft ${text}`),
    },
    conversation: () => ({ running }),
    enqueue({ text }: { text: string }) {
      if (full) return undefined;
      done.push(`queued ${text}`);
      return Promise.resolve(summary);
    },
  };
  const deps = {
    viewModel: () => viewModel as unknown as ChatViewModel,
    showChat: async () => void done.push('shown'),
    whenHere: (_text: string, send: () => unknown) => send(),
    async send(text: string) {
      done.push(`sent ${text}`);
      return summary;
    },
  } as unknown as AskDeps;
  return { done, deps };
}

describe('svc.ask', () => {
  beforeEach(reset);

  it('sends what it is given, in the conversation and to the model that it names, and resolves with what came', async () => {
    const { done, deps } = chat();
    const result = await ask(deps, { prompt: 'Hi', newConversation: true, model: 'svc/a' });
    assert.deepEqual(done, ['new chat', 'model svc/a', 'shown', 'sent Hi']);
    assert.deepEqual(result, {
      ...{ conversationId: 'c', text: 'Hi', model: 'm', requestedModel: 'r', stopReason: 'stop' },
      ...{ totalTokens: 5, costUsd: 2.5, charged: true },
    });
  });

  it('F4 waits in the queue while a turn runs, and in the composer when there is no room, or when it is not to be sent', async () => {
    const running = chat({ running: true });
    assert.equal((await ask(running.deps, { prompt: 'Hi' }))?.text, 'Hi');
    assert.deepEqual(running.done, ['shown', 'queued Hi']);
    const full = chat({ running: true, full: true });
    assert.equal(await ask(full.deps, { prompt: 'Hi' }), undefined);
    assert.deepEqual(full.done, ['shown', 'draft Hi']);
    const unsent = chat({ running: true });
    assert.equal(await ask(unsent.deps, { prompt: 'Hi', send: false }), undefined);
    assert.deepEqual(unsent.done, ['shown', 'draft Hi']);
  });

  it('asks for the prompt when it gets nothing, and does nothing without one', async () => {
    const { done, deps } = chat();
    person.write = () => '';
    assert.equal(await ask(deps, undefined), undefined);
    assert.deepEqual(done, []);
    person.write = () => 'Typed';
    await ask(deps, undefined);
    assert.deepEqual(done, ['shown', 'sent Typed']);
  });

  it('F7 X05 attaches the files that it names, and asks nothing without one that the user wants left out', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file('/ws'), name: 'ws' }];
    workspace.openTextDocument = async (uri) => document((uri as Uri).path);
    const { done, deps } = chat();
    const place = new Location(Uri.file('/ws/b.ts'), new Range(1, 0, 3, 0));
    await ask(deps, { prompt: 'Hi', attachments: [Uri.file('/ws/a.ts'), place] });
    assert.deepEqual(done.splice(0), ['attached a.ts', 'attached b.ts:2-3', 'shown', 'sent Hi']);
    await ask(deps, { prompt: 'Hi', attachments: [Uri.file('/etc/passwd'), Uri.file('/ws/a.ts')] });
    assert.deepEqual([done, person.messages.length], [['attached a.ts', 'shown', 'draft Hi'], 1]);
  });
});

describe('commands about code', () => {
  beforeEach(reset);

  function open(read: (pick: ContextPick) => unknown = (pick) => ({ label: pick.kind })) {
    const { done, deps } = chat();
    const picks: ContextPick[] = [];
    const commands = createCodeCommands({
      ...deps,
      addToChat: {
        read: async (pick: ContextPick) => {
          picks.push(pick);
          return read(pick);
        },
      },
      attach: ({ label }: { label: string }) => void done.push(`attached ${label}`),
    } as unknown as CodeCommandDeps);
    return { commands, picks, done };
  }
  const problem = (line: number) => ({ range: new Range(line, 0, line, 5) });
  function edit(selection: Range, problems: object[] = []) {
    window.activeTextEditor = { document: document('/ws/a.ts'), selection };
    languages.getDiagnostics = () => problems;
  }
  const [cursor, lines] = [new Range(2, 1, 2, 1), new Range(1, 0, 4, 0)];

  it('F22 are about the selection, and say so when there is none', async () => {
    const { commands, picks, done } = open();
    await commands['svc.refactor']();
    edit(cursor);
    await commands['svc.review']();
    assert.equal(person.messages.filter(({ text }) => text === 'Select the code first.').length, 2);
    edit(lines);
    await commands['svc.refactor']();
    assert.deepEqual([picks, done.slice(0, 2)], [[{ kind: 'selection' }], ['attached selection', 'shown']]);
  });

  it('F22 F26 are about the whole cell of a notebook where nothing in it is selected', async () => {
    const { commands, picks } = open();
    const uri = Uri.from({ scheme: 'vscode-notebook-cell', path: '/ws/n.ipynb', fragment: 'c1' });
    const cell = { document: { ...document('/ws/n.ipynb'), uri } };
    const notebook = { uri: Uri.file('/ws/n.ipynb'), getCells: () => [cell], cellAt: (at: number) => [cell][at] };
    Object.assign(workspace, { notebookDocuments: [notebook] });
    window.activeTextEditor = { document: cell.document, selection: cursor };
    await commands['svc.explain']();
    Object.assign(window, { activeTextEditor: undefined, activeNotebookEditor: { notebook, selection: { start: 0 } } });
    await commands['svc.review']();
    assert.deepEqual(picks, [
      { kind: 'file', uri: uri.toString() },
      { kind: 'file', uri: uri.toString() },
    ]);
    Object.assign(window, { activeNotebookEditor: undefined });
    Object.assign(workspace, { notebookDocuments: [] });
  });

  it('F22 Explain and Fix are about the problem that was picked, else the one at the cursor, Fix also with the selection', async () => {
    const { commands, picks, done } = open();
    const uri = 'file:///ws/a.ts';
    const at = (startLine: number, endLine = startLine) => ({ kind: 'problems', uri, startLine, endLine });
    const asked = async (command: 'svc.explain' | 'svc.fix', target?: unknown) => {
      done.length = 0;
      await commands[command](target);
      return picks.splice(0);
    };
    edit(lines, [problem(2), problem(4), problem(9)]);
    assert.deepEqual(await asked('svc.fix', { uri, startLine: 7, endLine: 8 }), [at(7, 8)]);
    assert.deepEqual(await asked('svc.fix'), [{ kind: 'selection' }, at(3, 5)]);
    assert.deepEqual(await asked('svc.explain'), [{ kind: 'selection' }]);
    const explainsCode = done.at(-1);
    edit(cursor, [problem(2)]);
    assert.deepEqual(await asked('svc.explain', { uri: 5 }), [at(3)]);
    assert.notEqual(done.at(-1), explainsCode);
    assert.deepEqual(await asked('svc.fix'), [at(3)]);
  });

  it('F22 nothing is sent without its subject', async () => {
    edit(lines);
    const left = open(() => undefined);
    await left.commands['svc.refactor']();
    const unreadable = open(() => {
      throw new NothingToAttach('Too large.');
    });
    await unreadable.commands['svc.refactor']();
    assert.deepEqual([left.done, unreadable.done, person.messages.at(-1)?.text], [[], [], 'Too large.']);
    const broken = open(() => {
      throw new Error('bug');
    });
    await assert.rejects(Promise.resolve(broken.commands['svc.refactor']()), /bug/);
  });
});

describe('commands about output', () => {
  beforeEach(reset);

  function open(knows = true) {
    const picks: ContextPick[] = [];
    const told: { label: string; text: string }[] = [];
    const asked: string[] = [];
    const commands = createOutputCommands({
      read: async (pick) => {
        picks.push(pick);
        return { label: pick.kind, text: '' } as never;
      },
      knowsTerminal: () => knows,
      attach: (found) => void told.push(found as unknown as { label: string; text: string }),
      ask: async (prompt) => void asked.push(prompt),
    });
    return { commands, picks, told, asked };
  }
  const test = { label: 'adds up', uri: Uri.file('/ws/a.test.ts'), range: new Range(4, 0, 9, 1) };

  it('F25 a failed test goes with what it said, where, and its code', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file('/ws') }];
    const { commands, picks, told, asked } = open();
    const at = new Location(Uri.file('/ws/b.ts'), new Range(6, 0, 6, 1));
    const stackTrace = [{ label: 'add', uri: Uri.file('/ws/b.ts'), position: new Position(6, 0) }, { label: 'run' }, 5];
    const message = {
      message: { value: 'is wrong' },
      expectedOutput: '3',
      actualOutput: '4',
      location: at,
      stackTrace,
    };
    await commands['svc.fixTestFailure']({ test, message });
    assert.equal(told[0]?.label, 'Failure of adds up');
    const text = told[0]?.text ?? '';
    for (const part of ['b.ts:7', 'is wrong', '3', '4', 'add (b.ts:7)', 'run']) assert.ok(text.includes(part), part);
    assert.deepEqual(picks, [{ kind: 'file', uri: 'file:///ws/a.test.ts', startLine: 5, endLine: 10 }]);
    assert.equal(asked.length, 1);
  });

  it('F25 a test alone says nothing: it is asked about only when the user wants that', async () => {
    const { commands, asked, told } = open();
    await commands['svc.fixTestFailure'](test);
    assert.deepEqual([asked, told, person.messages.length], [[], [], 1]);
    person.answer = ({ buttons }) => buttons[0];
    await commands['svc.fixTestFailure'](test);
    assert.equal(asked.length, 1);
    await commands['svc.fixTestFailure']({ test: { label: 'x' }, message: { message: 'failed' } });
    assert.deepEqual([asked.length, person.messages.length, told.at(-1)?.label], [2, 2, 'Failure of x']);
  });

  it('F25 X34 says why there is nothing to ask about: no test, or Restricted Mode', async () => {
    const { commands, asked } = open();
    for (const argument of [undefined, 5, {}, { test: {} }]) await commands['svc.fixTestFailure'](argument);
    assert.deepEqual(
      new Set(person.messages.map(({ text }) => text.slice(0, 23))),
      new Set(['Choose Fix Failing Test']),
    );
    workspace.isTrusted = false;
    await commands['svc.fixTestFailure'](test);
    assert.match(person.messages.at(-1)?.text ?? '', /Restricted Mode/);
    assert.deepEqual(asked, []);
  });

  it('F25 the last command of a terminal that tells what it runs, and of the one in front else', async () => {
    const { commands, picks, asked } = open();
    await commands['svc.explainTerminal']();
    window.activeTerminal = { name: 'bash' };
    await commands['svc.explainTerminal']();
    assert.deepEqual([picks, asked.length], [[{ kind: 'terminal' }, { kind: 'terminal' }], 2]);
  });
});

describe('lists of commands', () => {
  beforeEach(reset);

  it('the menu of the status bar runs what is picked, stops what runs, and hides itself', async () => {
    const labels: string[] = [];
    const pick = async (running: boolean, label: RegExp) => {
      person.pick = (rows) => {
        labels.splice(0, labels.length, ...rows.map((row) => row.label));
        return rows.find((row) => label.test(row.label));
      };
      await showMenu({ running, today: { microUsd: 420_000, estimated: false } });
      return person.ran.splice(0);
    };
    assert.deepEqual(await pick(false, /New Chat/), [['svc.newChat']]);
    assert.ok(!labels.some((label) => /Stop/.test(label)));
    assert.deepEqual(await pick(true, /Stop/), [['svc.stop']]);
    assert.match(labels[0] ?? '', /Stop/);
    assert.deepEqual(await pick(true, /Hide/), []);
    assert.deepEqual(settings.get('svc.statusBar.content'), { globalValue: 'hidden' });
    assert.deepEqual(await pick(true, /nothing/), []);
  });

  it('F20 tools of others are picked for the conversation, and for new ones on demand; one whose server is away stays picked', async () => {
    const foreign = (names: string[]) =>
      ({
        list: () => names.map((name) => ({ name, description: `does ${name}`, inputSchema: {}, tags: [] })),
      }) as unknown as ExternalTools;
    const chosen = { externalTools: () => ['a', 'away'], loadToolsAbove: () => 2000 } as unknown as Settings;
    const picked: string[][] = [];
    const conversation = {
      readOnly: false,
      state: () => ({ ...emptyChat, ...(picked.length > 0 && { pickedTools: picked.at(-1) }) }),
      pickTools: (names: readonly string[]) => void picked.push([...names]),
    };
    const pick = (names: string[]) =>
      pickTools({
        ...openFolders({}),
        external: foreign(names),
        ...{ settings: chosen, conversation },
        used: (name) => (name === 'a' ? 3 : 0),
      });
    await pick([]);
    assert.match(person.messages[0]?.text ?? '', /No other extension/);
    const first = pick(['a', 'mcp_github_b']);
    const list = person.boxes.at(-1);
    assert.ok(list);
    assert.deepEqual(
      list.items.map(({ label }) => label.replace(/\d.*/, 'N')),
      ['Extensions · N', 'a', 'github · N', 'mcp_github_b'],
    );
    assert.match(
      String(list.items[1]?.description),
      /^\d+ tokens, ≈ \$0\.0\d+ a request · uses in this conversation: 3$/,
    );
    assert.deepEqual(
      list.selectedItems.map(({ label }) => label),
      ['a'],
    );
    list.pick(list.items[3]);
    await first;
    assert.deepEqual([picked, settings.size], [[['mcp_github_b', 'away']], 0]);
    const second = pick(['a', 'mcp_github_b']);
    const again = person.boxes.at(-1);
    assert.deepEqual(
      again?.selectedItems.map(({ label }) => label),
      ['mcp_github_b'],
    );
    assert.match(String(again?.title), /^Tools from Other Extensions: \d+ tokens, ≈ \$0\.0\d+ a request$/);
    again?.pressOwn(/New Conversations/);
    await second;
    assert.deepEqual(settings.get('svc.tools.foreign'), { globalValue: ['mcp_github_b', 'away'] });
    const third = pick(['a']);
    person.boxes.at(-1)?.hide();
    await third;
    assert.equal(picked.length, 2);
    conversation.readOnly = true;
    await pick(['a']);
    assert.match(person.messages.at(-1)?.text ?? '', /nother window/);
  });
});
