import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Search, Workspace } from '../../../../src/files/workspace.ts';
import * as fake from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const adapter = <T>(name: string) =>
  importWithVscodeStub<T>(new URL(`../../../../src/vscode/workspace/${name}.ts`, import.meta.url));
const { createWorkspace } =
  await adapter<typeof import('../../../../src/vscode/workspace/workspace-adapter.ts')>('workspace-adapter');
const { createLanguage } =
  await adapter<typeof import('../../../../src/vscode/workspace/language-adapter.ts')>('language-adapter');
const { repositoryHolding } =
  await adapter<typeof import('../../../../src/vscode/workspace/repository-changes.ts')>('repository-changes');
const { findWorkspaceFiles } =
  await adapter<typeof import('../../../../src/vscode/workspace/find-workspace-files.ts')>('find-workspace-files');
const { pathIn, placeOf, uriOfPlace, openDocument } =
  await adapter<typeof import('../../../../src/vscode/workspace/place-uri.ts')>('place-uri');

const uri = (path: string, authority = '') =>
  fake.Uri.from({ scheme: 'file', authority, path }) as unknown as vscode.Uri;
/** The editor, Git, Explorer and language servers each write the letter of a drive as they like. */
const folder = uri('/c:/Users/Ada/My Shop');
const other = (path: string) => uri(`/C:/Users/Ada/My Shop/${path}`);

function opened(at: vscode.Uri, text: string, isDirty = true) {
  return { uri: at, isDirty, isClosed: false, languageId: 'typescript', getText: () => text };
}

function openFolders(...folders: vscode.Uri[]): Workspace {
  Object.assign(fake.workspace, {
    workspaceFolders: folders.map((at) => ({ uri: at, name: at.path.split('/').at(-1) })),
    textDocuments: [],
    onDidChangeTextDocument: new fake.EventEmitter().event,
    onDidCloseTextDocument: new fake.EventEmitter().event,
  });
  Object.assign(fake.languages, { onDidChangeDiagnostics: new fake.EventEmitter().event });
  return createWorkspace().workspace;
}

describe('adapters, for addresses as Windows has them', () => {
  beforeEach(() => fake.reset());

  it('F13 the open folder is a root with the path that programs of the system take', () => {
    const [root] = openFolders(folder).roots();
    assert.equal(root?.name, 'My Shop');
    assert.equal(root.uri, 'file:///c%3A/Users/Ada/My%20Shop');
    const isWindows = process.platform === 'win32';
    assert.equal(root.fsPath, isWindows ? 'c:\\Users\\Ada\\My Shop' : 'c:/Users/Ada/My Shop');
    const place = { root, path: 'src/grün.ts' };
    assert.equal(String(uriOfPlace(place)), 'file:///c%3A/Users/Ada/My%20Shop/src/gr%C3%BCn.ts');
  });

  it('F13 a share is a root of its own machine', () => {
    const share = uri('/team/shop', 'server');
    const workspace = openFolders(share, folder);
    const [root] = workspace.roots();
    if (process.platform === 'win32') assert.equal(root?.fsPath, '\\\\server\\team\\shop');
    assert.equal(placeOf(workspace, uri('/team/shop/a.ts', 'server'))?.path, 'a.ts');
    for (const [path, host] of [
      ['/team/shop/a.ts', ''],
      ['/team/shop/a.ts', 'server2'],
      ['/team/shop-2/a.ts', 'server'],
    ] as const)
      assert.equal(placeOf(workspace, uri(path, host)), undefined, `${host}${path}`);
  });

  it('F14 text that is typed and not saved is found whatever letter the drive has', () => {
    const workspace = openFolders(folder);
    const [root] = workspace.roots();
    assert.ok(root);
    Object.assign(fake.workspace, { textDocuments: [opened(other('src/a.ts'), 'typed')] });
    assert.equal(workspace.unsavedText({ root, path: 'src/a.ts' }), 'typed');
    assert.deepEqual(workspace.unsavedIn(root), [{ root, path: 'src/a.ts' }]);
    assert.equal(openDocument(uriOfPlace({ root, path: 'src/a.ts' }))?.getText(), 'typed');
  });

  it('F13 definitions and problems of a language server are inside', async () => {
    const workspace = openFolders(folder);
    const [root] = workspace.roots();
    assert.ok(root);
    const range = new fake.Range(4, 0, 4, 3);
    fake.person.run = async (command: unknown) =>
      command === 'vscode.executeDefinitionProvider'
        ? [
            new fake.Location(other('src/b.ts') as unknown as fake.Uri, range),
            { targetUri: uri('/D:/lib/c.ts'), targetRange: range },
          ]
        : undefined;
    Object.assign(fake.workspace, { openTextDocument: async (at: vscode.Uri) => opened(at, '', false) });
    fake.languages.getDiagnostics = () => [[other('src/b.ts'), [{ severity: 0, message: 'no', range }]]];
    const language = createLanguage({ workspace, clock: systemClock });
    const found = await language.definitions({ root, path: 'src/a.ts' }, 1, 1);
    assert.deepEqual(
      found.map(({ place, name, line }) => [place?.path, name, line]),
      [
        ['src/b.ts', 'b.ts', 5],
        [undefined, 'c.ts', 5],
      ],
    );
    const problems = await language.problems(undefined, new AbortController().signal);
    assert.deepEqual(
      problems.map(({ place }) => place.path),
      ['src/b.ts'],
    );
    language.dispose();
  });

  it('F24 a file belongs to the innermost repository around it', async () => {
    const repositories = [folder, uri('/c:/Users/Ada/My Shop/libs/pay')].map((rootUri) => ({ rootUri }));
    const api = { enabled: true, getAPI: () => ({ repositories }) };
    Object.assign(fake.extensions, {
      getExtension: () => ({ isActive: true, activate: async () => api, exports: api }),
    });
    assert.equal((await repositoryHolding(other('libs/pay/a.ts')))?.rootUri, repositories[1]?.rootUri);
    assert.equal((await repositoryHolding(other('src/a.ts')))?.rootUri, folder);
    assert.equal(await repositoryHolding(uri('/d:/Users/Ada/My Shop/src/a.ts')), undefined);
  });

  it('F7 files that the editor finds are those of the folder', async () => {
    const [root] = openFolders(folder).roots();
    assert.ok(root);
    const there = [other('src/a.ts'), uri('/c:/Users/Ada/My Shop 2/b.ts')];
    Object.assign(fake.workspace, { findFiles: async () => there });
    const found = await findWorkspaceFiles({} as Search, { root, glob: '**/*', maxFiles: 9 });
    assert.deepEqual(
      found.map(({ path }) => path),
      ['src/a.ts'],
    );
  });

  it('F14 the way into a folder is told for the folder itself and a whole drive', () => {
    assert.equal(pathIn(folder, uri('/C:/Users/Ada/My Shop/')), '');
    assert.equal(pathIn(uri('/c:/'), uri('/C:/a/b.ts')), 'a/b.ts');
    assert.equal(pathIn(uri('/'), uri('/a')), 'a');
    assert.equal(pathIn(folder, uri('/C:/Users/Ada')), undefined);
  });
});
