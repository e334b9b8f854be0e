import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type CodeActions, registerCodeActions } from '../../../src/vscode/commands/code-actions.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { useService } from '../use-service.ts';

describe('code actions', () => {
  const service = useService();
  let uri: vscode.Uri;
  let problems: vscode.DiagnosticCollection;
  let second: CodeActions;
  const problemRange = new vscode.Range(4, 2, 4, 8);

  before(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    uri = vscode.Uri.joinPath(folder.uri, 'README.md');
    await vscode.extensions.getExtension('svc.svc-assistant')?.activate();
    await vscode.window.showTextDocument(uri);
    problems = vscode.languages.createDiagnosticCollection('svc-test');
    problems.set(uri, [new vscode.Diagnostic(problemRange, 'Spelled oddly', vscode.DiagnosticSeverity.Warning)]);
    second = registerCodeActions(() => true);
  });
  after(() => {
    problems.dispose();
    second.dispose();
  });

  /** Each comes twice: of the extension and of the provider that this test looks into. */
  const offered = async (range: vscode.Range, kind?: string, resolve = 0): Promise<vscode.CodeAction[]> => {
    const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      range,
      kind,
      resolve,
    );
    return all.filter(({ title }) => title.startsWith('svc: '));
  };
  const titlesOf = async (range: vscode.Range, kind?: string) => [
    ...new Set((await offered(range, kind)).map(({ title }) => title)),
  ];

  it('F22 offers for a selection what can be asked about it, in its kinds, never as the preferred one', async () => {
    let actions: vscode.CodeAction[] = [];
    // A list that is asked for while the document is still being taken in comes back empty.
    await waitFor('the actions', async () => {
      actions = await offered(new vscode.Range(0, 0, 2, 0));
      return actions.length > 0;
    });
    assert.deepEqual([...new Set(actions.map(({ title, kind }) => `${title} ${kind?.value}`))].sort(), [
      'svc: Add Documentation refactor.rewrite.svc.doc',
      'svc: Add Tests svc',
      'svc: Edit Inline… refactor.rewrite.svc',
      'svc: Explain svc',
      'svc: Refactor refactor.rewrite.svc',
      'svc: Review svc',
    ]);
    for (const { isPreferred, command } of actions) {
      assert.notEqual(isPreferred, true);
      assert.equal(command?.arguments, undefined);
    }
  });

  it('F22 offers at most three above "More Actions…", fix and explain first', async () => {
    const above = async (range: vscode.Range, kind?: string) => [
      ...new Set(
        (await offered(range, kind)).flatMap(({ title, kind: of }) =>
          /^(?:quickfix|refactor)/.test(of?.value ?? '') ? title : [],
        ),
      ),
    ];
    const around = new vscode.Selection(4, 0, 5, 0);
    /** A list that is asked for while the document or its problems are still being taken in comes back empty. */
    const whole = async (range: vscode.Range, of: { title: string; kind?: string }) => {
      let titles: string[] = [];
      await waitFor(`the actions with ${of.title}`, async () => {
        titles = await above(range, of.kind);
        return titles.includes(of.title);
      });
      return titles;
    };
    const problem = await whole(around, { title: 'svc: Explain Problem' });
    assert.deepEqual(problem, ['svc: Fix', 'svc: Explain Problem', 'svc: Edit Inline…']);
    const edit = 'svc: Edit Inline…';
    assert.equal((await whole(new vscode.Selection(0, 0, 2, 0), { title: edit })).length, 3);
    const menu = await whole(around, { title: edit, kind: 'refactor' });
    assert.equal(menu.length, 3, 'the menu of refactorings has them all');
  });

  it('F22 offers nothing where nothing is selected and nothing is wrong', async () => {
    assert.deepEqual(await titlesOf(new vscode.Selection(0, 0, 0, 0)), []);
  });

  it('F22 offers quick fixes that are bound to the problem, also where the cursor is not', async () => {
    let titles: string[] = [];
    // Problems reach the editor's side, which asks for actions, on their own.
    await waitFor('the problem', async () => {
      titles = await titlesOf(problemRange);
      return titles.length > 0;
    });
    assert.deepEqual(titles.sort(), ['svc: Add to Chat', 'svc: Explain Problem', 'svc: Fix']);
    const fixes = await offered(problemRange, 'quickfix');
    assert.deepEqual([...new Set(fixes.map(({ title }) => title))].sort(), ['svc: Explain Problem', 'svc: Fix']);
    await offered(problemRange, 'svc', 10);
    assert.deepEqual(second.argumentsOf('svc.fix'), [], 'another one was picked');
    await offered(problemRange, 'svc', 10);
    const target = { uri: uri.toString(), startLine: 5, endLine: 5 };
    assert.deepEqual(second.argumentsOf('svc.addToChat'), [target]);
    assert.deepEqual(second.argumentsOf('svc.addToChat'), [], 'once');
  });

  it('F22 still knows the problem that was picked when the editor asks for it again, and not when it asks for others', async () => {
    const target = { uri: uri.toString(), startLine: 5, endLine: 5 };
    await offered(problemRange, 'svc', 10);
    await offered(new vscode.Selection(problemRange.start, problemRange.end));
    assert.deepEqual(second.argumentsOf('svc.addToChat'), [target]);
    await offered(problemRange, 'svc', 10);
    await offered(new vscode.Range(0, 0, 2, 0));
    assert.deepEqual(second.argumentsOf('svc.addToChat'), []);
  });

  it('F22 offers nothing while svc.codeActions.enabled is off', async () => {
    const configuration = vscode.workspace.getConfiguration('svc');
    await configuration.update('codeActions.enabled', false, vscode.ConfigurationTarget.Global);
    try {
      assert.equal((await offered(problemRange)).length, 3, 'those of the provider of this test alone');
    } finally {
      await configuration.update('codeActions.enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('P17 X30 sends nothing for all of that', () => {
    assert.deepEqual(service().requests, []);
  });
});
