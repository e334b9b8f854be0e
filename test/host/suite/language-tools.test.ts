import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Tool } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createExternalTools } from '../../../src/tools/external-tools.ts';
import { getChanges } from '../../../src/tools/get-changes.ts';
import { findReferences } from '../../../src/tools/language/find-references.ts';
import { getProblems } from '../../../src/tools/language/get-problems.ts';
import { getSymbols } from '../../../src/tools/language/get-symbols.ts';
import { goToDefinition } from '../../../src/tools/language/go-to-definition.ts';
import { createCustomizations } from '../../../src/vscode/workspace/customizations-adapter.ts';
import { createGit } from '../../../src/vscode/workspace/git-adapter.ts';
import { createLanguage } from '../../../src/vscode/workspace/language-adapter.ts';
import { createLmTools } from '../../../src/vscode/workspace/lm-tools-adapter.ts';
import { createSearch } from '../../../src/vscode/workspace/search-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { runTool } from '../../support/tool-context.ts';

/** A language of our own: no extension answers for it but this test. */
const selector: vscode.DocumentSelector = { pattern: '**/*.lang' };

describe('language tools in the real editor', () => {
  const { workspace, files } = createWorkspace();
  const language = createLanguage({ workspace, clock: systemClock });
  const own = vscode.extensions.getExtension('svc.svc-assistant');
  const search = createSearch({
    workspace,
    files,
    regexThread: path.join(own?.extensionPath ?? '', 'dist/regex-thread.js'),
    ripgrepPath: () => '',
    log: () => undefined,
  });
  const deps = { workspace, files, search, language };
  const owned: vscode.Disposable[] = [];
  let check: (uri: vscode.Uri, message: string) => void = () => undefined;
  const folder = () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first !== undefined);
    return first.uri;
  };
  const write = async (path: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), path), Buffer.from(text));
  const answer = async (tool: Tool, args: object) => (await runTool(tool, args)).forModel;

  before(async () => {
    await write('lang/one.lang', 'define alpha\n\ncall alpha\n');
    await write('lang/two.lang', 'call alpha\ncall wrong\n');
    const one = vscode.Uri.joinPath(folder(), 'lang/one.lang');
    const two = vscode.Uri.joinPath(folder(), 'lang/two.lang');
    const at = (uri: vscode.Uri, line: number) => new vscode.Location(uri, new vscode.Range(line, 5, line, 10));
    const word = (document: vscode.TextDocument, position: vscode.Position) => {
      const text = document.getText(document.getWordRangeAtPosition(position));
      return text === 'alpha';
    };
    const problems = vscode.languages.createDiagnosticCollection('lang');
    check = (uri, message) => {
      const diagnostic = new vscode.Diagnostic(new vscode.Range(1, 5, 1, 10), message);
      diagnostic.source = 'lang';
      diagnostic.code = 7;
      const hint = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Grey.', vscode.DiagnosticSeverity.Hint);
      problems.set(uri, [diagnostic, hint]);
    };
    owned.push(
      problems,
      vscode.languages.registerDocumentSymbolProvider(selector, {
        provideDocumentSymbols: () => {
          const range = new vscode.Range(0, 0, 2, 10);
          const symbol = new vscode.DocumentSymbol('alpha', '', vscode.SymbolKind.Function, range, range);
          symbol.children.push(
            new vscode.DocumentSymbol('inner', '', vscode.SymbolKind.Variable, at(one, 2).range, at(one, 2).range),
          );
          return [symbol];
        },
      }),
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          query === 'alph'
            ? [new vscode.SymbolInformation('alpha', vscode.SymbolKind.Function, 'lang', at(one, 0))]
            : [],
      }),
      vscode.languages.registerDefinitionProvider(selector, {
        provideDefinition: (document, position) => (word(document, position) ? at(one, 0) : undefined),
      }),
      vscode.languages.registerReferenceProvider(selector, {
        provideReferences: (document, position) =>
          word(document, position)
            ? [at(one, 0), at(one, 2), at(two, 0), at(vscode.Uri.file('/elsewhere/lib.lang'), 4)]
            : [],
      }),
      // As a checker does: it looks at a file once it is open.
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (!document.uri.path.endsWith('two.lang')) return;
        check(document.uri, 'There is no wrong.');
      }),
    );
  });
  after(async () => {
    language.dispose();
    for (const disposable of owned) disposable.dispose();
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'lang'), { recursive: true });
  });

  it('F13 get_problems opens a file that nobody looked at, waits for its checker, and leaves hints out', async () => {
    const tool = getProblems.create(deps);
    assert.equal(await answer(tool, { path: 'lang/two.lang' }), 'lang/two.lang:2:6 error (lang 7): There is no wrong.');
    assert.match(await answer(tool, { path: 'lang' }), /^lang\/two\.lang:2:6 error/);
    assert.match(await answer(tool, { path: 'lang/one.lang' }), /^No problems/);
  });

  it('F13 get_problems waits for the checker after a change, so that it does not tell of what was', async () => {
    const uri = vscode.Uri.joinPath(folder(), 'lang/two.lang');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(2, 0), 'call worse\n');
    await vscode.workspace.applyEdit(edit);
    const asked = answer(getProblems.create(deps), { path: 'lang/two.lang' });
    setTimeout(() => check(uri, 'There is no worse.'), 300);
    assert.match(await asked, /There is no worse\.$/);
    await vscode.workspace.save(uri);
  });

  it('F36 after edits the checker that looks at such files is waited for, and what it says is told', async () => {
    const uri = vscode.Uri.joinPath(folder(), 'lang/two.lang');
    const end = language.watchEdits();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(2, 0), 'call third\n');
    await vscode.workspace.applyEdit(edit);
    const ended = end(new AbortController().signal);
    setTimeout(() => check(uri, 'There is no third.'), 300);
    const { before, after, changed, isComplete } = await ended;
    const messages = (problems: typeof before) =>
      problems.filter(({ place }) => place.path === 'lang/two.lang').map(({ message }) => message);
    assert.doesNotMatch(messages(before).join(), /third/);
    assert.deepEqual(messages(after), ['There is no third.']);
    assert.deepEqual(
      changed.map(({ path }) => path),
      ['lang/two.lang'],
    );
    assert.ok(isComplete);
    await vscode.workspace.save(uri);
    assert.deepEqual((await language.watchEdits()(new AbortController().signal)).changed, []);
  });

  it('F13 get_symbols gives outlines and symbols of the workspace', async () => {
    const tool = getSymbols.create(deps);
    assert.equal(
      await answer(tool, { path: 'lang/one.lang' }),
      'lang/one.lang:\n1–3 function alpha\n 3 variable inner',
    );
    assert.match(await answer(tool, { query: 'alph' }), /^lang\/one\.lang:1 function alpha in lang/);
  });

  it('F13 go_to_definition and find_references take a line and a name', async () => {
    const use = { path: 'lang/two.lang', line: 1, symbol: 'alpha' };
    assert.equal(await answer(goToDefinition.create(deps), use), 'lang/one.lang\n1: define alpha');
    assert.equal(
      await answer(findReferences.create(deps), use),
      'lang/one.lang\n1: define alpha\n3: call alpha\nlang/two.lang\n1: call alpha\nlib.lang:5 (outside the workspace)',
    );
    assert.match(
      await answer(goToDefinition.create(deps), { ...use, line: 2, symbol: 'wrong' }),
      /^No definition of wrong/,
    );
  });

  it('F13 the TypeScript that comes with the editor answers for the sample workspace', async function () {
    this.timeout(120_000);
    await vscode.extensions.getExtension('vscode.typescript-language-features')?.activate();
    const text = await answer(getSymbols.create(deps), { path: 'src/cart.ts' }).catch((error: unknown) =>
      String(error),
    );
    if (/knows no symbols/.test(text)) this.skip();
    assert.match(text, /^src\/cart\.ts:\n(.*\n)*.*(function|interface|class|constant) \w+/);
  });

  it('F13 get_changes runs the git of the editor', async () => {
    const git = createGit();
    const [root] = workspace.roots();
    assert.ok(root !== undefined);
    if (!git.isRepository(root)) {
      await assert.rejects(answer(getChanges.create({ workspace, git }), {}), /No open folder is under git/);
      return;
    }
    assert.notEqual(await answer(getChanges.create({ workspace, git }), {}), '');
  });

  it('F20 tools of others come only when picked, and answer through the editor', async () => {
    const external = createLmTools();
    assert.ok(Array.isArray(external.list()));
    const deps = { workspace, external, picked: () => [], loadAbove: () => 0, keepImage: () => assert.fail() };
    assert.deepEqual(createExternalTools(deps)({ own: [], conversationId: 'c', keep: (tools) => tools }), []);
    await assert.rejects(external.invoke('no_such_tool', {}, new AbortController().signal), { name: 'ToolError' });
  });

  it('F21 instructions and prompt files of the workspace are found, shown and read again', async () => {
    const errors: unknown[] = [];
    const search = { text: () => assert.fail(), files: () => assert.fail('only where there is no disk') };
    const memento = { keys: () => [], get: () => undefined, update: async () => undefined } as vscode.Memento;
    const instructions = createCustomizations({
      workspace,
      files,
      search,
      regexThread: '/nowhere',
      memento,
      onError: (error) => errors.push(error),
    });
    await write('lang/AGENTS.md', 'Speak lang.\n');
    await write('.github/prompts/tidy.prompt.md', '---\ndescription: Tidy up\n---\nTidy the code.\n');
    await instructions.refresh();
    assert.deepEqual(errors, []);
    assert.match(instructions.rules(['lang/one.lang']), /<instructions path="lang\/AGENTS\.md">\nSpeak lang\.\n/);
    const shown = instructions.overview(['lang/one.lang']);
    assert.deepEqual(
      shown.map(({ file, standing }) => `${file.path} ${standing.group}`),
      ['.github/prompts/tidy.prompt.md waiting', 'lang/AGENTS.md sent'],
    );
    assert.deepEqual(
      instructions.promptFiles().map(({ name, description }) => `${name}: ${description}`),
      ['tidy: Tidy up'],
    );
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), '.github'), { recursive: true });
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'lang/AGENTS.md'));
    await instructions.refresh();
    assert.equal(instructions.rules(['lang/one.lang']), '');
    assert.deepEqual(instructions.promptFiles(), []);
  });
});
