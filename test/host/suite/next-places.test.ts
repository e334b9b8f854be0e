import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import { createNextPlaces } from '../../../src/features/next-places/vscode/next-places.ts';
import type { ChatRequest, Reply, StreamResult } from '../../../src/service/contract.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { undoFiles } from '../../../src/vscode/edits/undo-files.ts';
import { createCodec } from '../../../src/vscode/workspace/codec-adapter.ts';
import { createLanguage } from '../../../src/vscode/workspace/language-adapter.ts';
import { repositoryHolding } from '../../../src/vscode/workspace/repository-changes.ts';
import { createSearch } from '../../../src/vscode/workspace/search-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { gitIn } from '../../support/git-in.ts';
import { paidAttempt as attempt } from '../../support/paid-attempt.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const texts = {
  'tsconfig.json': '{"compilerOptions":{"module":"esnext","target":"esnext"},"include":["*.ts"]}\n',
  'parse.ts': 'export function parse(text: string) {\n  return text.trim();\n}\n',
  'a.ts': "import { parse } from './parse';\r\n\r\nexport const a = parse(' a ');\r\n",
  'b.ts': "import { parse } from './parse';\n\nexport const b = [parse('b')];",
  'c.ts': "// Nothing of it: parse(' c ').\nexport const c = JSON.parse('1');\n",
} as const;
type Name = keyof typeof texts;

/** The real editor with its own TypeScript, and a model that answers what the test says. */
describe('the next places of a change', () => {
  let store: EditStore;
  let next: ReturnType<typeof createNextPlaces>;
  let language: ReturnType<typeof createLanguage>;
  let requests: ChatRequest[];
  let answer: () => Promise<Partial<Reply>>;
  let told: string[];
  let reported: string[];
  let stopping: vscode.CancellationTokenSource;
  let restore: (() => void)[];
  let isAccepting: boolean;

  // A document of the test before may still be told of what is on the disk.
  let [name, count] = ['', 0];
  const folder = () => {
    const [first = assert.fail()] = vscode.workspace.workspaceFolders ?? [];
    return vscode.Uri.joinPath(first.uri, name);
  };
  const uriOf = (name: Name) => vscode.Uri.joinPath(folder(), name);
  const textOf = async (name: Name) => (await vscode.workspace.openTextDocument(uriOf(name))).getText();
  const stub = (target: object, name: string, value: unknown) => {
    const known: unknown = Reflect.get(target, name);
    Reflect.set(target, name, value);
    restore.push(() => void Reflect.set(target, name, known));
  };

  beforeEach(async () => {
    [requests, told, reported, restore, isAccepting] = [[], [], [], [], true];
    name = `next${++count}`;
    stopping = new vscode.CancellationTokenSource();
    for (const [file, text] of Object.entries(texts))
      await vscode.workspace.fs.writeFile(uriOf(file as Name), Buffer.from(text));
    stub(vscode.window, 'showInformationMessage', async (message: string) => void told.push(message));
    stub(vscode.window, 'setStatusBarMessage', (message: string) => void told.push(message));
    stub(
      vscode.window,
      'withProgress',
      async (_options: unknown, run: Parameters<typeof vscode.window.withProgress>[1]) =>
        run({ report: ({ message = '' }: { message?: string }) => void reported.push(message) }, stopping.token),
    );
    store = await createEditStore({ file: undefined, onError: assert.fail });
    const { workspace, files } = createWorkspace();
    language = createLanguage({ workspace, clock: systemClock });
    const known = language.references;
    /** While TypeScript reads its project, which any new file makes it do, it knows only what is open. */
    language.references = async (place, ...at) => {
      let found = await known(place, ...at);
      if (!place.path.endsWith('/parse.ts')) return found;
      const isWhole = async () => {
        found = await known(place, ...at);
        return found.length >= 5;
      };
      await waitFor('the references of TypeScript', isWhole, { timeoutMs: 60_000 });
      return found;
    };
    const search = createSearch({
      workspace,
      files,
      regexThread: '/nowhere',
      ripgrepPath: () => '',
      log: () => undefined,
    });
    const unused = () => assert.fail('only streams');
    const stream = async (request: ChatRequest, _onEvent: unknown, signal: AbortSignal): Promise<StreamResult> => {
      requests.push(request);
      const reply = wholeReply('m', await answer());
      return signal.aborted
        ? { outcome: 'stopped', reply, attempts: [attempt] }
        : { outcome: 'done', reply, attempts: [attempt] };
    };
    next = createNextPlaces({
      ...{ workspace, files, search, language },
      pending: store,
      metered: () => ({ stream, complete: unused, listModels: unused, checkKey: unused }),
      estimator: { prompt: () => ({ tokens: 1000, error: 0 }) },
      model: () => 'm',
      request: () => ({}),
      nameOf: (model) => model,
      isProtected: () => false,
      acceptsTools: () => isAccepting,
      ensureReady: async () => true,
      mayRead: async () => true,
      // On a busy machine TypeScript takes longer than anybody would wait.
      clock: { ...systemClock, after: (ms, late) => systemClock.after(ms * 30, late) },
      log: assert.fail,
    });
  });
  afterEach(async () => {
    for (const back of restore) back();
    next.dispose();
    language.dispose();
    store.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const isOwn = ({ uri, isDirty }: vscode.TextDocument) => isDirty && uri.toString().startsWith(folder().toString());
    for (const { uri } of vscode.workspace.textDocuments.filter(isOwn)) {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  const run = () => next.commands['svc.nextPlaces']();
  const show = async (name: Name) =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf(name)));
  const replace = async (name: Name, from: string, to: string) => {
    const document = await vscode.workspace.openTextDocument(uriOf(name));
    const at = document.getText().indexOf(from);
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, range, to);
    assert.ok(at >= 0 && (await vscode.workspace.applyEdit(edit)), from);
  };
  /** The signature gets an argument, and the cursor is there. */
  const changeSignature = async () => {
    const editor = await show('parse.ts');
    await replace('parse.ts', 'text: string', 'text: string, mode: number');
    editor.selection = new vscode.Selection(0, 20, 0, 20);
  };
  const call = (file: string, search: string, text: string) => ({
    name: 'edit_file',
    arguments: JSON.stringify({ path: `${name}/${file}`, edits: [{ search, replace: text }] }),
  });
  const both = () => ({
    toolCalls: [
      call('a.ts', "export const a = parse(' a ');", "export const a = parse(' a ', 1);"),
      call('b.ts', "export const b = [parse('b')];", "export const b = [parse('b', 1)];"),
    ],
  });

  it('F41 a signature goes to its callers as TypeScript knows them, pending, and Undo gives every byte back', async function () {
    this.timeout(120_000);
    await changeSignature();
    const lie = call('c.ts', "export const c = JSON.parse('1');", 'export const c = 1;');
    answer = async () => ({ toolCalls: [...both().toolCalls, lie] });
    await run();
    assert.equal(requests.length, 1);
    const sent = requests[0]?.messages[1]?.text ?? '';
    assert.match(
      sent,
      /File: next\d\/parse\.ts\n- export function parse\(text: string\) \{\n\+ export function parse\(text: string, mode: number\) \{/,
    );
    assert.match(sent, /File: next\d\/a\.ts, lines 1 to 4\n.*\n.*\nexport const a/);
    assert.doesNotMatch(sent, /c\.ts|\r/);
    assert.deepEqual(reported, ['4 places · ≈ $0.0004']);
    assert.deepEqual(told, ["2 places changed · 1 ignored because they don't fit the lines that were sent · $0.0003"]);
    assert.equal(await textOf('a.ts'), texts['a.ts'].replace("' a ')", "' a ', 1)"));
    assert.equal(await textOf('b.ts'), texts['b.ts'].replace("'b')", "'b', 1)"));
    assert.equal(await textOf('c.ts'), texts['c.ts']);
    assert.deepEqual(
      store.all().map(({ path }) => path),
      [`${name}/a.ts`, `${name}/b.ts`],
    );
    await undoFiles({ store, codec: createCodec() }, [uriOf('a.ts'), uriOf('b.ts')]);
    assert.equal(store.all().length, 0);
    for (const name of ['a.ts', 'b.ts'] as const) {
      assert.equal(await textOf(name), texts[name], `${name} in the editor`);
      await vscode.workspace.save(uriOf(name));
      assert.equal(await readFile(uriOf(name).fsPath, 'latin1'), texts[name], `${name} on the disk`);
    }
  });

  it('F41 the edits are one step each for the Undo of the editor', async function () {
    this.timeout(120_000);
    await changeSignature();
    answer = async () => both();
    await run();
    await show('a.ts');
    await vscode.commands.executeCommand('undo');
    await waitFor('the text of before', async () => (await textOf('a.ts')) === texts['a.ts']);
  });

  it('F41 what was typed meanwhile stays: its lines are found again, and what changed itself is left out', async function () {
    this.timeout(120_000);
    await changeSignature();
    answer = async () => {
      await replace('a.ts', 'import', '// new\n// lines\nimport');
      await replace('b.ts', "'b'", "'typed'");
      return both();
    };
    await run();
    assert.match(
      await textOf('a.ts'),
      /^\/\/ new\r\n\/\/ lines\r\nimport.*\r\n\r\nexport const a = parse\(' a ', 1\);\r\n$/,
    );
    assert.equal(await textOf('b.ts'), texts['b.ts'].replace("'b'", "'typed'"));
    assert.deepEqual(told, ['1 place changed · 1 left out because the lines changed · $0.0003']);
  });

  it('F41 after Stop, and of an answer that was cut, nothing is written', async function () {
    this.timeout(120_000);
    await changeSignature();
    answer = async () => ({ ...both(), finish: 'length' });
    await run();
    answer = async () => {
      stopping.cancel();
      return both();
    };
    await run();
    assert.equal(requests.length, 2, told.join('; '));
    assert.deepEqual(told, ['Part of the answer is missing, so nothing was changed · $0.0003', 'Stopped · $0.0003']);
    assert.equal(store.all().length, 0);
    for (const name of ['a.ts', 'b.ts'] as const) assert.equal(await textOf(name), texts[name]);
  });

  it('F41 sends nothing where there is no change, no other place, or a model that takes no tools', async () => {
    await show('c.ts');
    await run();
    await replace('c.ts', 'Nothing', 'Everything');
    // An ignored file with unsaved changes is no part of what was changed.
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), '.gitignore'), Buffer.from('b.ts\n'));
    await replace('b.ts', 'parse', 'other');
    await run();
    isAccepting = false;
    await run();
    assert.deepEqual(told, [
      'No change was found. Change some lines first, or put the cursor on a change.',
      'No other place was found that this change concerns. Nothing was sent · $0',
      "m doesn't accept tools, which this needs. Select another model.",
    ]);
    assert.equal(requests.length, 0);
  });

  it('F41 a saved text is compared with the last commit, before anything is known of it', async function () {
    this.timeout(120_000);
    const git = gitIn(folder().fsPath);
    await git('init');
    await git('add', '.');
    await git('commit', '-m', 'First');
    const editor = await show('c.ts');
    await replace('c.ts', "JSON.parse('1')", 'oldText + 1');
    await editor.document.save();
    await git('commit', '-am', 'Second');
    const { document: other } = await show('b.ts');
    await replace('b.ts', "'b'", 'oldText');
    assert.ok(await other.save());
    await show('c.ts');
    await waitFor(
      'VS Code to know the repository',
      async () => (await repositoryHolding(uriOf('c.ts'))) !== undefined,
      {
        timeoutMs: 60_000,
      },
    );
    await replace('c.ts', 'oldText', 'newText');
    await editor.document.save();
    // Another editor was in front: this one is a new object.
    const { activeTextEditor = assert.fail() } = vscode.window;
    activeTextEditor.selection = new vscode.Selection(1, 0, 1, 0);
    answer = async () => ({ text: 'Nothing.' });
    await run();
    assert.deepEqual(told, ['No related code to update · $0.0003']);
    assert.match(
      requests[0]?.messages[1]?.text ?? '',
      /- export const c = oldText \+ 1;\n\+ export const c = newText \+ 1;/,
    );
    assert.match(requests[0]?.messages[1]?.text ?? '', /File: next\d\/b\.ts/);
  });

  it('F41 from its first use on it knows what was typed and saved, but not what a model wrote', async function () {
    this.timeout(120_000);
    await changeSignature();
    answer = async () => both();
    await run();
    const { document } = await show('c.ts');
    await replace('c.ts', 'export const c', 'export const parsed');
    assert.ok(await document.save());
    await replace('a.ts', 'export const a', 'export const c');
    await show('c.ts');
    await run();
    const sent = requests[1]?.messages[1]?.text ?? '';
    const [change = '', excerpts] = sent.split('Excerpts:');
    assert.ok(excerpts, told.join('; '));
    assert.match(change, /- export const c = .*\n\+ export const parsed = /);
    assert.match(change, /\+ export function parse\(text: string, mode: number\) \{/);
    assert.doesNotMatch(change, /a\.ts|b\.ts/);
  });

  it('F41 asked again it goes on with the places that were left, and then begins anew', async function () {
    this.timeout(120_000);
    const rows = Array.from({ length: 400 }, (_, at) => (at % 20 === 10 ? `oldText(${at});` : '//'));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), 'many.ts'), Buffer.from(rows.join('\n')));
    const { document } = await show('c.ts');
    await replace('c.ts', "JSON.parse('1')", 'oldText(1)');
    assert.ok(await document.save());
    await replace('c.ts', 'oldText', 'newText');
    answer = async () => ({ text: 'Nothing.' });
    for (let round = 0; round < 3; round++) await run();
    const sent = requests.map(({ messages }) =>
      [...(messages[1]?.text ?? '').matchAll(/^oldText\((\d+)\);/gm)].map((match) => Number(match[1])),
    );
    assert.deepEqual(
      sent.map((own) => [own[0], own.length]),
      [
        [10, 12],
        [250, 8],
        [10, 12],
      ],
    );
    assert.deepEqual(told, [
      'No related code to update · looked at 12 of 20 places · $0.0003',
      'No related code to update · $0.0003',
      'No related code to update · looked at 12 of 20 places · $0.0003',
    ]);
  });

  it('F41 looks at nothing as one types, before its first use and after it', async function () {
    this.timeout(120_000);
    const heard: string[] = [];
    for (const [target, name] of [
      [vscode.workspace, 'onDidChangeTextDocument'],
      [vscode.workspace, 'onDidSaveTextDocument'],
      [vscode.window, 'onDidChangeActiveTextEditor'],
      [vscode.window, 'onDidChangeTextEditorSelection'],
    ] as const) {
      const known = Reflect.get(target, name) as vscode.Event<unknown>;
      stub(target, name, (...args: Parameters<typeof known>) => {
        heard.push(name);
        return known(...args);
      });
    }
    assert.deepEqual(heard, []);
    await show('c.ts');
    await replace('c.ts', 'Nothing', 'Everything');
    await run();
    assert.deepEqual(heard, ['onDidChangeActiveTextEditor', 'onDidSaveTextDocument']);
  });
});
