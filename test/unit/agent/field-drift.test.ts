import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { loosenArguments } from '../../../src/agent/loose-arguments.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { touchedPaths } from '../../../src/conversation/touched-paths.ts';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { createProcesses } from '../../../src/tools/command/processes.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { scriptedCalls } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on names that drift, signs that look alike, and processes that stay', () => {
  let temp: TempDir;
  let root = '';
  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, { 'ws/README.md': 'Read me.\n' });
  });
  afterEach(() => temp.remove());

  const { tell, told, textOf: onDisk } = scriptedCalls(() => root);
  const onPosix = process.platform === 'win32' ? it.skip : it;
  const customizations = async () =>
    JSON.stringify(await findCustomizations({ ...openFolders({ ws: root }), nested: async () => [] }));

  it('F13 braces and blanks in a pattern find files that have them (can1357/oh-my-pi#12179)', async () => {
    await writeFiles(root, { 'rules/{rule} naming.md': '', 'notes/a deep research plan.md': '' });
    assert.match(await told('find_files', { pattern: 'rules/{rule}*.md' }), /^rules\/\{rule\} naming\.md/m);
    assert.match(await told('glob', { pattern: '**/*deep research*.md' }), /deep research plan\.md/);
  });

  it('F13 a limit of −1 reads to the end (bojieli/ai-agent-book#317)', async () => {
    await writeFiles(root, { 'a.txt': '1\n2\n3\nlast\n' });
    assert.match(await told('Read', { file_path: 'a.txt', limit: -1 }), /4\tlast/);
  });

  it('F20 null for what takes none and need not be there is left out (modelcontextprotocol/inspector#357)', () => {
    const properties = { query: { type: 'string' }, limit: { type: 'integer' }, user: { type: ['string', 'null'] } };
    const schema: object = { type: 'object', properties, required: ['query'] };
    const given = { query: 'a', limit: null, user: null };
    assert.deepEqual(loosenArguments(given, schema, { ownNames: false, forgives: false }).value, {
      query: 'a',
      user: null,
    });
  });

  it('H12 of steps with one id no ghost stays in the plan (NousResearch/hermes-agent#7986)', async () => {
    const todos = [
      { id: '1', content: 'Read the code', status: 'pending' },
      { id: '1', content: 'Read the code', status: 'completed' },
      { id: '2', content: 'Write a test', status: 'pending' },
    ];
    const { requests } = await tell([['todo_write', { todos }]]);
    const [call] = (requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === 'assistant' ? one.toolCalls : []));
    assert.deepEqual(JSON.parse(call?.arguments ?? ''), {
      items: [
        { text: 'Read the code', state: 'done' },
        { text: 'Write a test', state: 'pending' },
      ],
    });
  });

  onPosix('F15 codes of bracketed paste are no part of an output (open-power/op-test#946)', async () => {
    const command = String.raw`printf '\033[?2004h\033]0;user@host: ~\007ok\n\033[?2004l'; exit 3`;
    const text = await told('run_command', { command });
    assert.match(text, /^Exit code 3/);
    assert.match(text, /^ok$/m);
    assert.ok(!/2004|user@host/.test(text) && !text.includes('\u001b'), text);
  });

  it('F35 lines of dashes in a skill are no second header (op7418/Humanizer-zh#21)', async () => {
    const skill = '---\nname: plain\ndescription: Writes plainly\n---\nFirst.\n\n---\n\nkey: value\n\n---\n\nLast.\n';
    await writeFiles(root, { '.claude/skills/plain/SKILL.md': skill });
    const found = await customizations();
    assert.match(found, /Writes plainly/);
    assert.match(found, /First\.\\n\\n---\\n\\nkey: value\\n\\n---\\n\\nLast\./);
  });

  it('E02 search_replace with blocks keeps ends of lines and letters (mistralai/mistral-vibe#674)', async () => {
    await writeFiles(root, { 'a.txt': 'títulos\r\nline2\r\nline3\r\n' });
    const content = '<<<<<<< SEARCH\nline2\n=======\nlineX\n>>>>>>> REPLACE';
    await tell([['read_file', { path: 'a.txt' }]], [['search_replace', { file_path: 'a.txt', content }]]);
    assert.equal(await onDisk('a.txt'), 'títulos\r\nlineX\r\nline3\r\n');
  });

  it('E02 a patch in composed letters finds decomposed ones (anomalyco/opencode#32216)', async () => {
    const [name, old] = ['й'.normalize('NFD'), 'x = 1'];
    await writeFiles(root, { 'a.py': `# ${name}\n${old}\n` });
    const input = '*** Begin Patch\n*** Update File: a.py\n@@\n # й\n-x = 1\n+x = 2\n*** End Patch';
    await tell([['read_file', { path: 'a.py' }]], [['apply_patch', { input }]]);
    assert.equal(await onDisk('a.py'), `# ${name}\nx = 2\n`);
  });

  it('F13 a pattern of exclusion is understood, or told as not understood (kthompson/glob#84)', async () => {
    await writeFiles(root, { 'src/a.ts': '', 'src/a.test.ts': '' });
    const text = await told('find_files', { pattern: 'src/!(*.test).ts' });
    assert.match(text, /^src\/a\.ts$|not (?:understood|supported|taken)|!\(/m);
    assert.doesNotMatch(text, /a\.test\.ts/);
  });

  it('F13 alternatives below a hidden folder find (MarcusJellinghaus/mcp-workspace#249)', async () => {
    await writeFiles(root, { '.claude/agents/a.md': 'x\n', '.claude/skills/b/SKILL.md': 'x\n' });
    const text = await told('find_files', { pattern: '.claude/{agents,skills}/**/*.md' });
    assert.match(text, /agents\/a\.md\n.*SKILL\.md/);
  });

  it('F12 arguments under another key, as text, are read (agent0ai/agent-zero#1640)', async () => {
    const args = { path: 'README.md' };
    assert.match(await told('read_file', { tool_args: JSON.stringify(args) }), /1\tRead me\./);
    assert.match(await told('read_file', { args }), /1\tRead me\./);
  });

  it('F12 of arguments that are none one fails, its sibling goes on (NousResearch/hermes-agent#61784)', async () => {
    for (const none of ['42', '[]', 'null', '"a"', '']) {
      const { results } = await tell([
        ['search_text', none],
        ['read_file', { path: 'README.md' }],
      ]);
      assert.deepEqual(
        results.map(({ state }) => state),
        ['failed', 'done'],
        none,
      );
    }
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('F32 what hides from a hang-up in a group of its own is ended, too (fwdai/fletch#324)', async () => {
    const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock });
    const processes = createProcesses({ shell, clock: systemClock });
    const commandLine = 'setsid sh -c \'trap "" HUP; echo $$; sleep 300; :\' & wait';
    const never = new AbortController().signal;
    const { info, text } = await processes.start('c', { commandLine, cwd: root, background: true }, never);
    const child = Number(/\d+/.exec(text)?.[0]);
    assert.ok(child > 1, text);
    await processes.stop('c', info.id);
    assert.match(await readFile(`/proc/${child}/stat`, 'utf8').catch(() => ''), /^$|\) [ZX] /);
  });

  onPosix('F15 exclamation marks in double quotes stay (github/gh-aw#33366)', async () => {
    assert.match(await told('run_command', { command: 'echo "done!** foo!bar !1"' }), /^done!\*\* foo!bar !1$/m);
  });

  it('E02 two edits within one line are both made (moonbitlang/openseek#263)', async () => {
    await writeFiles(root, { 'a.mbt': 'if l.length() < r.length() { l.length() } else { r.length() }\n' });
    const edits = [
      { search: 'if l.length()', replace: 'if l.len()' },
      { search: ' < r.length()', replace: ' < r.len()' },
    ];
    await tell([['read_file', { path: 'a.mbt' }]], [['edit_file', { path: 'a.mbt', edits }]]);
    assert.equal(await onDisk('a.mbt'), 'if l.len() < r.len() { l.length() } else { r.length() }\n');
  });

  it('E02 of edits of which one is nowhere none is made, and that one is named (apmantza/pi-lens#637)', async () => {
    const before = 'const a = 1;\nconst b = 2;\n';
    await writeFiles(root, { 'a.ts': before });
    const edits = [
      { oldText: 'const a = 1;', newText: 'const a = 10;' },
      { oldText: 'const missing = true;', newText: 'const missing = false;' },
    ];
    const { results } = await tell([['read_file', { path: 'a.ts' }]], [['edit', { path: 'a.ts', edits }]]);
    assert.equal(await onDisk('a.ts'), before);
    assert.match(results[1]?.forModel ?? '', /missing|2/);
  });

  it('H20 names of tools with another spelling and an ending are known (NousResearch/hermes-agent#15124)', async () => {
    for (const name of ['ReadFile_tool', 'ReadFileTool', 'read-file_Tool'])
      assert.match(await told(name, { path: 'README.md' }), /1\tRead me\./, name);
  });

  it("F35 an agent's tools between blanks are each one (Jamie-BitFlight/claude_skills#3136)", async () => {
    await writeFiles(root, { '.claude/agents/a.md': '---\nname: a\ndescription: A\ntools: Read Grep\n---\nLook.\n' });
    assert.match(await customizations(), /"tools":\["Read","Grep"\]/);
  });

  it('F21 a file that is only written brings its rules along (lebobo88/pair-programmer#50)', () => {
    const toolCalls = [{ id: 'c', name: 'create_file', arguments: '{"path":"daemon/test/a.ts","content":""}' }];
    assert.deepEqual(touchedPaths([{ role: 'assistant', model: 'm', text: '', toolCalls }]), ['daemon/test/a.ts']);
  });
});
