import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readAgent, readSkill } from '../../../src/customizations/readers.ts';
import { createExternalTools } from '../../../src/tools/external-tools.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createEditBench } from '../tools/node-edit-port.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on habits of models and forms of files', () => {
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
    const shown: (readonly string[])[] = [];
    const onQuestion = (choices: readonly string[]) => `${shown.push(choices)}`;
    const { results, requests } = await runScript(temp.path, [...script, { text: 'Done.' }], { onQuestion });
    const calls = requests.at(-1)?.messages.flatMap((one) => (one.role === 'assistant' ? one.toolCalls : [])) ?? [];
    return Object.assign(results, { shown, made: calls.map((one) => JSON.parse(one.arguments)) });
  };
  const told = async (name: string, given: object) => (await tell([[name, given]]))[0]?.forModel ?? '';

  it('F14 a file that is written whole keeps its mark and its line ends (Gitlawb/zero#967)', async () => {
    await writeFiles(temp.path, { 'a.ps1': '\ufeffone\r\ntwo\r\n' });
    const bench = createEditBench(temp.path);
    await bench.noteRead('a.ps1');
    const create = bench.tools.find(({ name }) => name === 'create_file') ?? assert.fail();
    await (await create.plan({ path: 'a.ps1', content: 'one\nTWO\n' }, toolContext())).run();
    assert.equal(await readFile(path.join(temp.path, 'a.ps1'), 'utf8'), '\ufeffone\r\nTWO\r\n');
  });

  it('F18 a state of a plan that nobody has is an open one (anomalyco/opencode#1354)', async () => {
    const todos = [
      { id: '1', content: 'Draft it', status: 'completed', priority: 'high' },
      { id: '2', content: 'Validate it', status: 'failed', priority: 'low' },
    ];
    const { made, ...results } = await tell([['todowrite', { todos }]]);
    assert.equal(results[0]?.state, 'done');
    assert.deepEqual(
      made[0].items.map((item: { text: string; state: string }) => [item.text, item.state]),
      [
        ['Draft it', 'done'],
        ['Validate it', 'pending'],
      ],
    );
  });

  it('F18 a plan as one text with written line ends is a plan (Zoo-Code-Org/Zoo-Code#342)', async () => {
    const todos = '[x] Read it\\n[-] Change it\\n[ ] Test it';
    const { made, ...results } = await tell([['update_todo_list', { todos }]]);
    assert.equal(results[0]?.state, 'done');
    assert.deepEqual(
      made[0].items.map((item: { text: string; state: string }) => [item.text, item.state]),
      [
        ['Read it', 'done'],
        ['Change it', 'active'],
        ['Test it', 'pending'],
      ],
    );
  });

  const globs: [source: string, name: string, given: object][] = [
    ['langchain-ai/deepagents#1846', 'find_files', { pattern: '/notes/**/*.md' }],
    ['use-agent-os/agent-os#2693', 'find_files', { pattern: '/**/*.md' }],
    ['moonrepo/moon#1414', 'find_files', { pattern: './notes/2026/*.md' }],
    ['github/copilot-cli#4271', 'find_files', { pattern: 'notes/2026/26.md' }],
    ['anthropics/claude-agent-sdk-typescript#386', 'Glob', { pattern: '2026/*.md', path: 'notes' }],
    ['anthropics/claude-agent-sdk-typescript#386', 'Glob', { pattern: '2026/*.md', path: 'ROOT/notes' }],
  ];
  for (const [source, name, given] of globs) {
    it(`F13 ${name} ${JSON.stringify(given)} finds the file (${source})`, async () => {
      await writeFiles(temp.path, { 'notes/2026/26.md': 'x', 'other/2026/1.txt': 'x' });
      const meant = JSON.parse(
        JSON.stringify(given).replace('ROOT', () => JSON.stringify(temp.path).slice(1, -1)),
      ) as object;
      assert.match(await told(name, meant), /^notes\/2026\/26\.md/);
    });
  }

  const header = 'name: agent-message\ndescription: Sends messages.\ntools: Read, Bash';
  it('F35 an agent whose header ends its lines in the way of Windows is read (github/copilot-cli#694)', () => {
    for (const text of [
      `---\n${header}\n---\nYou send.\n`.replaceAll('\n', '\r\n'),
      `---\r\n${header}\r\n---\nYou send.\n`,
    ]) {
      const [found] = readAgent({ path: 'agents/agent-message.md', text } as never);
      assert.ok(found?.entry.when === 'picked');
      assert.deepEqual([found.description, found.entry.agent.tools], ['Sends messages.', ['Read', 'Bash']]);
    }
  });

  const skills: [source: string, header: string, description: string][] = [
    [
      'context-labs/whip#107',
      'description: >-\n  Sends messages\n  when asked.\nlicense: MIT',
      'Sends messages when asked.',
    ],
    [
      'neo4j-contrib/neo4j-skills#44',
      'description: Sends messages\n  by CLI: Cypher, for (a/b): both.',
      'Sends messages by CLI: Cypher, for (a/b): both.',
    ],
    [
      'legeling/PromptHub#183',
      'description: |-\n  Sends messages.\n  Use when asked.\nallowed-tools: Read, Bash\nmetadata:\n  author: a\n  version: "1.2"',
      'Sends messages. Use when asked.',
    ],
  ];
  for (const [source, rest, description] of skills) {
    it(`F34 the description of a skill over several lines is read (${source})`, () => {
      const text = `---\nname: agent-message\n${rest}\n---\nDo it.`;
      const [found] = readSkill({ path: 'skills/agent-message/SKILL.md', text } as never);
      assert.equal(found?.entry.when, 'loaded');
      assert.equal(found.description.replaceAll('\n', ' '), description);
    });
  }

  it('F15 of a link that a terminal would follow the text stays (hookdeck/hookdeck-cli#403)', async function () {
    if (process.platform === 'win32') this.skip();
    const command = String.raw`printf 'Open: \033]8;;https://a.example/?team=1\033\\https://a.example/\033]8;;\033\\ now\n'`;
    assert.match(await told('run_command', { command }), /\nOpen: https:\/\/a\.example\/ now$/);
  });

  it('F13 a document that is no text is not read as one (xuzhougeng/wisp-science#403)', async () => {
    const pdf = Buffer.from(
      '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length 44 >>\nstream\n\x8f\x9c\xfe\xdb\x01\x02\x8e\x99\nendstream\n',
      'latin1',
    );
    await writeFile(path.join(temp.path, 'a.pdf'), pdf);
    assert.match(await told('read_file', { path: 'a.pdf' }), /not text/);
  });

  it('F13 a picture in a notebook leaves its cells readable (NousResearch/hermes-agent#37082)', async () => {
    const cell = (source: string, outputs: object[] = []) => ({
      cell_type: 'code',
      metadata: {},
      outputs,
      source: [source],
    });
    const picture = { data: { 'image/png': 'iVBORw0KGgo'.repeat(50_000) }, output_type: 'display_data' };
    const cells = [cell('first = 1'), cell('plot()', [picture]), cell('last = 2')];
    await writeFiles(temp.path, { 'a.ipynb': JSON.stringify({ cells, nbformat: 4 }, undefined, 1) });
    const text = await told('read_file', { path: 'a.ipynb' });
    assert.match(text, /first = 1[\s\S]*last = 2/);
    assert.ok(text.length < 20_000, String(text.length));
  });

  it('F14 a patch that adds or moves onto a file that is there changes nothing (can1357/oh-my-pi#3991)', async () => {
    await writeFiles(temp.path, { 'a.ts': 'mine\n', 'b.ts': 'other\n' });
    for (const body of ['*** Add File: a.ts\n+new', '*** Update File: b.ts\n*** Move to: a.ts\n@@\n-other\n+another']) {
      const [result] = await tell([['apply_patch', { input: `*** Begin Patch\n${body}\n*** End Patch` }]]);
      assert.equal(result?.state, 'failed', result?.forModel);
    }
    const texts = ['a.ts', 'b.ts'].map((file) => readFile(path.join(temp.path, file), 'utf8'));
    assert.deepEqual(await Promise.all(texts), ['mine\n', 'other\n']);
  });

  it('F15 what asks on the terminal itself gets none (docker/docker-agent#1551)', async function () {
    if (process.platform === 'win32') this.skip();
    const command = 'if read -r answer </dev/tty; then echo "got $answer"; else echo none; fi';
    assert.match(await told('run_command', { command, timeoutSeconds: 20 }), /^Exit code 0 [\s\S]*none$/);
  });

  it('F14 F15 an edit beside a command in one reply is there (anomalyco/opencode#44491)', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFiles(temp.path, { 'a.ts': 'const a = 1;\n', 'b.sh': 'old\n' });
    await tell(
      [['read_file', { path: 'a.ts' }]],
      [
        ['run_command', { command: "cat > b.sh <<'EOF'\nnew\nEOF" }],
        ['edit_file', { path: 'a.ts', edits: [{ search: 'a = 1', replace: 'a = 2' }] }],
      ],
    );
    const texts = ['a.ts', 'b.sh'].map((file) => readFile(path.join(temp.path, file), 'utf8'));
    assert.deepEqual(await Promise.all(texts), ['const a = 2;\n', 'new\n']);
  });

  it('F18 choices that are objects are shown by their labels (kdlbs/kandev#125)', async () => {
    const options = [
      { label: 'PostgreSQL', description: 'A server' },
      { label: 'SQLite', description: 'A file' },
    ];
    const { shown } = await tell([['ask_user_question', { prompt: 'Which?', options }]]);
    assert.match(shown.join(), /PostgreSQL[^,]*,SQLite/);
  });

  it('F20 a tool of others without a result is told as that (openai/openai-agents-python#1035)', async () => {
    const tools = [{ name: 'mcp_db_find', description: 'Finds' }];
    const [tool = assert.fail()] = createExternalTools({
      ...openFolders({}),
      external: { list: () => tools, invoke: async () => [] },
      picked: () => ['mcp_db_find'],
      loadAbove: () => 1e9,
      keepImage: async () => '0'.repeat(64),
    })({ own: [], conversationId: 'c', keep: (all) => all });
    const { forModel, state } = await (await tool.plan({}, toolContext())).run();
    assert.notEqual(forModel.trim(), '');
    assert.equal(state, undefined);
  });

  it('F15 several calls of another agent in one wrapper each run (respawn-llc/kent#45)', async function () {
    if (process.platform === 'win32') this.skip();
    const uses = ['echo one', 'echo two'].map((cmd) => ({
      parameters: { cmd, max_output_tokens: 4000, workdir: temp.path },
      recipient_name: 'functions.exec_command',
    }));
    const results = await tell([['multi_tool_use.parallel', { tool_uses: uses }]]);
    assert.match(results.map(({ forModel }) => forModel).join('\n'), /\none[\s\S]*\ntwo/);
  });
});
