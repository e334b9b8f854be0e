import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { kinds } from '../../../src/customizations/kinds.ts';
import { shownSchema } from '../../../src/tools/external-schema.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { type GivenCall, scriptedCalls } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on blocks, bytes and paths of edits', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  const { tell, told, textOf } = scriptedCalls(() => temp.path);

  const code = 'one();\ntwo();\n// Build tree spheres with time\nthree();\n';
  const diffs: [source: string, says: string, diff: string, after: string | RegExp][] = [
    [
      'cline/cline#4427',
      'a sign too many behind the markers',
      '------- SEARCH>\ntwo();\n=======\nTWO();\n+++++++ REPLACE>\n',
      code.replace('two', 'TWO'),
    ],
    [
      'cline/cline#4216',
      'markers of two kinds',
      '------- SEARCH\ntwo();\n=======\nTWO();\n>>>>>>> REPLACE\n',
      code.replace('two', 'TWO'),
    ],
    [
      'cline/cline#4067',
      'blocks in another order than the file',
      '------- SEARCH\nthree();\n=======\nTHREE();\n+++++++ REPLACE\n\n------- SEARCH\none();\n=======\nONE();\n+++++++ REPLACE\n',
      code.replace('one', 'ONE').replace('three', 'THREE'),
    ],
    [
      'cline/cline#9555',
      'a block that is nowhere',
      '------- SEARCH\none();\n=======\nONE();\n+++++++ REPLACE\n\n------- SEARCH\nnowhere();\n=======\nx();\n+++++++ REPLACE\n',
      code,
    ],
    [
      'cline/cline#11439',
      'a block that ends within a line',
      '------- SEARCH\ntwo();\n// Build tree spheres\n=======\nTWO();\n// Build trees\n+++++++ REPLACE\n',
      /^one\(\);\n(?:two\(\);\n\/\/ Build tree spheres with time|TWO\(\);\n\/\/ Build trees with time)\nthree\(\);\n$/,
    ],
  ];
  for (const [source, says, diff, after] of diffs) {
    it(`F14 a diff with ${says} does what it says, or nothing (${source})`, async () => {
      await writeFiles(temp.path, { 'a.js': code });
      const { results } = await tell([['read_file', { path: 'a.js' }]], [['replace_in_file', { path: 'a.js', diff }]]);
      const now = await textOf('a.js');
      if (typeof after === 'string') assert.equal(now, after, results.at(-1)?.forModel);
      else assert.match(now, after);
      if (now === code) {
        assert.equal(results.at(-1)?.state, 'failed');
        if (source === 'cline/cline#11439') assert.match(results.at(-1)?.forModel ?? '', /part of|line 3|with time/);
      }
    });
  }

  it('F14 an edit behind a link changes the file and keeps the link (anthropics/claude-code#28376)', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFiles(temp.path, { 'real.txt': 'old\n' });
    await symlink('real.txt', path.join(temp.path, 'link.txt'));
    const edit = ['edit_file', { path: 'link.txt', edits: [{ search: 'old', replace: 'new' }] }] as const;
    const { results } = await tell([['read_file', { path: 'link.txt' }]], [edit]);
    assert.ok((await lstat(path.join(temp.path, 'link.txt'))).isSymbolicLink());
    assert.equal(await textOf('real.txt'), 'new\n', results.at(-1)?.forModel);
  });

  it('F14 a zero byte is not written into a text (bobmatnyc/trusty-tools#7229)', async () => {
    const { results } = await tell([['create_file', { path: 'a.js', content: "rooms.join('\0');\n" }]]);
    const text = await textOf('a.js').catch(() => undefined);
    assert.ok(text === undefined || !text.includes('\0'), results[0]?.forModel);
    assert.equal(results[0]?.state, 'failed');
  });

  const texts: [source: string, content: string][] = [
    ['anthropics/claude-code#72957', 'icon: "\\uE010"\n'],
    ['QwenLM/qwen-code#433', 'dir = "D:\\path\\to\\new"\n'],
    ['can1357/oh-my-pi#7744', 'no line end'],
    ['can1357/oh-my-pi#7744', 'two ends\n\n'],
  ];
  for (const [source, content] of texts) {
    it(`F14 ${JSON.stringify(content)} is written as it is (${source})`, async () => {
      await tell([['create_file', { path: 'a.txt', content }]]);
      assert.equal(await textOf('a.txt'), content);
    });
  }

  it('F37 an edit of a file that is no UTF-8 changes no other byte (NousResearch/hermes-agent#76447)', async () => {
    const before = Buffer.from('caf\xe9 one\nr\xe9sum\xe9 two\n', 'latin1');
    await writeFile(path.join(temp.path, 'a.txt'), before);
    const edit = ['edit_file', { path: 'a.txt', edits: [{ search: 'two', replace: 'three' }] }] as const;
    const { results } = await tell([['read_file', { path: 'a.txt' }]], [edit]);
    const after = await readFile(path.join(temp.path, 'a.txt'));
    const wanted = Buffer.from('caf\xe9 one\nr\xe9sum\xe9 three\n', 'latin1');
    assert.ok(
      after.equals(wanted) || (after.equals(before) && results.at(-1)?.state === 'failed'),
      after.toString('latin1'),
    );
  });

  it('F13 ~ is the home folder (anomalyco/opencode#32223)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'needle\n' });
    const typed = `~/${path.relative(homedir(), path.join(temp.path, 'a.txt'))}`;
    assert.match(await told('read_file', { path: typed }), /needle/);
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: models write it so.
  const paths = ['${workspaceFolder}/src/cart.ts', '$PWD/src/cart.ts', '{workspace}/src/cart.ts', '…/src/cart.ts'];
  for (const typed of [...paths, '.../src/cart.ts', 'C:\\repo\\src\\cart.ts', 'no slash']) {
    it(`F13 ${typed} names what lies there without its beginning, for reading alone`, async () => {
      await writeFiles(temp.path, { 'src/cart.ts': 'needle\n' });
      const given = typed === 'no slash' ? path.join(temp.path, 'src/cart.ts').slice(1) : typed;
      assert.match(await told('read_file', { path: given }), /needle/);
      if (typed === 'no slash') return;
      const { results } = await tell([['create_file', { path: typed, content: 'x\n' }]]);
      assert.equal(await textOf('src/cart.ts'), 'needle\n', results[0]?.forModel);
    });
  }

  it('F13 a name without its extension, or with another, is near', async () => {
    await writeFiles(temp.path, { 'src/cart.ts': 'needle\n' });
    for (const typed of ['src/cart', 'src/cart.jsx', 'src/cart.ts (1-20)'])
      assert.match(await told('read_file', { path: typed }), /Near it: src\/cart\.ts/);
  });

  it('F13 an address of a file is that file (openclaw/openclaw#122071)', async () => {
    await writeFiles(temp.path, { 'my dir/a.txt': 'needle\n' });
    assert.match(await told('read_file', { path: pathToFileURL(path.join(temp.path, 'my dir/a.txt')).href }), /needle/);
  });

  it('F19 tools that find nothing, in turn, are ended (superplanehq/superplane#4123)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'x' });
    const calls: GivenCall[] = [
      ['search_text', { query: 'nowhere' }],
      ['find_files', { pattern: 'nowhere' }],
      ['list_directory', { path: '.' }],
    ];
    const { requests, outcome } = await tell(
      ...Array.from({ length: 30 }, (_, at) => [calls[at % 3] ?? assert.fail()]),
    );
    assert.ok(requests.length <= 8, `${requests.length} requests`);
    assert.notEqual(outcome, 'finished');
  });

  it('F19 a search again and again is no end of work (amd/gaia#3943)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'x' });
    const call: GivenCall = ['search_text', { query: 'nowhere' }];
    const { requests, outcome } = await tell(...Array.from({ length: 20 }, () => [call]));
    assert.ok(requests.length <= 8, `${requests.length} requests`);
    assert.notEqual(outcome, 'finished');
  });

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: temp.path });
  for (const [source, command, answer] of [
    ['google-gemini/gemini-cli#13590', 'git log', /Begin it/],
    ['google-gemini/gemini-cli#13590', 'git -c core.pager=less -p log', /Begin it/],
    ['microsoft/vscode#314090', 'git -c user.name=A -c user.email=a@b.c commit --amend', /^Exit code/],
  ] as const) {
    it(`F15 ${command} waits for nobody (${source})`, async function () {
      if (process.platform === 'win32') this.skip();
      await writeFiles(temp.path, { 'a.txt': 'x' });
      git('init', '-q');
      git('add', '.');
      git('commit', '-q', '-m', 'Begin it');
      assert.match(await told('run_command', { command, timeoutSeconds: 20 }), answer);
      assert.doesNotMatch(await told('run_command', { command, timeoutSeconds: 20 }), /^Timed out/);
    });
  }

  it('F20 what a schema refers to stands in its place (zed-industries/zed#60162)', () => {
    const schema = shownSchema({
      type: 'object',
      $defs: { Query: { type: 'object', properties: { team: { type: 'string' } }, required: ['team'] } },
      properties: { query: { $ref: '#/$defs/Query' } },
      required: ['query'],
    });
    assert.doesNotMatch(JSON.stringify(schema), /\$ref|\$defs/);
    assert.match(JSON.stringify(schema), /"team":\{"type":"string"\}/);
  });

  it('F20 what refers to itself ends (agentscope-ai/QwenPaw#4191)', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    };
    const schema = JSON.stringify(shownSchema({ type: 'object', properties: node.properties, $defs: { node } }));
    assert.doesNotMatch(schema, /\$ref|\$defs/);
    assert.ok(schema.length < 4000, schema);
  });

  for (const globs of ['**/*.js,**/*.jsx', '**/*.{js,jsx}', '"**/*.js, **/*.jsx"', '[**/*.js, **/*.jsx]']) {
    it(`F34 a rule with globs: ${globs} is for both (bmadcode/cursor-custom-agents-rules-generator#26)`, () => {
      const file = '.cursor/rules/a.mdc';
      const [found] = (kinds.cursorRules ?? assert.fail()).read({
        place: { root: { name: 'ws', uri: 'file:///ws' }, path: file },
        ...{ path: file, text: `---\ndescription:\nglobs: ${globs}\nalwaysApply: false\n---\nUse it.`, isUsers: false },
      });
      const entry = found?.entry;
      assert.ok(entry?.when === 'touched', JSON.stringify(entry));
      assert.deepEqual(['src/a.js', 'b.jsx', 'c.ts'].map(entry.matches), [true, true, false]);
    });
  }
});
