import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Search, Workspace } from '../../../../src/files/workspace.ts';
import { type RelativePattern, reset, Uri, workspace } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { findWorkspaceFiles } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/workspace/find-workspace-files.ts')
>(new URL('../../../../src/vscode/workspace/find-workspace-files.ts', import.meta.url));
const { placeOf, uriOfPlace, statOf } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/workspace/place-uri.ts')
>(new URL('../../../../src/vscode/workspace/place-uri.ts', import.meta.url));

describe('files of the workspace', () => {
  beforeEach(reset);

  it('are looked for by the editor on this disk, and only what lies in the folder counts', async () => {
    const asked: unknown[] = [];
    Object.assign(workspace, {
      findFiles: async ({ base, pattern }: RelativePattern, exclude: string, max: number) => {
        asked.push([String(base), pattern, exclude, max]);
        return ['/ws/a.ts', '/ws/b/c.ts', '/wsx/d.ts'].map(Uri.file);
      },
    });
    const root = { name: 'ws', uri: 'file:///ws', fsPath: '/ws' };
    const found = await findWorkspaceFiles({} as Search, { root, glob: '**/*.ts', exclude: 'x', maxFiles: 5 });
    assert.deepEqual(
      found.map(({ path }) => path),
      ['a.ts', 'b/c.ts'],
    );
    assert.deepEqual(asked, [['file:///ws', '**/*.ts', 'x', 5]]);
  });

  it('are walked in a folder that is not on this disk, until there are enough', async () => {
    const root = { name: 'v', uri: 'mem:///v' };
    const walked: string[] = [];
    const search = {
      async files(_from: unknown, onFile: (place: object) => boolean) {
        for (const path of ['a.md', 'b.ts', 'c.ts', 'd.ts', 'e.ts']) {
          walked.push(path);
          if (!onFile({ root, path })) return;
        }
      },
    } as unknown as Search;
    const found = await findWorkspaceFiles(search, { root, glob: '**/*.ts', maxFiles: 2 });
    assert.deepEqual([found.map(({ path }) => path), walked.at(-1)], [['b.ts', 'c.ts'], 'c.ts']);
  });

  it('X05 have places only inside an open folder, of its kind and its machine', async () => {
    const root = { name: 'ws', uri: 'file:///ws' };
    const roots = { roots: () => [{ name: 'o', uri: 'file:///other/' }, root] } as unknown as Parameters<
      typeof placeOf
    >[0];
    const pathOf = (uri: Uri) => placeOf(roots, uri as unknown as Parameters<typeof placeOf>[1])?.path;
    assert.deepEqual(
      ['/ws/a.ts', '/other/b', '/ws', '/wsx/a.ts', '/a'].map((path) => pathOf(Uri.file(path))),
      ['a.ts', 'b', undefined, undefined, undefined],
    );
    assert.equal(pathOf(Uri.from({ scheme: 'mem', path: '/ws/a.ts' })), undefined);
    assert.equal(pathOf(Uri.from({ scheme: 'file', authority: 'host', path: '/ws/a.ts' })), undefined);
    assert.equal(String(uriOfPlace({ root, path: 'a/b.ts' })), 'file:///ws/a/b.ts');
    const gone = Uri.file('/gone') as unknown as Parameters<typeof statOf>[0];
    assert.equal(await statOf(gone), undefined);
    workspace.fs = { ...workspace.fs, stat: () => Promise.reject(new Error('no right')) };
    await assert.rejects(statOf(gone), /no right/);
  });

  it('F14 a drive is the same however the editor writes its letter', () => {
    const root = { name: 'ws', uri: 'file:///c:/ws', fsPath: 'c:\\ws' };
    const folders = { roots: () => [root] } as unknown as Workspace;
    const pathOf = (path: string) =>
      placeOf(folders, Uri.from({ scheme: 'file', path }) as unknown as Parameters<typeof placeOf>[1])?.path;
    for (const path of ['/C:/ws/a.ts', '/c:/ws/a.ts']) assert.equal(pathOf(path), 'a.ts', path);
    for (const path of ['/d:/ws/a.ts', '/C:/wsx/a.ts', '/C:/WS/a.ts']) assert.equal(pathOf(path), undefined, path);
  });
});
