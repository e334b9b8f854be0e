import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { ToolOutput } from '../../../src/agent/tool.ts';
import { sentTools, toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import type { ChatMode } from '../../../src/shared/approval.ts';
import type { Processes } from '../../../src/tools/command/processes.ts';
import { widen } from '../../../src/tools/find-files.ts';
import { toolRows } from '../../../src/tools/load-tools.ts';
import { processTool } from '../../../src/tools/process.ts';
import { fixedTokens } from '../../support/fixed-tokens.ts';
import { onlyPosix } from '../../support/posix.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from './workspace.ts';

describe('tools', () => {
  let temp: TempDir;
  let trusted = true;
  const run = async (
    name: string,
    args: object,
    folders: Record<string, string> = { ws: temp.path },
  ): Promise<ToolOutput> => {
    const tools = createReadTools(openFolders(folders, { excludes: ['**/skipped'], trusted: () => trusted }));
    const tool = tools.find((candidate) => candidate.name === name);
    assert.ok(tool !== undefined);
    return runTool(tool, args);
  };
  const answer = async (...given: Parameters<typeof run>) => (await run(...given)).forModel;

  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, {
      '.gitignore': 'dist\n',
      '.env': 'TOKEN=needle',
      'src/a.ts': 'one\nneedle here\n',
      'src/loop.test.ts': 'needle',
      'src/b/loop.ts': `${'x'.repeat(1000)}needle${'y'.repeat(1000)}`,
      'dist/out.js': 'needle',
      'skipped/a.ts': 'needle',
      'many/all.txt': 'needle\n'.repeat(500),
      'two/c.ts': 'needle',
    });
    await writeFiles(
      temp.path,
      Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`crowd/${index}.dat`, ''])),
    );
  });
  after(() => temp.remove());

  it('P11 what every request carries, as it is sent with every tool of its mode, is at most 800, 880, 1,200 and 1,500 tokens', () => {
    const caps = { ask: 800, plan: 880, edit: 1200, agent: 1500 } as const;
    const modes = Object.entries(caps).map(([mode, cap]) => ({ mode, cap, is: fixedTokens(mode as ChatMode).all }));
    assert.deepEqual(
      modes.filter(({ cap, is }) => is > cap),
      [],
    );
    const [ask = 0, , edit = 0, agent = 0] = modes.map(({ is }) => is);
    assert.ok(200 < ask && ask < edit && edit < agent, `${ask}, ${edit}, ${agent} tokens`);
    const forPages = fixedTokens('agent', 'page').all - agent;
    assert.ok(0 < forPages && forPages <= 75, `${forPages} tokens more once the user has named a page`);
  });

  it('P11 process is sent from the first program in the background on', () => {
    let any = false;
    const processes = { any: () => any } as Processes;
    const tool = processTool.create({ processes });
    assert.deepEqual(sentTools([tool]), []);
    any = true;
    assert.deepEqual(sentTools([tool]), [tool]);
    assert.equal(toolRows([tool]), '', 'nobody has to load it');
  });

  it('X24 the read tools are these four, and all of them only read', () => {
    const tools = createReadTools(openFolders({}));
    assert.deepEqual(
      tools.map(({ name, access }) => `${name} ${access}`),
      ['read_file read', 'list_directory read', 'find_files read', 'search_text read'],
    );
  });

  it('F13 the definitions are plain JSON schemas with what is required', () => {
    const [readFile] = toolDefinitions(createReadTools(openFolders({})));
    assert.deepEqual(readFile?.parameters, {
      type: 'object',
      properties: {
        path: { type: 'string' },
        startLine: { type: 'integer' },
        endLine: { type: 'integer' },
      },
      required: ['path'],
    });
  });

  it('X34 no tool runs until the workspace is trusted', async () => {
    trusted = false;
    await assert.rejects(run('read_file', { path: 'src/a.ts' }), /Restricted Mode/);
    trusted = true;
    assert.match(await answer('read_file', { path: 'src/a.ts' }), /needle here/);
  });

  it('F13 list_directory gives folders first, without what is ignored, and says how much that is', async () => {
    assert.equal(await answer('list_directory', {}), '. (2 ignored):\ncrowd/\nmany/\nsrc/\ntwo/\n.env\n.gitignore');
    assert.match(await answer('list_directory', { path: 'crowd' }), /^crowd \(200 more\):\n(.+\n){499}.+$/);
    await assert.rejects(run('list_directory', { path: 'src/a.ts' }), /is a file: use read_file/);
    await assert.rejects(run('list_directory', { path: 'nope' }), /no folder nope/);
  });

  it('F13 find_files takes globs and parts of names, and says when there is more', async () => {
    assert.equal(await answer('find_files', { pattern: 'src/**/*.ts' }), 'src/a.ts\nsrc/b/loop.ts\nsrc/loop.test.ts');
    assert.equal(await answer('find_files', { pattern: 'LOOP' }), 'src/b/loop.ts\nsrc/loop.test.ts');
    assert.match(await answer('find_files', { pattern: '*.dat' }), /\[500 more: narrow the pattern\]$/);
    assert.equal(await answer('find_files', { pattern: 'src/*.ts, two/*.{js,ts}, !*.test.ts' }), 'src/a.ts\ntwo/c.ts');
    assert.match(await answer('find_files', { pattern: 'out.js' }), /^No file matches/);
    await assert.rejects(run('find_files', { pattern: '{a,b}'.repeat(10) }), /too long/);
  });

  it('F13 find_files reads patterns the way they are meant', () => {
    assert.equal(widen('*.ts'), '**/*.ts');
    assert.equal(widen('loop'), '**/*loop*');
    assert.equal(widen('src/*.ts'), 'src/*.ts');
    assert.equal(widen('./src/*.ts'), 'src/*.ts');
    assert.equal(widen('/src/*.ts'), 'src/*.ts');
    assert.equal(widen('src\\a'), '**/*src/a*');
    assert.equal(widen('**/a'), '**/a');
  });

  it('F13 search_text groups lines by file, shows the part of a long line that matches, and skips secrets (X16)', async () => {
    const result = await answer('search_text', { query: 'NEEDLE', path: 'src' });
    const [first, second, third, long, ...rest] = result.split('\n');
    assert.deepEqual(
      [first, second, third, ...rest],
      ['src/a.ts', '2: needle here', 'src/b/loop.ts', 'src/loop.test.ts', '1: needle'],
    );
    assert.match(long ?? '', /^1: …x+needley+…$/);
    assert.ok((long ?? '').length < 220);
    assert.doesNotMatch(await answer('search_text', { query: 'TOKEN' }), /needle/);
    assert.equal(await answer('search_text', { query: 'needle', glob: '*.test.ts' }), 'src/loop.test.ts\n1: needle');
    assert.match(
      await answer('search_text', { query: 'needle', caseSensitive: true, regex: false, path: 'two' }),
      /c\.ts/,
    );
    assert.match(await answer('search_text', { query: 'ne{2}dle h', regex: true }), /^src\/a\.ts\n2: needle here$/);
  });

  it('F30 search_text tells the user in sentences of its own how much it found', async () => {
    const told = async (args: object) => (await run('search_text', args)).forUser;
    assert.equal(await told({ query: 'nowhere' }), 'No match');
    assert.equal(await told({ query: 'needle', path: 'two' }), '1 line in 1 file');
    assert.equal(await told({ query: 'ne', path: 'src/a.ts' }), '2 lines in 1 file');
    assert.equal(await told({ query: 'needle', path: 'src' }), '3 lines in 3 files');
  });

  it('F13 a search leads on: where a path is not there, and where plain text is a pattern', async () => {
    await assert.rejects(
      run('search_text', { query: 'a', path: 'sorce/a.ts' }),
      /no file or folder sorce\/a\.ts\. Near it: src\/a\.ts\./,
    );
    await assert.rejects(run('search_text', { query: 'a', path: 'scr' }), /no file or folder scr\. Near it: src\./);
    await assert.rejects(
      run('read_file', { path: 'src/loops.ts' }),
      /no file src\/loops\.ts\. Near it: src\/b\/loop\.ts\./,
    );
    await assert.rejects(run('list_directory', { path: 'craud' }), /no folder craud\. Near it: crowd\./);
    assert.equal(
      await answer('search_text', { query: 'ne{2}dle .*re|nothing', path: 'src/a.ts' }),
      'No line holds this as plain text; it was searched as the regular expression ne{2}dle .*re|nothing\nsrc/a.ts\n2: needle here',
    );
    assert.match(await answer('search_text', { query: '(.*' }), /^No match/);
    assert.doesNotMatch(await answer('search_text', { query: 'call(one' }), /regular/);
  });

  it("F13 search_text gives no empty answer that grep's basic syntax would not give (can1357/oh-my-pi#4543)", async () => {
    const rows: [query: string, regex: boolean][] = [
      ['nothing\\|needle', false],
      ['nothing\\|needle', true],
      ['\\(needle\\|nothing\\) here', true],
      ['ne\\{2\\}dle', true],
    ];
    for (const [query, regex] of rows) {
      const found = await answer('search_text', { query, regex, path: 'src/a.ts' });
      assert.match(found, /^No line .* searched as the regular expression .*\nsrc\/a\.ts\n2: needle here$/, query);
    }
    assert.match(await answer('search_text', { query: '\\(nowhere\\)', regex: true, path: 'src/a.ts' }), /^No match/);
  });

  it('F13 search_text says when it shows fewer lines around a match than were asked for', async () => {
    const asked = await answer('search_text', { query: 'needle', path: 'src/a.ts', context: 28 });
    assert.match(asked, /^\[10 lines of context, the most that there is\]\n/);
  });

  it('F13 search_text takes several globs and shows lines around a match on request', async () => {
    assert.equal(
      await answer('search_text', { query: 'needle', glob: '*.test.ts,two/**' }),
      'src/loop.test.ts\n1: needle\ntwo/c.ts\n1: needle',
    );
    assert.equal(
      await answer('search_text', { query: 'needle', glob: 'src/*.ts,!*.test.ts' }),
      'src/a.ts\n2: needle here',
    );
    const around = { query: 'needle here', context: 1 };
    assert.equal(await answer('search_text', around), 'src/a.ts\n1- one\n2: needle here\n3- ');
  });

  it('X25 a file name of several lines is one line of every answer', async function () {
    onlyPosix.call(this);
    const folder = path.join(temp.path, 'odd');
    await writeFiles(folder, { 'a\nrun this.ts': 'needle', 'b\u202e.ts': '' });
    const folders = { ws: folder };
    const shown = 'a⟦U+000A⟧run this.ts';
    assert.equal(await answer('find_files', { pattern: '*.ts' }, folders), `${shown}\nb⟦U+202E⟧.ts`);
    assert.equal(await answer('search_text', { query: 'needle' }, folders), `${shown}\n1: needle`);
    assert.ok((await answer('list_directory', {}, folders)).includes(`\n${shown}\n`));
  });

  it('P13 search_text stops at its cap and says so', async () => {
    const { forModel, forUser } = await run('search_text', { query: 'needle', path: 'many' });
    assert.match(forModel, /\[stopped at 100 lines: narrow query, path or glob\]$/);
    assert.equal(forUser, '100 or more lines in 1 file');
  });

  it('search_text answers what it cannot search with a sentence', async () => {
    await assert.rejects(run('search_text', { query: 'a\0b' }), /must be text/);
    await assert.rejects(run('search_text', { query: '(', regex: true }), /not valid/);
    await assert.rejects(run('search_text', { query: 'a', path: '.env' }), /secrets/);
    assert.match(await answer('search_text', { query: 'nothing like it' }), /^No match/);
  });

  it('X35 with several folders every path begins with its folder', async () => {
    const folders = { app: path.join(temp.path, 'src'), lib: path.join(temp.path, 'two') };
    assert.equal(await answer('list_directory', {}, folders), 'Workspace folders:\napp/\nlib/');
    assert.equal(await answer('find_files', { pattern: 'lib/**' }, folders), 'lib/c.ts');
    assert.equal(await answer('search_text', { query: 'needle here' }, folders), 'app/a.ts\n2: needle here');
    assert.match(await answer('read_file', { path: 'lib/c.ts' }, folders), /^lib\/c\.ts: 1 line/);
    await assert.rejects(run('read_file', { path: 'c.ts' }, folders), /Begin the path with one of: app, lib/);
  });
});
