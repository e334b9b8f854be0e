import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { createProcesses } from '../../../src/tools/command/processes.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type GivenCall, scriptedCalls } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on patterns, parts and processes', () => {
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

  it('F13 a pattern for files that is none is told as that (anomalyco/opencode#47474)', async () => {
    await writeFiles(root, { 'visible.ts': 'needle\n' });
    const found = await told('find_files', { pattern: '[' });
    assert.doesNotMatch(found, /^No file matches[^[]*$/);
    const searched = await told('search_text', { query: 'needle', glob: '[' });
    assert.match(searched, /visible\.ts|\[/);
  });

  it('E02 an edit leaves the ends of the other lines as they are (earendil-works/pi#8544)', async () => {
    await writeFiles(root, { 'f.txt': 'a\r\nb\nc' });
    await tell([['edit', { path: 'f.txt', oldText: 'c', newText: 'C' }]]);
    assert.equal(await onDisk('f.txt'), 'a\r\nb\nC');
  });

  it('F13 a filter with a slash is read from the folder that is searched (anthropics/claude-code#74263)', async () => {
    await writeFiles(root, { 'packages/a/src/x.ts': 'needle\n', 'src/y.ts': 'needle\n' });
    assert.match(
      await told('grep', { pattern: 'needle', path: 'packages/a', glob: 'src/*.ts' }),
      /packages\/a\/src\/x\.ts/,
    );
  });

  it('F13 a pattern in the place of a path finds (can1357/oh-my-pi#4706)', async () => {
    await writeFiles(root, { 'flake.nix': 'home.packages\n', 'modules/common/zsh.nix': 'home.packages\n' });
    assert.match(await told('glob', { path: 'modules/**/*.nix' }), /zsh\.nix/);
    assert.match(await told('grep', { pattern: 'home.packages', path: 'modules/**/*.nix' }), /zsh\.nix/);
    assert.match(await told('grep', { pattern: 'home.packages', path: '*.nix' }), /flake\.nix/);
    assert.match(await told('search_text', { query: 'home.packages', path: 'modules/**/*.nix' }), /zsh\.nix/);
    const both = await told('grep', { pattern: 'home.packages', path: 'modules/**/*', glob: '*.nix' });
    assert.ok(both.includes('zsh.nix') && !both.includes('flake.nix'), both);
    const outside = await told('search_text', { query: 'home.packages', path: '/elsewhere/*.nix' });
    assert.match(outside, /^No file matches glob \/elsewhere\/\*\.nix in the workspace/);
  });

  it('F13 a folder that is not there is not told as one without matches (use-agent-os/agent-os#1915)', async () => {
    const says = /not exist|not found|no (?:such )?(?:file|folder)|does not|missing/i;
    assert.match(await told('search_text', { query: 'needle', path: 'gone' }), says);
    assert.match(await told('glob', { pattern: '*.ts', path: 'gone' }), says);
  });

  it('F13 alternatives of which some begin a line find (Digital-Process-Tools/claude-supertool#987)', async () => {
    await writeFiles(root, { 'a.py': 'import os\n\ndef f():\n    return 1\n' });
    const text = await told('search_text', { query: '^import|^def |return', isRegex: true });
    for (const line of ['import os', 'def f', 'return 1']) assert.ok(text.includes(line), text);
  });

  onPosix('F15 a program that reads what is typed ends at once (silent-rs/silent-Tiangong#562)', async () => {
    assert.match(await told('run_command', { command: 'cat' }), /^Exit code /);
    assert.match(await told('run_command', { command: 'node' }), /^Exit code /);
  });

  onPosix('F15 cd before a failure does not move the next command unseen (anthropics/claude-code#79891)', async () => {
    await writeFiles(root, { 'sub/a.txt': '' });
    const { results, requests } = await tell(
      [['run_command', { command: 'cd sub && false' }]],
      [['run_command', { command: 'pwd' }]],
    );
    assert.match(results[1]?.forModel ?? '', /\/ws$/m);
    assert.match(JSON.stringify(requests[0]?.tools), /cd|each (?:line|command)|fresh|new shell/);
  });

  onPosix('F15 a folder for a command that is gone is told, the next one runs (get-bb/bb#1529)', async () => {
    const { results } = await tell(
      [['run_command', { command: 'pwd', cwd: 'gone' }]],
      [['run_command', { command: 'echo here' }]],
    );
    assert.match(results[0]?.forModel ?? '', /gone/);
    assert.match(results[1]?.forModel ?? '', /here/);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  const inBackground = () => {
    const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock });
    return createProcesses({ shell, clock: systemClock });
  };
  const never = new AbortController().signal;

  onLinux('F32 what ignores being asked to end is ended with its children (open-octo/octo-agent#227)', async () => {
    const processes = inBackground();
    const commandLine = "trap '' TERM INT; sh -c 'trap \"\" TERM INT; echo $$; sleep 300'; sleep 300";
    const { info, text } = await processes.start('c', { commandLine, cwd: root, background: true }, never);
    const child = Number(/\d+/.exec(text)?.[0]);
    assert.ok(child > 1);
    await processes.stop('c', info.id);
    const state = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '');
    assert.match(state, /^$|\) [ZX] /);
  });

  onPosix('F32 a program that has ended is read; an unknown name lists those there are (cymoo/lovia#178)', async () => {
    const processes = inBackground();
    const { info } = await processes.start(
      'c',
      { commandLine: 'read x; echo out; exit 3', cwd: root, background: true },
      never,
    );
    processes.send('c', info.id, 'go\n');
    await processes.read('c', info.id, { until: 'never said', waitSeconds: 30 }, never);
    assert.equal(processes.find('c', info.id).exitCode, 3);
    assert.equal(await processes.read('c', info.id, {}, never), '');
    await processes.stop('c', info.id);
    await processes.stop('c', info.id);
    assert.throws(() => processes.find('c', 'nope'), new RegExp(info.id));
  });

  it('F13 the line end of the last line is no line (earendil-works/pi#7329)', async () => {
    const lines = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');
    await writeFiles(root, { 'a.txt': lines });
    assert.match(await told('read', { path: 'a.txt', offset: 1, limit: 5 }), /lines 1–5 of 10/);
    assert.match(await told('read', { path: 'a.txt', offset: 11 }), /10 lines/);
  });

  it('F13 a last line without an end is one (NousResearch/hermes-agent#86510)', async () => {
    await writeFiles(root, { 'a.txt': '1\n2\n3\n4\n5\nlast' });
    const text = await told('read_file', { path: 'a.txt' });
    assert.match(text, /6 lines/);
    assert.match(text, /6\tlast/);
  });

  it('E02 a patch that moves a file onto itself leaves it there (openai/codex#34210)', async () => {
    await writeFiles(root, { 'foo.txt': 'before\n' });
    const input = '*** Begin Patch\n*** Update File: foo.txt\n*** Move to: foo.txt\n@@\n-before\n+after\n*** End Patch';
    await tell([['apply_patch', { input }]]);
    assert.match(await onDisk('foo.txt'), /^(?:before|after)\n$/);
  });

  it('E02 a patch deletes a file, or says that it did not (microsoft/vscode#275705)', async () => {
    await writeFiles(root, { 'gone.ts': 'x\n' });
    const input = `*** Begin Patch\n*** Delete File: ${path.join(root, 'gone.ts')}\n*** End Patch`;
    const { results } = await tell([['apply_patch', { input, explanation: 'No longer used.' }]]);
    await assert.rejects(onDisk('gone.ts'), results[0]?.forModel);
  });

  it('E02 everywhere is everywhere, with the lines as they are (anthropics/claude-code#51986)', async () => {
    const text = '- **One** **(new)**\n- two (new)\n\n**(new)**\n(new)\n';
    await writeFiles(root, { 'a.md': text });
    await tell([
      ['Edit', { file_path: 'a.md', old_string: ' (new)', new_string: '', replace_all: true }],
      ['Edit', { file_path: 'a.md', old_string: '**(new)**', new_string: '**(old)**', replace_all: true }],
    ]);
    assert.equal(await onDisk('a.md'), text.replaceAll(' (new)', '').replaceAll('**(new)**', '**(old)**'));
  });

  it('H12 a plan under another name is read, or told with what is taken (microsoft/agent-framework#7222)', async () => {
    const text = await told('update_plan', { items: [{ id: 4, title: 'Write the plan' }] });
    assert.match(text, /steps|Write the plan|plan/i);
  });

  it('F35 an agent in a folder below is found (intellectronica/ruler#430)', async () => {
    await writeFiles(root, {
      '.claude/agents/flat.md': '---\nname: flat\ndescription: Flat\n---\nFlat.\n',
      '.claude/agents/sub/nested.md': '---\nname: nested\ndescription: Nested\n---\nNested.\n',
    });
    const found = await findCustomizations({ ...openFolders({ ws: root }), nested: async () => [] });
    assert.match(JSON.stringify(found), /"Nested"/);
  });

  it('H20 a tool that is not there is told with those that are (nowireless4u/hpe-networking-mcp#489)', async () => {
    const { results, requests } = await tell(
      ...Array.from({ length: 14 }, (): GivenCall[] => [['central_list_sites', {}]]),
    );
    assert.match(results[0]?.forModel ?? '', /read_file|tools? (?:are|is)/);
    assert.ok(requests.length <= 8, `${requests.length} requests`);
  });

  it('H12 a listing without its folder lists the top, or is ended soon (dirac-run/dirac#42)', async () => {
    assert.match(await told('list_files', {}), /README\.md/);
  });
});
