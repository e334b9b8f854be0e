import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { kinds } from '../../../src/customizations/kinds.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { scriptedCalls } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on empty answers, ends of commands and forms of edits', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  const { tell, told, textOf } = scriptedCalls(() => temp.path);

  it('F13 no match in a file that is there is no missing file (cloudwego/eino#1300)', async () => {
    await writeFiles(temp.path, { 'out/render.yaml': 'checksum: 1\n' });
    assert.match(await told('Grep', { pattern: 'auth-url', path: 'out/render.yaml' }), /^No match/);
    assert.match(await told('search_text', { query: 'auth-url', path: 'out/render.yaml' }), /^No match/);
  });

  it('F13 a search in no file at all is told as that (zed-industries/zed#34754)', async () => {
    await writeFiles(temp.path, { 'src/a.ts': 'needle\n' });
    assert.match(await told('search_text', { query: 'needle', glob: 'lib/**/*.py' }), /^No file matches glob lib/);
    assert.match(await told('search_text', { query: 'nowhere', glob: '*.ts' }), /^No match/);
  });

  it('F13 a search in a folder without a file says so (Digital-Process-Tools/claude-supertool#407)', async () => {
    await mkdir(path.join(temp.path, 'empty'));
    assert.match(await told('search_text', { query: 'needle', path: 'empty' }), /^There is no file to search/);
  });

  it('F13 a search in a file that is not there says so (initializ/forge#282)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'needle\n' });
    assert.match(
      await told('search_text', { query: 'Error|Failed', path: 'pods.json' }),
      /no file or folder pods\.json/,
    );
  });

  it('F13 a folder that cannot be read hides no match of others (earendil-works/pi#9141)', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    await writeFiles(temp.path, { 'open/notes.txt': 'the answer is 42\n', 'locked/a.txt': 'answer\n' });
    await chmod(path.join(temp.path, 'locked'), 0);
    try {
      assert.match(await told('search_text', { query: 'answer' }), /open\/notes\.txt/);
    } finally {
      await chmod(path.join(temp.path, 'locked'), 0o700);
    }
  });

  for (const command of ["cat <<'EOF'\n  body\n  EOF", 'echo "never closed', '(echo one; echo two']) {
    it(`F15 ${JSON.stringify(command)} ends by itself (xiaobright/dsh-anchored-standard#75)`, async function () {
      if (process.platform === 'win32') this.skip();
      const text = await told('run_command', { command, timeoutSeconds: 20 });
      assert.match(text, /^Exit code /);
    });
  }

  it('F15 a heredoc within a substitution behind && runs (anthropics/claude-code#25015)', async function () {
    if (process.platform === 'win32') this.skip();
    const command = `true && printf '%s' "$(cat <<'EOF'\nrefactor: rename\n\n- it's "done"\nEOF\n)"`;
    assert.match(await told('run_command', { command }), /^Exit code 0 [\s\S]*\nrefactor: rename\n\n- it's "done"$/);
  });

  it('F14 blanks at the end of a line that is written stay (anthropics/claude-code#17074)', async () => {
    await writeFiles(temp.path, { 'a.md': '* WHEN x,\n  THEN y.\n' });
    await tell(
      [['read_file', { path: 'a.md' }]],
      [['edit_file', { path: 'a.md', edits: [{ search: '* WHEN x,', replace: '* WHEN condition,  ' }] }]],
    );
    assert.equal(await textOf('a.md'), '* WHEN condition,  \n  THEN y.\n');
  });

  it('F14 blanks for tabs find their lines, and tabs are written (anthropics/claude-code#26996)', async () => {
    await writeFiles(temp.path, { 'a.go': 'func a() {\n\tif x {\n\t\treturn 1\n\t}\n}\n' });
    const search = '    if x {\n        return 1\n    }';
    const replace = '    if x {\n        log()\n        return 2\n    }';
    const edit = { file_path: 'a.go', old_string: search, new_string: replace };
    const { results } = await tell([['Read', { file_path: 'a.go' }]], [['Edit', edit]]);
    assert.equal(
      await textOf('a.go'),
      'func a() {\n\tif x {\n\t\tlog()\n\t\treturn 2\n\t}\n}\n',
      results.at(-1)?.forModel,
    );
  });

  it('F14 a file with a mark and CRLF is edited over several lines (QwenLM/qwen-code#2257)', async () => {
    await writeFiles(temp.path, { 'a.cs': '\ufeffclass A\r\n{\r\n    int x;\r\n}\r\n' });
    const edit = {
      file_path: 'a.cs',
      old_string: 'class A\n{\n    int x;',
      new_string: 'class B\n{\n    int y;\n    int z;',
    };
    const { results } = await tell([['Read', { file_path: 'a.cs' }]], [['Edit', edit]]);
    assert.equal(
      await textOf('a.cs'),
      '\ufeffclass B\r\n{\r\n    int y;\r\n    int z;\r\n}\r\n',
      results.at(-1)?.forModel,
    );
  });

  const blocks: [source: string, edits: unknown][] = [
    ['earendil-works/pi#8962', [JSON.stringify({ oldText: 'a', newText: 'b' })]],
    ['earendil-works/pi#8521', '[{"oldText":"a","newText":"b\n\tc"}]'],
  ];
  for (const [source, edits] of blocks) {
    it(`F14 edits as ${JSON.stringify(edits)} are read (${source})`, async () => {
      await writeFiles(temp.path, { 'a.txt': 'a\n' });
      const { results } = await tell([['read_file', { path: 'a.txt' }]], [['edit', { path: 'a.txt', edits }]]);
      assert.match(await textOf('a.txt'), /^b/, results.at(-1)?.forModel);
    });
  }

  it('F13 numbers as texts are numbers (AtomicBot-ai/atomic-agent#182)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'a\nb\nc\nd\ne\n' });
    assert.match(await told('read_file', { path: 'a.txt', startLine: '4', endLine: '5' }), /\n4\td\n5\te$/);
  });

  for (const [source, pattern, found] of [
    ['anomalyco/opencode#45911', '.github/workflows/*.yml', '.github/workflows/ci.yml'],
    ['anomalyco/opencode#45911', '.eslintrc.json', '.eslintrc.json'],
    ['langchain-ai/deepagents#3761', '**/report.md', '.kimi/skills/report/report.md'],
  ] as const) {
    it(`F13 ${pattern} finds what is hidden by its name (${source})`, async () => {
      const files = ['.github/workflows/ci.yml', '.eslintrc.json', '.kimi/skills/report/report.md'];
      await writeFiles(temp.path, Object.fromEntries(files.map((file) => [file, ''])));
      assert.equal((await told('Glob', { pattern })).split('\n')[0], found);
    });
  }

  it('F14 a file is not moved onto another (modelcontextprotocol/servers#4628)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'a', 'b.txt': 'keep' });
    const names = ['rename_file', 'move_file'] as const;
    for (const name of names) {
      const given =
        name === 'rename_file' ? { path: 'a.txt', newPath: 'b.txt' } : { source: 'a.txt', destination: 'b.txt' };
      const { results } = await tell([[name, given]]);
      assert.equal(results[0]?.state, 'failed');
      assert.match(results[0]?.forModel ?? '', /b\.txt/);
    }
    assert.deepEqual([await textOf('a.txt'), await textOf('b.txt')], ['a', 'keep']);
  });

  it('F13 a file that changed between two reads is read anew (anthropics/claude-code#60684)', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFiles(temp.path, { 'a.txt': 'old\n' });
    const read = ['read_file', { path: 'a.txt' }] as const;
    const { results } = await tell([read], [['run_command', { command: 'echo new > a.txt' }]], [read]);
    assert.match(results[2]?.forModel ?? '', /\n1\tnew$/);
  });

  it('F13 an empty file is told as that (NousResearch/hermes-agent#82804)', async () => {
    await writeFiles(temp.path, { 'a.txt': '' });
    assert.match(await told('read_file', { path: 'a.txt' }), /empty/);
    const { results } = await tell([['read_file', { path: 'a.txt', startLine: 5 }]]);
    assert.match(results[0]?.forModel ?? '', /empty/);
  });

  it('F15 what a command wrote before its time was over is told (withastro/flue#630)', async function () {
    if (process.platform === 'win32') this.skip();
    const text = await told('run_command', { command: 'echo "12 passed"; sleep 60', timeoutSeconds: 1 });
    assert.match(text, /^Timed out [\s\S]*12 passed/);
  });

  it('F15 what ignores being asked to end is ended (earendil-works/pi#9460)', async function () {
    if (process.platform === 'win32') this.skip();
    const command = `sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' & trap "" TERM; wait`;
    const began = Date.now();
    assert.match(
      await told('run_command', { command: `${command}; echo over`, timeoutSeconds: 1 }),
      /^(?:Timed out|Not run)/,
    );
    assert.ok(Date.now() - began < 30_000);
  });

  it('F34 a header with lists and a map in one line has its name and description (agentscope-ai/agentscope-java#1030)', () => {
    const header =
      'name: agent-browser\ndescription: A fast browser CLI with structured commands.\nread_when:\n  - Automating web interactions\n  - Testing web UIs\nmetadata: {"clawdbot":{"emoji":"🌐","requires":{"bins":["node","npm"]}}}\nallowed-tools: Bash(agent-browser:*)';
    const file = '.claude/skills/agent-browser/SKILL.md';
    const [found] = (kinds.skills ?? assert.fail()).read({
      place: { root: { name: 'ws', uri: 'file:///ws' }, path: file },
      ...{ path: file, text: `---\n${header}\n---\nUse it.`, isUsers: false },
    });
    assert.deepEqual(
      [found?.name, found?.description, found?.entry.when],
      ['agent-browser', 'A fast browser CLI with structured commands.', 'loaded'],
    );
  });
});
