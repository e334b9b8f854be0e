import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { kinds } from '../../../src/customizations/kinds.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

type Call = readonly [name: string, given: object, id?: string];

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on names, parts and ends of files', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  /** Each list of calls is one reply. */
  const tell = async (...replies: Call[][]) => {
    let made = 0;
    const script = replies.map((calls) => ({
      toolCalls: calls.map(([name, given, id = `x${++made}`]) => ({ id, name, arguments: JSON.stringify(given) })),
    }));
    return runScript(temp.path, [...script, { text: 'Done.' }]);
  };
  const told = async (name: string, given: object) => (await tell([[name, given]])).results[0]?.forModel ?? '';
  const textOf = (file: string) => readFile(path.join(temp.path, file), 'utf8');

  const patch = (file: string, body: string) => ({
    input: `*** Begin Patch\n*** Update File: ${file}\n@@\n${body}\n*** End Patch`,
  });
  const patches: [source: string, says: string, before: string, given: object, after: string][] = [
    [
      'openclaw/openclaw#124390',
      'a file that ends without a line end ends so',
      'one\ntwo',
      patch('a.txt', '-one\n+ONE\n two'),
      'ONE\ntwo',
    ],
    [
      'openclaw/openclaw#124390',
      'the lines around keep their ends',
      'one\r\ntwo\nthree\r\nfour\n',
      patch('a.txt', ' one\n-two\n+TWO\n three'),
      'one\r\nTWO\nthree\r\nfour\n',
    ],
    [
      'boozedog/pi-codemode#58',
      'a short head of a part is one',
      'one\ntwo\nthree\n',
      { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+TWO\n' },
      'one\nTWO\nthree\n',
    ],
  ];
  for (const [source, says, before, given, after] of patches) {
    it(`F14 after a patch ${says} (${source})`, async () => {
      await writeFiles(temp.path, { 'a.txt': before });
      const { results } = await tell([['read_file', { path: 'a.txt' }]], [['apply_patch', given]]);
      assert.equal(await textOf('a.txt'), after, results.at(-1)?.forModel);
    });
  }

  for (const [source, name] of [
    ['tontinton/maki#518', 'functions.read_file'],
    ['Yeachan-Heo/gajae-code#3917', 'mcp__jzi2uzmxd57z__2dl71hzhrahf_read_file'],
    ['Yeachan-Heo/gajae-code#3917', 'mcp__jzi2uzmxd57z__read_file'],
  ] as const) {
    it(`F13 ${name} reads, or it is said what is there (${source})`, async () => {
      await writeFiles(temp.path, { 'a.txt': 'needle' });
      assert.match(await told(name, { path: 'a.txt' }), /needle|read_file(?=[,. ])/);
    });
  }

  for (const id of ['call_1', '']) {
    it(`F13 two calls of one reply with the id "${id}" both have their result (huggingface/smolagents#2768)`, async () => {
      await writeFiles(temp.path, { 'a.txt': 'first', 'b.txt': 'second' });
      const { requests } = await tell([
        ['read_file', { path: 'a.txt' }, id],
        ['read_file', { path: 'b.txt' }, id],
      ]);
      const sent = requests.at(-1)?.messages ?? [];
      const ids = sent.flatMap((one) => (one.role === 'assistant' ? one.toolCalls.map((call) => call.id) : []));
      const pairs = sent.flatMap((one) => (one.role === 'tool' ? [one] : []));
      assert.equal(new Set(ids).size, 2);
      assert.deepEqual(
        pairs.map((one) => one.callId),
        ids,
      );
      assert.match(JSON.stringify(pairs), /first.*second/);
    });
  }

  it('F14 the same edit twice in one reply is one, and no failure (LionSR/TeXRA#9765)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'one\ntwo\n' });
    const edit = ['edit_file', { path: 'a.txt', edits: [{ search: 'two', replace: 'TWO' }] }] as const;
    const { results } = await tell([['read_file', { path: 'a.txt' }]], [edit, edit]);
    assert.equal(await textOf('a.txt'), 'one\nTWO\n');
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done', 'done'],
      results.at(-1)?.forModel,
    );
  });

  it('F14 an edit that fails twice in one reply has failed twice (LionSR/TeXRA#9765)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'one\ntwo\n' });
    const edit = ['edit_file', { path: 'a.txt', edits: [{ search: 'three', replace: 'THREE' }] }] as const;
    const { results } = await tell([['read_file', { path: 'a.txt' }]], [edit, edit]);
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'failed', 'failed'],
    );
  });

  it('F14 a unified diff that makes or removes files is refused (boozedog/pi-codemode#58)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'one\n' });
    for (const diff of [
      '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n',
      '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
    ])
      assert.match(await told('apply_patch', { patch: diff }), /^Not run: a patch begins with/);
    assert.equal(await textOf('a.txt'), 'one\n');
  });

  for (const [name, given] of [
    ['read_file', { path: 'a.txt', startLine: 100 }],
    ['Read', { file_path: 'a.txt', offset: 100, limit: 10 }],
  ] as const) {
    it(`F13 ${name} of a part beyond the end says how many lines there are (Zoo-Code-Org/Zoo-Code#1728)`, async () => {
      await writeFiles(temp.path, { 'a.txt': 'a\nb\nc\nd\ne\n' });
      assert.match(await told(name, given), /\b5 lines/);
    });
  }

  for (const given of [
    { file_path: 'a.txt', limit: 0 },
    { file_path: 'a.txt', offset: 0 },
  ]) {
    it(`F13 a part ${JSON.stringify(given)} is no failure (langchain-ai/deepagents#5184)`, async () => {
      await writeFiles(temp.path, { 'a.txt': 'a\nb\nc\n' });
      const { results } = await tell([['Read', given]]);
      assert.equal(results[0]?.state, 'done', results[0]?.forModel);
    });
  }

  it('F15 a command that removes its own folder leaves the next one running (anthropics/claude-code#24143)', async function () {
    if (process.platform === 'win32') this.skip();
    await mkdir(path.join(temp.path, 'sub'));
    const { results } = await tell(
      [['run_command', { command: 'cd sub && rm -rf ../sub' }]],
      [['run_command', { command: 'echo there' }]],
    );
    assert.match(results[1]?.forModel ?? '', /^Exit code 0 [\s\S]*\nthere$/);
  });

  for (const name of ['run_command', 'bash']) {
    it(`F15 ${name} runs where \`cwd\` says (earendil-works/pi#5904)`, async function () {
      if (process.platform === 'win32') this.skip();
      await mkdir(path.join(temp.path, 'sub'));
      assert.match(await told(name, { command: 'pwd', cwd: 'sub' }), /\/sub$/m);
    });
  }

  for (const [name, given] of [
    ['search_text', { query: 'call\\(\\n\\s+first', regex: true }],
    ['Grep', { pattern: 'call\\(.*second', multiline: true, output_mode: 'content' }],
  ] as const) {
    it(`F13 ${name} finds a pattern over several lines (bojieli/ai-agent-book#717)`, async () => {
      await writeFiles(temp.path, { 'a.ts': 'one();\ncall(\n  first,\n  second,\n);\n' });
      assert.match(await told(name, given), /^a\.ts\n2: call\(\n3: {3}first/);
    });
  }

  const greps: [given: object, answer: RegExp][] = [
    [{ pattern: 'needle', '-i': true, '-C': 1, output_mode: 'content' }, /above[\s\S]*NEEDLE[\s\S]*below/],
    [{ pattern: 'needle', '-i': true, output_mode: 'files_with_matches', head_limit: 5 }, /sub\/a\.txt/],
    [{ pattern: 'NEEDLE', type: 'txt', '-n': true, '-A': 1, output_mode: 'content' }, /NEEDLE[\s\S]*below/],
  ];
  for (const [given, answer] of greps) {
    it(`F13 Grep understands ${JSON.stringify(given)} (macanderson/stella#1260)`, async () => {
      await writeFiles(temp.path, { 'sub/a.txt': 'above\nNEEDLE\nbelow\n' });
      assert.match(await told('Grep', given), answer);
    });
  }

  it('F15 a command that fails without a word is told as that (Lexus2016/hermes-agent-evolution#888)', async function () {
    if (process.platform === 'win32') this.skip();
    assert.match(await told('run_command', { command: 'exit 3' }), /^Exit code 3 [\s\S]*no output/i);
  });

  const rules: [header: string, when: string | undefined][] = [
    ['alwaysApply: true\nglobs: "*.ts"', 'always'],
    ['alwaysApply: false\nglobs: "*.ts"', 'touched'],
    ['alwaysApply: false', undefined],
  ];
  for (const [header, when] of rules) {
    it(`F34 a rule with ${JSON.stringify(header)} is sent ${when ?? 'when it is named'} (continuedev/continue#5837)`, () => {
      const file = '.continue/rules/a.md';
      const found = (kinds.continueRules ?? assert.fail()).read({
        place: { root: { name: 'ws', uri: 'file:///ws' }, path: file },
        ...{ path: file, text: `---\n${header}\n---\nUse two blanks.`, isUsers: false },
      });
      const sent = found.map(({ entry }) => entry.when).filter((one) => one === 'always' || one === 'touched');
      assert.deepEqual(sent, when === undefined ? [] : [when]);
    });
  }
});
