import assert from 'node:assert/strict';
import { createFileIndex } from '../../../src/tools/file-index.ts';
import type { Search, Workspace } from '../../../src/tools/workspace.ts';

const root = { name: 'w', uri: 'file:///w' };
const workspace: Workspace = {
  isTrusted: () => true,
  roots: () => [root],
  excludes: () => [],
  unsavedText: () => undefined,
};

function listing(files: string[]) {
  let times = 0;
  const search: Search = {
    text: async () => undefined,
    async files(_under, onFile) {
      times++;
      for (const path of files) if (!onFile({ root, path })) return;
    },
  };
  return { search, times: () => times };
}

describe('index of files', () => {
  it('F7 holds files and every folder above them once', async () => {
    const { search } = listing(['src/deep/a.ts', 'src/deep/b.ts', 'README.md']);
    const paths = await createFileIndex({ workspace, search }).paths();
    assert.deepEqual(paths.map(({ path, isFolder }) => (isFolder ? `${path}/` : path)).sort(), [
      'README.md',
      'src/',
      'src/deep/',
      'src/deep/a.ts',
      'src/deep/b.ts',
    ]);
  });

  it('P13 lists once for any number of questions, and again when files came or went', async () => {
    const { search, times } = listing(['a.ts']);
    const index = createFileIndex({ workspace, search });
    await Promise.all([index.paths(), index.paths()]);
    await index.paths();
    assert.equal(times(), 1);
    index.changed();
    assert.equal((await index.paths()).length, 1);
    assert.equal(times(), 2);
  });

  it('asks again after a listing that failed', async () => {
    let fails = true;
    const search: Search = {
      text: async () => undefined,
      async files(_under, onFile) {
        if (fails) throw new Error('no ripgrep');
        onFile({ root, path: 'a.ts' });
      },
    };
    const index = createFileIndex({ workspace, search });
    await assert.rejects(index.paths());
    fails = false;
    assert.equal((await index.paths()).length, 1);
  });
});
