import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { maxResultBytes } from '../../../src/agent/run-tool.ts';
import { kinds } from '../../../src/customizations/kinds.ts';
import { renderRules } from '../../../src/customizations/rules-text.ts';
import { createExternalTools } from '../../../src/tools/external-tools.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { createTalkTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on commands, files and rules of others', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  /** Each list of calls is one reply. */
  const tell = async (...replies: (readonly [name: string, given: object])[][]) => {
    let id = 0;
    const script = replies.map((calls) => ({
      toolCalls: calls.map(([name, given]) => ({ id: `x${++id}`, name, arguments: JSON.stringify(given) })),
    }));
    const { outcome, results, requests } = await runScript(temp.path, [...script, { text: 'Done.' }]);
    assert.equal(outcome, 'finished');
    return { results: results.map(({ forModel }) => forModel), requests };
  };
  const run = async (command: string) => (await tell([['run_command', { command }]])).results[0] ?? '';

  const commands: [source: string, says: string, command: string, answer: RegExp][] = [
    [
      'zed-industries/zed#49106',
      'a text within the command that ends it',
      "cat <<'EOF'\nhello $HOME\nEOF",
      /^Exit code 0 [\s\S]*\nhello \$HOME$/,
    ],
    ['zerx-lab/zap#326', 'a command that ends in a comment', 'echo a; false # look', /^Exit code 1 [\s\S]*\na$/],
    ['zerx-lab/zap#326', 'lines of which the last is a comment', 'echo a\n# look', /^Exit code 0 [\s\S]*\na$/],
  ];
  for (const [source, says, command, answer] of commands) {
    it(`F15 runs ${says} (${source})`, async function () {
      if (process.platform === 'win32') this.skip();
      assert.match(await run(command), answer);
    });
  }

  for (const start of ['sleep 300 &', 'setsid sleep 300 &']) {
    it(`F15 does not wait for what holds its output open: ${start} (anomalyco/opencode#48414)`, async function () {
      if (process.platform === 'win32') this.skip();
      const answer = await run(`${start} echo "pid $!"`);
      const pid = Number(/pid (\d+)/.exec(answer)?.[1]);
      try {
        assert.match(answer, /^Exit code 0 /);
        assert.ok(answer.includes(`Still running after it: pid ${pid}`), answer);
      } finally {
        process.kill(pid);
      }
    });
  }

  it('F15 sends no zero byte of an output (anthropics/claude-code#94055)', async function () {
    if (process.platform === 'win32') this.skip();
    const { requests } = await tell([['run_command', { command: String.raw`printf 'a\000b\377c\n'` }]]);
    const sent = JSON.stringify(requests.at(-1)?.messages);
    assert.doesNotMatch(sent, /\\u0000/);
    assert.match(sent, /a.{0,8}b.{0,8}c/);
  });

  it('F13 a folder that is read is listed, or it is said how (amd/gaia#3890)', async () => {
    await writeFiles(temp.path, { 'tests/cart.test.ts': 'x' });
    const [answer = ''] = (await tell([['read_file', { path: 'tests' }]])).results;
    assert.match(answer, /list_directory|cart\.test\.ts/);
    assert.doesNotMatch(answer, /EISDIR/);
  });

  it('F13 the wrapper of several calls is each of them (vercel/ai#2786)', async () => {
    await writeFiles(temp.path, { 'a.ts': 'first', 'b.ts': 'second' });
    const uses = ['a.ts', 'b.ts'].map((file) => ({
      recipient_name: 'functions.read_file',
      parameters: { path: file },
    }));
    const { results } = await tell([['multi_tool_use.parallel', { tool_uses: uses }]]);
    assert.match(results.toSorted().join('\n'), /first[\s\S]*second/);
  });

  it('F14 two edits of one file in one reply are both there (earendil-works/pi#2327)', async () => {
    await writeFiles(temp.path, { 'n.txt': Array.from({ length: 100 }, (_, at) => `row ${at + 1}`).join('\n') });
    const edit = (search: string, replace: string) =>
      ['edit_file', { path: 'n.txt', edits: [{ search, replace }] }] as const;
    const { results } = await tell(
      [['read_file', { path: 'n.txt' }]],
      [edit('row 50\n', 'FIFTY\n'), edit('row 75\n', 'SEVENTY\n')],
      [['search_text', { query: 'FIFTY|SEVENTY', regex: true }]],
    );
    assert.match(results.at(-1) ?? '', /50: FIFTY[\s\S]*75: SEVENTY/);
  });

  it('F13 of a long line that matches the part with the match is shown (anthropics/claude-code#78827)', async () => {
    const filler = (word: string) => `${word} `.repeat(900);
    await writeFiles(temp.path, { 'b.min.js': `${filler('left')}needle = 7;${filler('right')}` });
    const [answer = ''] = (await tell([['search_text', { query: 'needle' }]])).results;
    assert.match(answer, /left needle = 7;right/);
    assert.ok(answer.length < 1500, String(answer.length));
  });

  it('F13 F14 brackets in a path are letters (Trae-AI/TRAE#33)', async () => {
    const file = 'src/app/books/[id]/route.ts';
    await writeFiles(temp.path, { [file]: 'export const GET = 1;\n', 'src/app/books/i/route.ts': 'other\n' });
    const { results } = await tell(
      [['find_files', { pattern: file }]],
      [['search_text', { query: 'GET', path: 'src/app/books/[id]' }]],
      [['search_text', { query: 'GET', include: 'src/app/books/[id]/**' }]],
      [['read_file', { path: file }]],
      [['edit_file', { path: file, edits: [{ search: 'GET = 1', replace: 'GET = 2' }] }]],
      [['read_file', { path: file }]],
    );
    for (const at of [0, 1, 2, 3]) assert.ok(results[at]?.includes(file), `${at}: ${results[at]}`);
    assert.match(results[5] ?? '', /GET = 2/);
  });

  it('F13 folders that lead into themselves by links are looked at once (langchain-ai/deepagentsjs#668)', async () => {
    await writeFiles(temp.path, { 'sub/a.txt': 'needle\n' });
    await symlink('.', path.join(temp.path, 'sub', 'sub'));
    await symlink('..', path.join(temp.path, 'sub', 'up'));
    const { results } = await tell(
      [['find_files', { pattern: '**/a.txt' }]],
      [['search_text', { query: 'needle' }]],
      [['list_directory', { path: 'sub' }]],
    );
    assert.deepEqual([results[0]?.match(/a\.txt/g)?.length, results[1]?.match(/needle/g)?.length], [1, 1]);
    assert.match(results[2] ?? '', /a\.txt/);
  });

  const foreign = (tools: { name: string; description: string }[], text = '') =>
    createExternalTools({
      ...openFolders({}),
      external: { list: () => tools, invoke: async () => [{ kind: 'text', text }] },
      picked: () => tools.map(({ name }) => name),
      loadAbove: () => 1e9,
      keepImage: async () => '0'.repeat(64),
    })({ own: [], conversationId: 'c', keep: (all) => all });

  it('F20 long names that begin alike stay apart, in letters that services take (xorbitsai/xagent#1342)', () => {
    const server = `mcp_${'enterprise-database-management.'.repeat(3)}`;
    const tools = foreign(
      ['list.all users', 'list.all teams', 'sync'].map((name) => ({ name: server + name, description: name })),
    );
    const names = tools.map(({ name }) => name);
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name, /^[A-Za-z][\w-]{0,63}$/);
  });

  it('F20 a picture that a server writes as text does not fill the context (ChromeDevTools/chrome-devtools-mcp#950)', async () => {
    const [tool = assert.fail()] = foreign(
      [{ name: 'mcp_chrome_shot', description: 'Shot' }],
      `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(48_000)}`,
    );
    const plan = await tool.plan({}, { signal: new AbortController().signal } as never);
    const { forModel } = await plan.run();
    assert.ok(forModel.length <= maxResultBytes, String(forModel.length));
  });

  const read = (file: string, text: string) =>
    Object.values(kinds).flatMap((kind) =>
      kind.read({ place: { root: { name: 'ws', uri: 'file:///ws' }, path: file }, path: file, text, isUsers: false }),
    );
  for (const globs of ['*.json', '"*.json"', '**/*.json, docs/*.md', '["*.json"]', '\n  - "*.json"']) {
    it(`F34 a rule for ${JSON.stringify(globs)} is for these files (ThreeMoonsLab/agents-shipgate#729)`, () => {
      const text = `---\ndescription: Standards\nglobs: ${globs}\nalwaysApply: false\n---\nUse two blanks.`;
      const [entry] = read('.cursor/rules/a.mdc', text).flatMap(({ entry: found }) =>
        found.when === 'touched' ? [found] : [],
      );
      assert.deepEqual(
        ['a.json', 'c.ts'].map((file) => entry?.matches(file)),
        [true, false],
      );
    });
  }

  it('F21 a file that holds only the name of another is no rule (koobiq/angular-components#1574)', () => {
    const rule = (file: string, text: string) => ({
      ...{ path: file, text, folder: '', isUsers: false },
      entry: { when: 'always' as const },
    });
    const { text } = renderRules([rule('AGENTS.md', 'Use tabs.'), rule('CLAUDE.md', 'AGENTS.md')], {
      paths: [],
      severalRoots: false,
    });
    assert.equal(text.match(/<instructions /g)?.length, 1);
  });

  it('F18 a question with one choice, none, or an empty one is asked (open-octo/octo-agent#981, esengine/DeepSeek-Reasonix#2429)', async () => {
    const [askUser = assert.fail()] = createTalkTools();
    const asked: unknown[] = [];
    const ask = async (about: { options?: readonly string[] }) => {
      asked.push(about.options ?? []);
      return 'x';
    };
    for (const options of [undefined, [], ['one'], ['a', '  ', 'b', '']]) {
      await runTool(askUser, { question: 'Its name?', options }, { ask } as never);
    }
    assert.deepEqual(asked, [[], [], ['one'], ['a', 'b']]);
  });
});
