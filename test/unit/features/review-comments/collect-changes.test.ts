import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { collectChanges, type Material } from '../../../../src/features/review-comments/core/collect-changes.ts';
import { createNodeGit } from '../../../../src/tools/git/node-git.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../../tools/workspace.ts';

const git = createNodeGit({ gitPath: () => gitPath });

const collect = (folders: Record<string, string>): Promise<Material> =>
  collectChanges(
    { ...openFolders(folders), git, uriOf: ({ root, path }) => `file:///${root.name}/${path}` },
    { staged: false },
    new AbortController().signal,
  );

describe('what a review of uncommitted changes sends', () => {
  before(function () {
    if (gitPath === undefined) this.skip();
  });

  it('F33 is each hunk with its lines as they are now, of files that git knows, was told another name of, or does not know', () =>
    withTempDir(async (ws) => {
      const run = gitIn(ws);
      const old = Array.from({ length: 20 }, (_, at) => `line ${at}`);
      await writeFiles(ws, { 'a.ts': 'one\r\ntwo\r\n', 'old.ts': old.join('\n'), 'gone.ts': 'x\n' });
      await run('init');
      await run('add', '.');
      await run('commit', '-m', 'First');
      await run('mv', 'old.ts', 'new name.ts');
      await run('rm', 'gone.ts');
      await writeFiles(ws, {
        'a.ts': 'one\r\n2\r\n',
        'new name.ts': old.with(10, 'changed').join('\n'),
        'fresh.ts': 'f\n',
      });
      const { files, hunks } = await collect({ ws });
      assert.deepEqual([...files.keys()], ['a.ts', 'new name.ts', 'fresh.ts']);
      assert.deepEqual(files.get('a.ts'), { uri: 'file:///ws/a.ts', lines: ['one', '2', ''] });
      assert.deepEqual(
        hunks.map(({ path, text }) => [path, text.split('\n').filter((line) => /^ {0,5}\d* [+-]/.test(line))]),
        [
          ['a.ts', ['      -two', '    2 +2']],
          ['new name.ts', ['      -line 10', '   11 +changed']],
          ['fresh.ts', ['    1 +f']],
        ],
      );
    }));

  it('F33 X16 holds nothing that is ignored, secret, generated, binary or too long, and asks nobody', () =>
    withTempDir(async (ws) => {
      const run = gitIn(ws);
      const names = ['.env', 'package-lock.json', 'b.bin', 'long.ts', 'kept.ts'];
      await writeFiles(ws, Object.fromEntries(names.map((name) => [name, 'before\n'])));
      await run('init');
      await run('add', '-f', '.');
      await run('commit', '-m', 'First');
      await writeFiles(ws, {
        '.gitignore': 'ignored.ts\n',
        'ignored.ts': 'x\n',
        '.env': 'TOKEN=x\n',
        'package-lock.json': '{}\n',
        'b.bin': 'x\0y',
        'long.ts': 'x\n'.repeat(600_000),
        'kept.ts': 'after\n',
      });
      const { files, hunks } = await collect({ ws });
      assert.deepEqual([...files.keys()], ['kept.ts', '.gitignore']);
      assert.deepEqual(new Set(hunks.map(({ path }) => path)), new Set(files.keys()));
    }));

  it('F33 is what all repositories hold, under the names of their folders, and nothing where there is none', () =>
    withTempDir(async (folder) => {
      for (const name of ['one', 'two', 'plain']) await writeFiles(folder, { [`${name}/a.ts`]: `${name}\n` });
      for (const name of ['one', 'two']) await gitIn(`${folder}/${name}`)('init');
      const all = { one: `${folder}/one`, plain: `${folder}/plain`, two: `${folder}/two` };
      assert.deepEqual([...(await collect(all)).files.keys()], ['one/a.ts', 'two/a.ts']);
      await assert.rejects(collect({ plain: all.plain }), /No open folder is under git/);
    }));
});
