import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { createIgnoreRules } from '../../../src/files/ignore-rules.ts';
import { nodeFiles } from '../../../src/files/node-files.ts';
import { times } from '../../support/effort.ts';
import { gitIn } from '../../support/git-in.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';

// Of ASCII: to git `?` is one byte, to ripgrep and to us one character.
const names = ['a', 'b', 'ab', 'a.b', 'a b', '.a', 'A', '!a', '#a', 'a]', '[a]', 'a-b', 'a\\b', '-'];
const folders = ['', 'a/', 'b/', 'ab/', 'a/b/', 'a/b/a/', 'b/a/', 'a/a/', 'a/a/a/'];

describe('files/ignore-pattern', () => {
  let temp: TempDir;
  const paths = folders.flatMap((folder) =>
    names.filter((name) => !folders.includes(`${folder}${name}/`)).map((name) => `${folder}${name}`),
  );

  before(async function () {
    if (process.platform === 'win32') this.skip();
    temp = await makeTempDir();
    await gitIn(temp.path)('init');
    for (const file of paths) {
      await mkdir(path.join(temp.path, path.dirname(file)), { recursive: true });
      await writeFile(path.join(temp.path, file), '');
    }
  });
  after(() => temp?.remove());

  const byGit = () => {
    const found = spawnSync(
      'git',
      ['-c', 'core.excludesFile=', '-c', 'core.ignoreCase=false', 'check-ignore', '--stdin', '-z'],
      {
        cwd: temp.path,
        input: paths.join('\0'),
        encoding: 'utf8',
      },
    );
    assert.ok(found.status === 0 || found.status === 1, found.stderr);
    return found.stdout
      .split('\0')
      .filter((one) => one !== '')
      .sort();
  };
  const byUs = async () => {
    const rules = createIgnoreRules(nodeFiles, { name: 'ws', uri: 'file:///ws', fsPath: temp.path }, []);
    const ignored: string[] = [];
    for (const file of paths) if (await rules.ignoresDeep(file, false)) ignored.push(file);
    return ignored.sort();
  };
  const agree = async (text: string, below = '') => {
    await writeFile(path.join(temp.path, '.gitignore'), text);
    await writeFile(path.join(temp.path, 'a/.gitignore'), below);
    assert.deepEqual(await byUs(), byGit(), JSON.stringify([text, below]));
  };

  it('F13 ignores what git ignores, for patterns that are written by hand', async () => {
    const texts = [
      '*',
      '/*\n!/a/',
      'a',
      'a/',
      '/a',
      'a/b',
      '**/a',
      'a/**',
      'a/**/b',
      '**',
      '/**',
      '**/',
      'a/**/',
      '**/b/**',
      'a**',
      '**a',
      'a/***/b',
      '!a',
      '\\!a',
      '\\#a',
      '#a',
      'a\\ b',
      'a b ',
      'a\\b',
      'a\\\\b',
      '[a]',
      '[!a]',
      '[^a]',
      '[]a]',
      '[[]a]',
      '[a-b]',
      '[b-a]',
      '[a',
      'a\\',
      '[[:alpha:]]',
      '[[:nope:]]',
      '[[:upper:]]',
      'a//b',
      '?',
      '??',
      '*.b',
      '.*',
      'a\r\nb\r\n',
      '\ufeffa',
      '  a',
      'a/b/a/\n!a/b/a/a',
      '*\n!*/\n!b',
      'a[/]b',
      '[a\\]]',
      '[\\]-]',
      'a/\\*',
      '\\a',
      '*/',
      '*/b',
      '*/*/a',
      'a\n!a\na',
      'b\n!b/',
      '[a-]',
      '[--a]',
      '?',
      '[[:al]',
      'a\\/b',
      '\\',
    ];
    for (const text of texts) {
      await agree(text);
      await agree('', text);
    }
  });

  it('F13 X41 ignores what git ignores, for any pattern', async () => {
    const sign = fc.constantFrom(
      'a',
      'b',
      '*',
      '**',
      '**/',
      '/',
      '?',
      '[',
      ']',
      '[ab]',
      '[!a]',
      '\\',
      ' ',
      '-',
      '.',
      '!',
      '#',
      '[:alpha:]',
      '[[:digit:]]',
    );
    const line = fc
      .tuple(fc.constantFrom('', '', '!', '/'), fc.array(sign, { minLength: 1, maxLength: 6 }))
      .map(([first, rest]) => first + rest.join(''));
    // After a beginning without wildcards git reads `**` as if the pattern began there; its manual says otherwise.
    // An escaped slash behind `**` lets it stand for one folder at least, which no manual says and nobody writes.
    const asInManual = line.filter((one) => !/[^/*]\*\*|\*\*\\\//.test(one.replace(/^!/, '')));
    const text = fc.array(asInManual, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
    await fc.assert(fc.asyncProperty(text, fc.oneof(fc.constant(''), text), agree), { numRuns: times(80, 1000) });
  });
});
