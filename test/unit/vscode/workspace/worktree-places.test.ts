import assert from 'node:assert/strict';
import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { displayPath } from '../../../../src/files/workspace.ts';
import type { Worktree } from '../../../../src/shared/events.ts';
import { extensions, reset } from '../../../support/fake-vscode.ts';
import { gitIn } from '../../../support/git-in.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createWorktreePlaces } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/workspace/worktree-places.ts')
>(new URL('../../../../src/vscode/workspace/worktree-places.ts', import.meta.url));

function placesIn(dir: string, worktrees: Readonly<Record<string, Worktree | undefined>>) {
  return createWorktreePlaces({
    ...{ dir, regexThread: '', ripgrepPath: () => '', log: () => undefined },
    worktreeOf: (id) => worktrees[id],
    conversationIds: () => Object.keys(worktrees),
  });
}

const dir = path.resolve('/storage/worktrees');
const folder = path.join(dir, 'website-1');
const worktree = (change: Partial<Worktree> = {}): Worktree => ({
  ...{ folder, repository: '/home/me/website', roots: [{ name: 'website', path: '' }], files: 0 },
  ...change,
});

describe('places of conversations that work in worktrees', () => {
  beforeEach(() => {
    reset();
    Object.assign(extensions, { getExtension: () => undefined });
  });

  it('F39 have the folders of the workspace by its names, each where it is in the worktree', () => {
    const roots = [
      { name: 'website', path: '' },
      { name: 'home-api', path: 'packages/api' },
    ];
    const places = placesIn(dir, { c: worktree({ roots }), d: undefined });
    const place = places.of('c') ?? assert.fail();
    assert.deepEqual(
      place.workspace.roots().map(({ name, fsPath }) => [name, path.normalize(fsPath ?? '')]),
      [
        ['website', path.join(folder, path.sep)],
        ['home-api', path.join(folder, 'packages', 'api')],
      ].map(([name, at]) => [name, path.resolve(at ?? '')]),
    );
    const [, api] = place.workspace.roots();
    assert.ok(api);
    assert.equal(displayPath(place.workspace, { root: api, path: 'a.ts' }), 'home-api/a.ts');
    assert.deepEqual(places.roots(), place.workspace.roots());
    assert.equal(places.holding(api), place.workspace);
    assert.equal(places.holding({ name: 'home-api', uri: 'file:///home/me/website/packages/api' }), undefined);
    assert.equal(places.of('d'), undefined);
    assert.equal(places.of('unknown'), undefined);
  });

  for (const [what, change] of [
    ['a folder above', { folder: path.join(dir, '..') }],
    ['a way out of the folder of worktrees', { folder: `${folder}${path.sep}..${path.sep}..${path.sep}website` }],
    ['another folder', { folder: path.resolve('/home/me/website') }],
    ['a folder beside it that begins like it', { folder: `${dir}-other${path.sep}website-1` }],
    ['the folder of all worktrees', { folder: dir }],
    ['a folder in a worktree', { folder: path.join(folder, 'src') }],
    ['a relative folder', { folder: 'website-1' }],
    ['no folder', { folder: '' }],
    ['a part that is an absolute path', { roots: [{ name: 'etc', path: path.resolve('/etc') }] }],
    ['a part outside', { roots: [{ name: 'etc', path: '../../../etc' }] }],
    ['a part outside by a detour', { roots: [{ name: 'etc', path: 'src/../../website-2' }] }],
    ['a part outside with the other slash', { roots: [{ name: 'etc', path: 'src\\..\\..\\website-2' }] }],
    ['a part outside beside one inside', { roots: [...worktree().roots, { name: 'etc', path: '..' }] }],
  ] satisfies [string, Partial<Worktree>][]) {
    it(`F39 X05 are none for a stored conversation that names ${what}`, async () => {
      const places = placesIn(dir, { c: worktree(change) });
      assert.equal(places.of('c'), undefined);
      assert.deepEqual([places.roots(), await places.borrowed('c')], [[], []]);
    });
  }

  it('F39 are made once for as long as a conversation works in one folder', () => {
    const worktrees: Record<string, Worktree | undefined> = { c: worktree() };
    const places = placesIn(dir, worktrees);
    const first = places.of('c');
    worktrees.c = worktree({ files: 2 });
    assert.ok(first && places.of('c') === first);
    worktrees.c = worktree({ folder: path.join(dir, 'website-2') });
    const second = places.of('c');
    assert.equal(second?.worktree.folder, path.join(dir, 'website-2'));
    worktrees.c = undefined;
    assert.deepEqual([places.of('c'), places.roots()], [undefined, []]);
    worktrees.c = worktree({ folder: path.join(dir, 'website-2') });
    assert.ok(places.of('c') !== second);
  });
});

describe('packages that a worktree borrows from its repository', () => {
  beforeEach(() => {
    reset();
    Object.assign(extensions, { getExtension: () => undefined });
  });

  async function withWorktree(
    use: (made: {
      repository: string;
      folder: string;
      borrowed(id?: string): Promise<{ source: string; target: string }[]>;
    }) => Promise<void>,
  ) {
    await withTempDir(async (top) => {
      const [repository, all] = [path.join(top, 'website'), path.join(top, 'worktrees')];
      const own = path.join(all, 'website-1');
      const git = gitIn(repository);
      await mkdir(path.join(repository, 'packages', 'api'), { recursive: true });
      await mkdir(path.join(repository, 'docs'));
      await git('init');
      await writeFile(path.join(repository, '.gitignore'), 'node_modules\nignored\n');
      for (const name of ['package.json', 'packages/api/package.json', 'docs/a.md'])
        await writeFile(path.join(repository, name), '{}');
      await git('add', '-A');
      await git('commit', '-m', 'First');
      await mkdir(all);
      await git('worktree', 'add', '--detach', own);
      const worktrees = { c: worktree({ folder: own, repository }), d: undefined, e: worktree({ repository }) };
      const places = placesIn(all, worktrees);
      await use({ repository, folder: own, borrowed: (id = 'c') => places.borrowed(id) });
    });
  }

  const packagesIn = (...parts: string[]) =>
    mkdir(path.join(...parts, 'node_modules', 'left-pad'), { recursive: true });

  it('F39 are those beside the manifests that git knows, and nothing for other conversations', async () => {
    await withWorktree(async ({ repository, folder: own, borrowed }) => {
      assert.deepEqual(await borrowed(), []);
      for (const name of ['', 'packages/api', 'docs', 'ignored']) await packagesIn(repository, name);
      await writeFile(path.join(repository, 'ignored', 'package.json'), '{}');
      const pairOf = (name: string) => {
        const [source, target] = [repository, own].map((at) => path.join(at, name, 'node_modules'));
        return { source, target };
      };
      assert.deepEqual(await borrowed(), [pairOf(''), pairOf('packages/api')]);
      assert.deepEqual([await borrowed('d'), await borrowed('e'), await borrowed('unknown')], [[], [], []]);
    });
  });

  it('F39 stand only where the worktree has no packages, or an empty folder that a command left', async () => {
    await withWorktree(async ({ repository, folder: own, borrowed }) => {
      for (const name of ['', 'packages/api']) await packagesIn(repository, name);
      await mkdir(path.join(own, 'node_modules'));
      assert.equal((await borrowed()).length, 2);
      await packagesIn(own);
      assert.deepEqual(
        (await borrowed()).map(({ target }) => target),
        [path.join(own, 'packages', 'api', 'node_modules')],
      );
    });
  });

  it('F39 X05 stand in no place that a command has put away, or made lead elsewhere', async function () {
    if (process.platform === 'win32') return this.skip();
    await withWorktree(async ({ repository, folder: own, borrowed }) => {
      for (const name of ['', 'packages/api']) await packagesIn(repository, name);
      const [packages, target] = [path.join(own, 'packages'), path.join(own, 'node_modules')];
      const elsewhere = path.join(own, '..', '..', 'elsewhere');
      await mkdir(path.join(elsewhere, 'api'), { recursive: true });
      const targets = async () => (await borrowed()).map((each) => each.target);
      await rm(packages, { recursive: true });
      assert.deepEqual(await targets(), [target]);
      await symlink(elsewhere, packages);
      assert.deepEqual(await targets(), [target]);
      await rm(packages);
      await mkdir(packages);
      await writeFile(path.join(packages, 'api'), '');
      assert.deepEqual(await targets(), [target]);
      for (const leading of [path.join(elsewhere, 'api'), path.join(elsewhere, 'nowhere')]) {
        await symlink(leading, target);
        assert.deepEqual(await targets(), [], leading);
        await rm(target);
      }
      await writeFile(target, '');
      assert.deepEqual(await targets(), []);
      await rm(own, { recursive: true });
      assert.deepEqual(await targets(), []);
    });
  });

  it('F39 are where they really are', async function () {
    if (process.platform === 'win32') return this.skip();
    await withWorktree(async ({ repository, folder: own, borrowed }) => {
      const shared = path.join(repository, '..', 'shared');
      await mkdir(path.join(shared, 'left-pad'), { recursive: true });
      await symlink(shared, path.join(repository, 'node_modules'));
      assert.deepEqual(await borrowed(), [{ source: await realpath(shared), target: path.join(own, 'node_modules') }]);
    });
  });
});
