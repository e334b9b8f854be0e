import assert from 'node:assert/strict';
import { createFileIndex } from '../../../src/files/file-index.ts';
import { rankPaths } from '../../../src/files/rank-paths.ts';
import type { Search, Workspace } from '../../../src/files/workspace.ts';
import { createNodeCodec } from '../../support/node-codec.ts';

const root = { name: 'w', uri: 'file:///w' };
const workspace: Workspace = {
  isTrusted: () => true,
  roots: () => [root],
  excludes: () => [],
  unsavedText: () => undefined,
  unsavedIn: () => [],
  codec: createNodeCodec(),
};

function listing(files: string[]) {
  let times = 0;
  const search: Search = {
    text: async () => [],
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

  it('F7 finds a few ignored files by a part of their path, and stops then', async () => {
    const files = [
      'dist/report.json',
      'dist/deep/Report.html',
      ...Array.from({ length: 9 }, (_, n) => `out/report-${n}`),
    ];
    let read = 0;
    const search: Search = {
      text: async () => [],
      async files(under, onFile) {
        assert.equal(under.withIgnored, true);
        for (const path of ['package.json', ...files]) {
          read++;
          if (!onFile({ root, path })) return;
        }
      },
    };
    const index = createFileIndex({ workspace, search });
    const found = await index.withIgnored('REPORT', new AbortController().signal);
    assert.deepEqual(
      found.map(({ path }) => path),
      files.slice(0, 5),
    );
    assert.equal(read, 6);
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

  it('P13 lists ten thousand files once while every key asks, and knows the first ones before the last', async () => {
    let times = 0;
    const half = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const search: Search = {
      text: async () => [],
      async files(_under, onFile) {
        times++;
        for (let number = 0; number < 10_000; number++) {
          if (number === 5000) {
            half.resolve();
            await goOn.promise;
          }
          onFile({ root, path: `src/part-${number % 100}/file-${number}.ts` });
        }
      },
    };
    const index = createFileIndex({ workspace, search });
    const asked = [index.paths()];
    await half.promise;
    assert.ok(index.known().length >= 5000);
    for (const key of 'file-4321') {
      index.changed();
      asked.push(index.paths());
      assert.ok(rankPaths(index.known(), `file-${key}`, 30).length <= 30);
    }
    goOn.resolve();
    for (const paths of await Promise.all(asked)) assert.equal(paths.length, 10_101);
    assert.equal(times, 1);
    assert.equal(rankPaths(index.known(), 'file-4321', 30)[0]?.path, 'src/part-21/file-4321.ts');
    await index.paths();
    await index.paths();
    assert.equal(times, 2);
  });

  it('asks again after a listing that failed', async () => {
    let fails = true;
    const search: Search = {
      text: async () => [],
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
