import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findRipgrep } from '../../../src/files/search/find-ripgrep.ts';
import { createRegexWorker } from '../../../src/files/search/regex-worker.ts';
import { ripgrepEncoding } from '../../../src/files/search/ripgrep-encoding.ts';
import { createRipgrepSearch, runRipgrep } from '../../../src/files/search/ripgrep-search.ts';
import { withUnsaved } from '../../../src/files/search/unsaved-search.ts';
import type { Search, TextQuery } from '../../../src/files/workspace.ts';
import { searchText } from '../../../src/tools/search-text.ts';
import { anyRipgrep } from '../../support/any-ripgrep.ts';
import { isAlive } from '../../support/is-alive.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { onlyPosix } from '../../support/posix.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { vsCodeEncodings } from '../../support/vscode-encodings.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { openFolders, regexThread, type TestWorkspace, writeFiles } from './workspace.ts';

const never = new AbortController().signal;
const everything = () => true;

/** A small project with everything that decides what is searched: seeded, so that a failure can be repeated. */
function generate(seed: number): Record<string, string | Uint8Array> {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const words = ['needle', 'Needle', 'hay', 'stack', 'NEEDLES', 'ne(ed)le', '-e', 'straße', '漢字', 'foo.bar', '😀'];
  const folders = ['', 'src/', 'src/deep/', 'build/', 'src/build/', 'node_modules/x/', '.hidden/', 'docs/api/'];
  const names = ['a.ts', 'b.js', 'c.md', '-dash.txt', 'with space.txt', '[id].tsx', '.dot', 'kept.log', 'lost.log'];
  const files: Record<string, string | Uint8Array> = {};
  for (let count = 0; count < 60; count++) {
    const name = `${folders[next(folders.length)]}${names[next(names.length)]}`;
    const end = next(3) === 0 ? '\r\n' : '\n';
    const lines = Array.from({ length: next(12) }, () => `${words[next(words.length)]} ${words[next(words.length)]}`);
    files[name] = lines.join(end);
  }
  return {
    ...files,
    '.gitignore': '*.log\n!kept.log\n/build/\n# needle\n',
    'src/.gitignore': 'c.md\n!lost.log\n',
    'docs/.gitignore': '/api\n',
    'src/utf16.txt': Buffer.from('\ufeffneedle\r\nhay needle', 'utf16le'),
    'src/binary.dat': Buffer.from('needle\0needle'),
    'sub/.git/config': 'needle',
    '.git/config': 'needle',
    'sub/.ignore': 'seen.txt',
    'sub/seen.txt': 'needle',
    'excluded/a.txt': 'needle',
  };
}

async function textIn(search: Search, opened: TestWorkspace, under: string, query: Partial<TextQuery>) {
  const [root] = opened.workspace.roots();
  const found: string[] = [];
  if (root === undefined) return found;
  const whole = { pattern: 'needle', regex: false, caseSensitive: false, ...query };
  await search.text(
    { root, path: under },
    whole,
    {
      wants: everything,
      onMatch: (match) => {
        found.push(`${match.place.path}:${match.line}:${match.column}: ${match.text}`);
        return true;
      },
    },
    never,
  );
  return found.sort();
}

async function filesIn(search: Search, opened: TestWorkspace, under: string) {
  const [root] = opened.workspace.roots();
  const found: string[] = [];
  if (root === undefined) return found;
  await search.files({ root, path: under }, (place) => found.push(place.path) > 0, never);
  return found.sort();
}

describe('tools/search', () => {
  let temp: TempDir;
  let opened: TestWorkspace;
  let ripgrep: Search | undefined;

  before(async () => {
    temp = await makeTempDir();
    await writeFiles(path.join(temp.path, 'ws'), generate(7));
    await writeFiles(temp.path, { '.gitignore': '*', 'outside/secret.txt': 'needle' });
    await symlink('../outside', path.join(temp.path, 'ws/link'));
    await symlink('../outside/secret.txt', path.join(temp.path, 'ws/linked.txt'));
    // Links to a folder above, and two that lead to each other.
    await symlink('..', path.join(temp.path, 'ws/src/above'));
    await symlink('.', path.join(temp.path, 'ws/src/itself'));
    await symlink('two', path.join(temp.path, 'ws/one'));
    await symlink('one', path.join(temp.path, 'ws/two'));
    opened = openFolders({ ws: path.join(temp.path, 'ws') }, { excludes: ['**/node_modules', 'excluded', '*.none'] });
    const executable = await anyRipgrep();
    ripgrep = executable === undefined ? undefined : createRipgrepSearch({ executable, ...opened });
  });
  after(() => temp.remove());

  it('F13 leaves out what is ignored, excluded, binary, git or behind a link', async () => {
    const found = await textIn(opened.search, opened, '', {});
    const searched = new Set(found.map((line) => line.slice(0, line.indexOf(':'))));
    for (const out of [
      /^build\//,
      /node_modules/,
      /^docs\/api/,
      /\.git\//,
      /binary/,
      /^link/,
      /above|itself|^one$|^two$/,
      /^excluded/,
      /^src\/c\.md/,
    ]) {
      assert.ok(![...searched].some((file) => out.test(file)), String(out));
    }
    assert.ok(searched.has('src/utf16.txt') && searched.has('sub/seen.txt') && searched.has('.gitignore'));
    assert.deepEqual(
      [...(await filesIn(opened.search, opened, ''))].filter(
        (file) => file.endsWith('lost.log') && !file.startsWith('src/'),
      ),
      [],
    );
  });

  const legacy: readonly (readonly [encoding: string, word: string])[] = [
    ['windows1251', 'привет'],
    ['koi8r', 'привет'],
    ['shiftjis', '表能'],
    ['euckr', '한국'],
    ['gbk', '中文'],
  ];
  for (const [encoding, word] of legacy) {
    it(`F37 both searches find text in ${encoding}, and in files with a mark beside it`, async () => {
      const folder = path.join(temp.path, encoding);
      const codec = createNodeCodec(() => encoding);
      await writeFiles(folder, {
        'a.txt': await codec.encode(`plain\r\nsay ${word}\\\r\n`, encoding),
        'b.txt': Buffer.from(`\ufeff${word}\n`, 'utf16le'),
        'c.txt': Buffer.from(`\ufeff${word}\n`),
      });
      const inFolder = openFolders({ ws: folder }, { codec });
      const expected = [`a.txt:2:4: say ${word}\\`, `b.txt:1:0: ${word}`, `c.txt:1:0: ${word}`];
      assert.deepEqual(await textIn(inFolder.search, inFolder, '', { pattern: word }), expected);
      const executable = await anyRipgrep();
      if (executable === undefined) return;
      const withRipgrep = createRipgrepSearch({ executable, ...inFolder });
      assert.deepEqual(await textIn(withRipgrep, inFolder, '', { pattern: word }), expected);
    });
  }

  it('F37 ripgrep knows every label that it is given', async function () {
    const executable = await anyRipgrep();
    if (executable === undefined) this.skip();
    for (const encoding of vsCodeEncodings) {
      const label = ripgrepEncoding(encoding);
      if (label === undefined) continue;
      const { status, stderr } = spawnSync(executable, ['--encoding', label, 'x', '-'], { input: 'x' });
      assert.ok(status !== 2, `${encoding}: ${stderr}`);
    }
    const unknown = vsCodeEncodings.filter((encoding) => ripgrepEncoding(encoding) === undefined);
    assert.deepEqual(unknown, ['cp437', 'cp852', 'cp1125', 'big5hkscs', 'koi8ru', 'koi8t', 'cp865', 'cp850']);
  });

  it('F37 names the files of which not all was searched', async () => {
    const folder = path.join(temp.path, 'beyond');
    const filler = 'x'.repeat(1024 * 1024 - 1);
    await writeFiles(folder, {
      'large.txt': `needle\n${`${filler}\n`.repeat(6)}needle\n`,
      'large.bin': Buffer.alloc(6 * 1024 * 1024),
    });
    const inFolder = openFolders({ ws: folder });
    const ask = (search: Search) =>
      runTool(searchText.create({ ...inFolder, search }), { query: 'needle' }).then(({ forModel }) => forModel);
    const none = 'No match, nor in ignored files. Binary files are not searched.';
    assert.equal(await ask(inFolder.search), `${none}\n[large.txt: too large, not searched]`);
    const executable = await anyRipgrep();
    if (executable === undefined) return;
    assert.equal(
      await ask(createRipgrepSearch({ executable, ...inFolder })),
      'large.txt\n1: needle\n[large.txt: too large, only its beginning was searched]',
    );
  });

  const queries: readonly (readonly [string, Partial<TextQuery>])[] = [
    ['plain text', {}],
    ['case', { caseSensitive: true }],
    ['characters of patterns', { pattern: 'ne(ed)le' }],
    ['a leading dash', { pattern: '-e' }],
    ['an option of ripgrep', { pattern: '--pre=cat' }],
    ['other scripts', { pattern: '漢字' }],
    ['case of other scripts', { pattern: 'STRASSE' }],
    ['an astral character', { pattern: '😀 ' }],
    ['a pattern', { pattern: 'n[e]+dles?$', regex: true }],
    ['a pattern with case', { pattern: '^Needle', regex: true, caseSensitive: true }],
    ['a pattern that looks ahead', { pattern: 'needle(?! needle)', regex: true }],
    ['a pattern that looks behind', { pattern: '(?<=hay )needle', regex: true }],
    ['a pattern with a free escape', { pattern: 'foo\\-?\\.bar', regex: true }],
  ];
  for (const seed of [7, 8]) {
    it(`P13 both searches find the same lines and files (tree ${seed})`, async function () {
      if (ripgrep === undefined) this.skip();
      this.timeout(60_000);
      await writeFiles(path.join(temp.path, 'ws'), generate(seed));
      for (const under of ['', 'src', 'docs/api', 'sub', 'src/a.ts', '.gitignore', 'build']) {
        assert.deepEqual(
          await filesIn(ripgrep, opened, under),
          await filesIn(opened.search, opened, under),
          `files ${under}`,
        );
        // A pattern costs the search without ripgrep a thread each time.
        for (const [name, query] of queries.filter((_, index) => index < 3 || under === '')) {
          const expected = await textIn(opened.search, opened, under, query);
          assert.deepEqual(await textIn(ripgrep, opened, under, query), expected, `${name} in ${under}`);
        }
      }
      assert.ok((await textIn(ripgrep, opened, '', {})).length > 5);
    });
  }

  it('H15 P13 of a file that is too large only the beginning is searched, and a line without end is passed over', async function () {
    if (ripgrep === undefined) this.skip();
    const filler = `${'x'.repeat(99)}\n`.repeat(60_000);
    const folder = path.join(temp.path, 'large');
    await writeFiles(folder, {
      'lines.txt': `needle 1\n${filler}needle 2\n`,
      'one-line.txt': `needle ${'y'.repeat(12_000_000)}\nneedle after it\n`,
      'small.txt': 'needle 3\n',
      'still-read.txt': `needle ${'z'.repeat(4_000_000)}\n`,
    });
    const large = openFolders({ large: folder });
    const found = await textIn(ripgrep, large, '', {});
    assert.deepEqual(
      found.map((line) => line.slice(0, 30)),
      ['lines.txt:1:0: needle 1', 'small.txt:1:0: needle 3', 'still-read.txt:1:0: needle zzz'],
    );
    const walked = (await textIn(large.search, large, '', {})).map((line) => line.slice(0, 10));
    assert.deepEqual(walked, ['small.txt:', 'still-read']);
  });

  it('E11 F13 finds what is typed in open documents, and not what stands only on disk any more', async () => {
    const folder = path.join(temp.path, 'typed');
    await writeFiles(folder, {
      '.gitignore': 'ignored.ts\n',
      'src/a.ts': 'needle on disk\n',
      'src/b.ts': 'hay\n',
      'src/c.ts': 'needle in peace\n',
      'ignored.ts': '',
      '.env': '',
    });
    await symlink('../outside/secret.txt', path.join(folder, 'linked.txt'));
    const typed = {
      ...{ 'src/a.ts': 'hay', 'src/b.ts': 'one\ntwo needles\nthree', 'src/c.ts': 'first\nneedle in peace\n' },
      ...{ 'ignored.ts': 'needle', '.env': 'needle', 'linked.txt': 'needle', 'excluded/a.ts': 'needle' },
    };
    const inFolder = openFolders({ ws: folder }, { unsaved: typed, excludes: ['excluded'] });
    const ask = async (search: Search, more: object = {}) => {
      const { forModel } = await runTool(searchText.create({ ...inFolder, search }), { query: 'needle', ...more });
      return forModel;
    };
    const executable = await anyRipgrep();
    const disks = executable === undefined ? [] : [createRipgrepSearch({ executable, ...inFolder })];
    for (const search of [
      inFolder.search,
      ...disks.map((disk) => withUnsaved(disk, { ...inFolder, walk: inFolder.search })),
    ]) {
      assert.equal(await ask(search), 'src/b.ts\n2: two needles\nsrc/c.ts\n2: needle in peace');
      assert.equal(await ask(search, { path: 'src/b.ts', context: 1 }), 'src/b.ts\n1- one\n2: two needles\n3- three');
      assert.match(await ask(search, { path: 'src/a.ts' }), /^No match/);
      assert.match(await ask(search, { path: 'src', glob: '*.md' }), /^No file matches glob/);
      assert.equal(await ask(search, { regex: true, query: 'two n' }), 'src/b.ts\n2: two needles');
    }
  });

  const spans: [given: object, lines: string][] = [
    [{ query: 'call\\(\\n\\s+first', regex: true }, '2-3'],
    [{ query: 'call\\(\\r\\n  first', regex: true }, '2-3'],
    [{ query: 'call\\([\\s\\S]*?second', regex: true }, '2-4'],
    [{ query: 'call\\(\\s*first', regex: true }, '2-3'],
    [{ query: 'call\\([^)]*second', regex: true }, '2-4'],
    [{ query: 'call(\n  first,', caseSensitive: true }, '2-3'],
    [{ query: 'call(\r\n  first,' }, '2-3'],
    [{ query: 'call(\\n  first,' }, '2-3'],
    [{ query: '  first,\n  second,\n' }, '3-4'],
    [{ query: 'first,$\\n.*second', regex: true }, '3-4'],
    [{ query: 'first[,;]\\n', regex: true }, '3'],
    [{ query: '\\n\\)', regex: true }, '4-5'],
    [{ query: 'one\n' }, '1'],
  ];
  it('F13 both find what goes over several lines, whatever the lines end with (bojieli/ai-agent-book#717)', async () => {
    const folder = path.join(temp.path, 'spans');
    const lines = ['one();', 'call(', '  first,', '  second,', ');', ''];
    await writeFiles(folder, { 'crlf/a.ts': lines.join('\r\n'), 'lf/a.ts': lines.join('\n') });
    const inFolder = openFolders({ ws: folder });
    const executable = await anyRipgrep();
    const disks = executable === undefined ? [] : [createRipgrepSearch({ executable, ...inFolder })];
    for (const search of [inFolder.search, ...disks]) {
      const tool = searchText.create({ ...inFolder, search });
      for (const [given, expected] of spans) {
        const [first = 0, last = first] = expected.split('-').map(Number);
        const rows = lines.slice(first - 1, last).map((line, at) => `${first + at}: ${line}`);
        const { forModel } = await runTool(tool, given);
        const shown = forModel.slice(forModel.indexOf('crlf/a.ts'));
        assert.equal(shown, ['crlf/a.ts', ...rows, 'lf/a.ts', ...rows].join('\n'), JSON.stringify(given));
      }
      const none = await runTool(tool, { query: 'call\\(\\n\\s+second', regex: true });
      assert.match(none.forModel, /^No match/);
      await assert.rejects(runTool(tool, { query: '\n' }), /must be text/);
      const context = await runTool(tool, { query: 'first,\n  second', path: 'lf', context: 1 });
      assert.equal(context.forModel, 'lf/a.ts\n2- call(\n3:   first,\n4:   second,\n5- );');
    }
  });

  it('P13 both stop at the first refusal, at an aborted signal, and between files', async () => {
    const [root] = opened.workspace.roots();
    assert.ok(root !== undefined);
    const query = { pattern: 'e', regex: false, caseSensitive: false };
    for (const search of [opened.search, ...(ripgrep === undefined ? [] : [ripgrep])]) {
      let matches = 0;
      await search.text({ root, path: '' }, query, { wants: everything, onMatch: () => ++matches < 3 }, never);
      assert.equal(matches, 3);
      let files = 0;
      await search.files({ root, path: '' }, () => ++files < 2, never);
      assert.equal(files, 2);
      const controller = new AbortController();
      let before = 0;
      await search.text(
        { root, path: '' },
        query,
        {
          wants: everything,
          onMatch: () => {
            before++;
            controller.abort();
            return true;
          },
        },
        controller.signal,
      );
      assert.ok(before < 60);
      const none = { wants: everything, onMatch: () => assert.fail('searched') };
      await search.text({ root, path: '' }, query, none, controller.signal);
    }
  });

  it('T09 Stop ends a search that finds nothing for a long time, and its program', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = path.join(temp.path, 'slow');
    await writeFiles(folder, { rg: '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 600\n' });
    const executable = path.join(folder, 'rg');
    await chmod(executable, 0o755);
    const slow = openFolders({ slow: folder });
    const [root] = slow.workspace.roots();
    assert.ok(root !== undefined);
    const stop = new AbortController();
    const search = createRipgrepSearch({ executable, ...slow });
    const searching = search.files({ root, path: '' }, () => true, stop.signal);
    const pid = await waitFor(
      'its number',
      async () => Number(await readFile(`${executable}.pid`, 'utf8')) || undefined,
    );
    try {
      stop.abort();
      await searching;
      await waitFor('the program to be gone', async () => !isAlive(pid));
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('both refuse a pattern that is none with a sentence', async () => {
    for (const search of [opened.search, ...(ripgrep === undefined ? [] : [ripgrep])]) {
      await assert.rejects(textIn(search, opened, '', { pattern: '(', regex: true }), { name: 'ToolError' });
    }
  });

  it('X33 a search whose pattern explodes is ended', async () => {
    const worker = createRegexWorker(regexThread, '(a+)+$', '', 300);
    await assert.rejects(worker.match([`${'a'.repeat(50_000)}b`]), /takes too long/);
    await worker.close();
  });

  it('X27 takes only what answers as ripgrep, at absolute places, the configured one first', async function () {
    onlyPosix.call(this);
    const program = async (name: string, output: string) => {
      const file = path.join(temp.path, name, 'rg');
      await writeFiles(path.dirname(file), { rg: `#!/bin/sh\necho '${output}'\n` });
      await chmod(file, 0o755);
      return file;
    };
    const own = await program('app/node_modules/@vscode/ripgrep/bin', 'ripgrep 14.1.1');
    const onPath = await program('bin', 'ripgrep 13.0.0');
    const other = await program('other', 'some other program');
    const old = await program('old', 'ripgrep 11.0.2');
    const places = { appRoot: path.join(temp.path, 'app'), platform: 'linux', arch: 'x64' } as const;
    const searchPath = ['.', path.dirname(other), path.dirname(old), path.dirname(onPath)].join(path.delimiter);
    assert.equal(await findRipgrep({ ...places, configured: onPath, searchPath }), onPath);
    assert.equal(await findRipgrep({ ...places, configured: '', searchPath }), own);
    assert.equal(await findRipgrep({ ...places, configured: other, appRoot: '/nowhere', searchPath }), onPath);
    const relative = path.relative('.', path.dirname(onPath));
    assert.equal(
      await findRipgrep({ ...places, configured: 'rg', appRoot: 'app', searchPath: `.:${relative}` }),
      undefined,
    );
  });

  it('P13 P25 lets others have their turn after each piece of a long list', async () => {
    const names = 'f'.repeat(63);
    const args = ['-e', `process.stdout.write(${JSON.stringify(`${names}\0`)}.repeat(40_000))`];
    const perTurn = new Map<number, number>();
    let turn = 0;
    let isOver = false;
    const next = () => {
      turn += 1;
      if (!isOver) setImmediate(next);
    };
    setImmediate(next);
    const count = () => {
      // What comes while this is busy waits in the pipe.
      for (let n = 0; n < 20; n++) JSON.stringify(args);
      return perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1).size > 0;
    };
    const { signal } = new AbortController();
    await runRipgrep({ executable: process.execPath, args, folder: '/', separator: '\0', signal }, count);
    isOver = true;
    const counts = [...perTurn.values()];
    assert.equal(
      counts.reduce((sum, one) => sum + one, 0),
      40_000,
    );
    assert.ok(Math.max(...counts) <= 1100, `${Math.max(...counts)} in one turn`);
  });
});
