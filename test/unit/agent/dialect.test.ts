import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as z from 'zod/mini';
import { plainToolName } from '../../../src/agent/dialect/plain-tool-name.ts';
import { understandCalls } from '../../../src/agent/dialect/understand-calls.ts';
import { parseArguments } from '../../../src/agent/parse-arguments.ts';
import { defineTool, type Tool } from '../../../src/agent/tool.ts';
import { toolDialect, toolSpecs } from '../../../src/tools/all-tools.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { project, runScript } from './run-script.ts';

const ours = toolSpecs as readonly Tool[];

type Args = Record<string, unknown>;

/** The calls in our words as `name {arguments}`, after the schema has read them; or the sentence, or the end. */
function understand(name: string, args: Args | string, offered: readonly Tool[] = ours): string[] {
  const raw = typeof args === 'string' ? args : JSON.stringify(args);
  const understood = toolDialect.understand({ name, arguments: raw }, offered);
  if (understood.kind === 'refusal') return [`refused: ${understood.sentence}`];
  if (understood.kind === 'ending') return [`ends: ${understood.text}`];
  return understood.calls.map((call) => {
    const tool = offered.find((one) => one.name === call.name);
    if (tool === undefined) return `unknown: ${call.name}`;
    const parsed = parseArguments(tool, call.arguments);
    return parsed.ok ? `${call.name} ${JSON.stringify(parsed.value)}` : `${call.name}: ${parsed.sentence}`;
  });
}

const edit = { path: 'a.ts', edits: [{ search: 'one', replace: 'two' }] };
const edited = [`edit_file ${JSON.stringify(edit)}`];
const chunk = '*** Chunks of a patch, which are placed in the file in their order\n@@\n-one\n+two';
const patchedAlone = [`edit_file ${JSON.stringify({ path: 'a.ts', edits: [{ search: chunk, replace: '' }] })}`];

/** As the public definitions of other agents have them: Claude Code, Codex, opencode, Cline, Roo, Gemini CLI, Qwen Code, Copilot, Kimi, Cursor, Zed, Continue, OpenHands, pi. */
const table: readonly (readonly [name: string, args: Args, calls: readonly string[]])[] = [
  ['Read', { file_path: 'a.ts', offset: 5, limit: 10 }, ['read_file {"path":"a.ts","startLine":5,"endLine":14}']],
  ['read', { filePath: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  ['functions.read_file', { path: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  ['default_api.read_file', { file_path: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  ['read-file', { path: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  ['readFile', { path: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  ['ReadFile', { path: 'a.ts', line_offset: 3, n_lines: 2 }, ['read_file {"path":"a.ts","startLine":3,"endLine":4}']],
  ['functions.read_file:0', { path: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  // fw-ai-external/python-sdk#119
  ['read_file</arg_value>', { path: 'a.ts' }, ['read_file {"path":"a.ts"}']],
  [
    'read_files',
    { files: [{ path: 'a.ts', start_line: 2, end_line: 3 }, { path: 'b.ts' }] },
    ['read_file {"path":"a.ts","startLine":2,"endLine":3}', 'read_file {"path":"b.ts"}'],
  ],
  [
    'view_file',
    { target_file: 'a.ts', start_line_one_indexed: 1, end_line_one_indexed_inclusive: 9 },
    ['read_file {"path":"a.ts","startLine":1,"endLine":9}'],
  ],
  ['LS', { path: 'src' }, ['list_directory {"path":"src"}']],
  ['list_dir', { relative_workspace_path: 'src' }, ['list_directory {"path":"src"}']],
  ['list_files', { path: './src/', recursive: true }, ['find_files {"pattern":"src/**"}']],
  ['Glob', { pattern: '**/*.ts' }, ['find_files {"pattern":"**/*.ts"}']],
  ['glob', { pattern: '*.ts', path: 'src' }, ['find_files {"pattern":"src/**/*.ts"}']],
  ['file_search', { query: 'package.json' }, ['find_files {"pattern":"package.json"}']],
  ['find', { pattern: 'lib/*.js', path: 'src' }, ['find_files {"pattern":"src/lib/*.js"}']],
  [
    'Grep',
    { pattern: 'a.*b', glob: '*.ts', '-C': 2, '-n': true, output_mode: 'content' },
    ['search_text {"query":"a.*b","glob":"*.ts","regex":true,"context":2}'],
  ],
  [
    'Grep',
    { pattern: 'plain', type: 'py', '-i': false },
    ['search_text {"query":"plain","glob":"**/*.{py,pyi}","caseSensitive":true}'],
  ],
  [
    'search_files',
    { path: 'src', regex: 'foo|bar', file_pattern: '*.rs' },
    ['search_text {"query":"foo|bar","path":"src","glob":"*.rs","regex":true}'],
  ],
  [
    'grep_search',
    { query: 'f(x)', isRegexp: false, includePattern: 'src/**' },
    ['search_text {"query":"f(x)","glob":"src/**"}'],
  ],
  ['search_codebase', { queries: ['one', 'two'] }, ['search_text {"query":"one"}', 'search_text {"query":"two"}']],
  ['Edit', { file_path: 'a.ts', old_string: 'one', new_string: 'two' }, edited],
  ['edit', { filePath: 'a.ts', oldString: 'one', newString: 'two' }, edited],
  [
    'replace',
    { file_path: 'a.ts', old_string: 'one', new_string: 'two', instruction: 'why', allow_multiple: false },
    ['edit_file {"path":"a.ts","edits":[{"search":"one","replace":"two","replaceAll":false}]}'],
  ],
  [
    'Edit',
    { file_path: 'a.ts', old_string: 'one', new_string: 'two', replace_all: true },
    ['edit_file {"path":"a.ts","edits":[{"search":"one","replace":"two","replaceAll":true}]}'],
  ],
  ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'one', new_string: 'two' }] }, edited],
  [
    'multi_replace_string_in_file',
    {
      explanation: 'x',
      replacements: [
        { filePath: 'a.ts', oldString: 'one', newString: 'two' },
        { filePath: 'b.ts', oldString: 'x', newString: 'y' },
      ],
    },
    [...edited, 'edit_file {"path":"b.ts","edits":[{"search":"x","replace":"y"}]}'],
  ],
  ['StrReplaceFile', { path: 'a.ts', edit: { old: 'one', new: 'two' } }, edited],
  ['str_replace_editor', { command: 'str_replace', path: 'a.ts', old_str: 'one', new_str: 'two' }, edited],
  [
    'str_replace_based_edit_tool',
    { command: 'view', path: 'a.ts', view_range: [1, 5] },
    ['read_file {"path":"a.ts","startLine":1,"endLine":5}'],
  ],
  [
    'str_replace_editor',
    { command: 'create', path: 'a.ts', file_text: 'one\n' },
    ['create_file {"path":"a.ts","content":"one\\n"}'],
  ],
  ['editor', { path: 'a.ts', old_text: 'one', new_text: 'two' }, edited],
  ['search_replace', { file_path: 'a.ts', old_string: 'one', new_string: 'two' }, edited],
  ['replace_in_file', { path: 'a.ts', diff: '------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE' }, edited],
  [
    'apply_diff',
    { path: 'a.ts', diff: '<<<<<<< SEARCH\n:start_line:3\n-------\none\n=======\ntwo\n>>>>>>> REPLACE\n' },
    edited,
  ],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch' }, patchedAlone],
  [
    'edit',
    { filePath: 'new.ts', oldString: '', newString: 'hello\n' },
    ['edit_file {"path":"new.ts","edits":[{"search":"","replace":"hello\\n"}]}'],
  ],
  ['Write', { file_path: 'a.ts', content: 'x' }, ['create_file {"path":"a.ts","content":"x"}']],
  ['write_to_file', { path: 'a.ts', content: 'x', line_count: 1 }, ['create_file {"path":"a.ts","content":"x"}']],
  ['move_path', { source: 'a.ts', destination: 'b.ts' }, ['rename_file {"path":"a.ts","newPath":"b.ts"}']],
  ['delete_path', { path: 'a.ts' }, ['delete_file {"path":"a.ts"}']],
  [
    'Bash',
    { command: 'npm test', timeout: 120000, description: 'Runs the tests' },
    ['run_command {"command":"npm test","timeoutSeconds":120}'],
  ],
  [
    'Bash',
    { command: 'npm run dev', run_in_background: true },
    ['run_command {"command":"npm run dev","background":true}'],
  ],
  ['Shell', { command: 'make', timeout: 300 }, ['run_command {"command":"make","timeoutSeconds":300}']],
  ['Shell', { command: 'make', timeout: 1800 }, ['run_command {"command":"make","timeoutSeconds":1800}']],
  ['Bash', { command: 'make', timeout: 2000 }, ['run_command {"command":"make","timeoutSeconds":2}']],
  ['Bash', { command: 'make', timeout: 30_000 }, ['run_command {"command":"make","timeoutSeconds":30}']],
  [
    'shell',
    { command: ['bash', '-lc', 'ls | wc'], workdir: 'src', timeout_ms: 1500 },
    ['run_command {"command":"ls | wc","cwd":"src","timeoutSeconds":2}'],
  ],
  [
    'shell',
    { command: ['git', 'log', "--format=%an it's"] },
    ["run_command {\"command\":\"git log '--format=%an it'\\\\''s'\"}"],
  ],
  ['exec_command', { cmd: 'ls', yield_time_ms: 1000, justification: 'to look' }, ['run_command {"command":"ls"}']],
  ['execute_command', { command: 'ls', requires_approval: false }, ['run_command {"command":"ls"}']],
  ['run_in_terminal', { command: 'ls', explanation: 'x', isBackground: false }, ['run_command {"command":"ls"}']],
  [
    'run_shell_command',
    { command: 'ls', dir_path: 'src', is_background: false },
    ['run_command {"command":"ls","cwd":"src"}'],
  ],
  ['run_commands', { commands: ['a', 'b'] }, ['run_command {"command":"a"}', 'run_command {"command":"b"}']],
  ['terminal', { command: 'ls', cd: 'src' }, ['run_command {"command":"ls","cwd":"src"}']],
  ['BashOutput', { bash_id: 'p1' }, ['process {"action":"read","id":"p1"}']],
  ['KillShell', { shell_id: 'p1' }, ['process {"action":"stop","id":"p1"}']],
  ['write_stdin', { session_id: 'p1', chars: 'y\n' }, ['process {"action":"send","id":"p1","text":"y\\n"}']],
  [
    'TodoWrite',
    {
      todos: [
        { content: 'a', status: 'in_progress', activeForm: 'b' },
        { content: 'c', status: 'cancelled' },
      ],
    },
    ['update_plan {"items":[{"text":"a","state":"active"}]}'],
  ],
  [
    'update_todo_list',
    { todos: '[x] one\n[-] two\n[ ] three' },
    [
      'update_plan {"items":[{"text":"one","state":"done"},{"text":"two","state":"active"},{"text":"three","state":"pending"}]}',
    ],
  ],
  [
    'AskUserQuestion',
    { questions: [{ question: 'Which?', options: [{ label: 'A', description: 'x' }, { label: 'B' }] }] },
    ['ask_user {"question":"Which?","options":["A","B"]}'],
  ],
  [
    'ask_followup_question',
    { question: 'Which?', follow_up: [{ text: 'A' }] },
    ['ask_user {"question":"Which?","options":["A"]}'],
  ],
  ['WebFetch', { url: 'https://example.org', prompt: 'sum up' }, ['fetch_url {"url":"https://example.org"}']],
  ['get_errors', { filePaths: ['a.ts', 'b.ts'] }, ['get_problems {"path":"a.ts"}', 'get_problems {"path":"b.ts"}']],
  ['list_code_definition_names', { path: 'a.ts' }, ['get_symbols {"path":"a.ts"}']],
  [
    'multi_tool_use.parallel',
    {
      tool_uses: [
        { recipient_name: 'functions.Read', parameters: { file_path: 'a.ts' } },
        { recipient_name: 'Bash', parameters: { command: 'ls' } },
      ],
    },
    ['read_file {"path":"a.ts"}', 'run_command {"command":"ls"}'],
  ],
  ['Read', { arguments: { file_path: 'a.ts' } }, ['read_file {"path":"a.ts"}']],
  ['read_many_files', { paths: ['a.ts', 'b.ts'] }, ['read_file {"path":"a.ts"}', 'read_file {"path":"b.ts"}']],
  ['mcp__ide__getDiagnostics', { paths: ['a.ts'] }, ['get_problems {"path":"a.ts"}']],
  [
    'MultiEdit',
    {
      file_path: 'a.ts',
      edits: [
        { old_string: 'one', new_string: 'one and two' },
        { old_string: 'and two', new_string: 'and three' },
        { old_string: 'four', new_string: 'five' },
      ],
    },
    [
      'edit_file {"path":"a.ts","edits":[{"search":"one","replace":"one and three"},{"search":"four","replace":"five"}]}',
    ],
  ],
  ['apply_diff', { path: 'a.ts', diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@ f()\n-one\n+two\n' }, edited],
  ['edit_file', { path: 'a.ts', content: 'x\n' }, ['create_file {"path":"a.ts","content":"x\\n"}']],
  ['edit_file', { path: 'a.ts', start: 1, end: -1, content: 'x' }, ['create_file {"path":"a.ts","content":"x"}']],
  [
    'run_command',
    { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\nEOF" },
    patchedAlone,
  ],
  [
    'shell',
    { command: ['apply_patch', '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch'] },
    patchedAlone,
  ],
  ['execute_bash', { command: 'y', is_input: 'true' }, ['process {"action":"send","text":"y\\n"}']],
  ['execute_bash', { command: 'C-c', is_input: 'true' }, ['process {"action":"stop"}']],
  [
    'write_stdin',
    { session_id: 4, chars: '', yield_time_ms: 5000 },
    ['process {"action":"read","id":"4","waitSeconds":5}'],
  ],
  [
    'exec_command',
    { cmd: 'npm i', sandbox_permissions: 'require_escalated', justification: 'to install', prefix_rule: ['npm'] },
    ['run_command {"command":"npm i","lift":"outside_sandbox","reason":"to install"}'],
  ],
  ['Task', { description: 'Find', prompt: 'Find it', subagent_type: 'Explore' }, ['ask_subagent {"task":"Find it"}']],
  ['runSubagent', { prompt: 'Find it', agentName: 'finder' }, ['ask_subagent {"task":"Find it","agent":"finder"}']],
  ['TaskCreate', { subject: 'One', description: 'x' }, ['update_plan {"items":[{"text":"One","state":"pending"}]}']],
];

const refused: readonly (readonly [name: string, args: Args, verdicts: RegExp])[] = [
  ['codebase_search', { query: 'where is the cache' }, /no search by meaning/],
  ['SendMessage', { to: 'worker', message: 'do it' }, /nobody here to send/],
  ['WebSearch', { query: 'x' }, /fetch_url/],
  ['edit_file', { target_file: 'a.ts', code_edit: '// ... existing code ...' }, /fills in `existing code`/],
  ['insert_edit_into_file', { filePath: 'a.ts', code: '// ...existing code...' }, /fills in/],
  ['str_replace_editor', { command: 'insert', path: 'a.ts', insert_line: 3, new_str: 'x' }, /line number/],
  ['str_replace_editor', { command: 'undo_edit', path: 'a.ts' }, /edit the text back/],
  [
    'replace',
    { file_path: 'a.ts', old_string: 'a', new_string: 'b', expected_replacements: 2 },
    /one block for each place/,
  ],
  ['Bash', { command: 'ls', dangerouslyDisableEverything: true }, /no `dangerously/],
  ['WriteFile', { path: 'a.ts', content: 'x', mode: 'append' }, /appended/],
  ['search', { query: 'x' }, /more than one tool/],
  ['edit_file', { path: 'a.ts', start: 4, end: 9, content: 'x' }, /by line number/],
  ['TaskUpdate', { taskId: '3', status: 'completed' }, /no task 3/],
  ['TaskUpdate', { taskId: '2', addBlockedBy: ['1'] }, /a text and a state/],
  ['TaskList', {}, /more than one tool/],
  ['ToolSearch', { query: 'select:TaskCreate' }, /offered already/],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: a.ts\n-one\n+two\n' }, /may not be whole/],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: a.ts\n@@\n two\n*** End Patch' }, /changes nothing/],
  ['replace_in_file', { path: 'a.ts', diff: '------- SEARCH\none\n+++++++ REPLACE' }, /out of order/],
];

describe('what models bring along from other agents', () => {
  for (const [name, args, calls] of table) {
    it(`H20 understands the call ${name} ${JSON.stringify(args)} of another agent`, () =>
      assert.deepEqual(understand(name, args), calls));
  }

  for (const [name, args, verdicts] of refused) {
    it(`H19 refuses ${name} ${JSON.stringify(args)} with a sentence`, () => {
      const [answer = '', ...more] = understand(name, args);
      assert.match(answer, verdicts);
      assert.deepEqual([answer.slice(0, 8), more], ['refused:', []]);
    });
  }

  it('H20 leaves calls of ours and tools that are offered under a foreign name as they are', () => {
    const args = { file_path: 'a.ts' };
    const theirs = defineTool({
      name: 'Read',
      description: 'Theirs.',
      parameters: z.object({ file_path: z.string() }),
      kind: 'other',
      access: 'execute',
      title: () => '',
      run: async () => ({ forModel: '' }),
    });
    assert.deepEqual(understand('Read', args, [...ours, theirs]), ['Read {"file_path":"a.ts"}']);
    assert.deepEqual(understand('mcp__github__create_file', args), ['unknown: mcp__github__create_file']);
    for (const { name } of ours) {
      const call = { name, arguments: '{"anything":1}' };
      const understood = toolDialect.understand(call, ours);
      if (understood.kind === 'calls') assert.deepEqual(understood.calls[0]?.name, name);
    }
  });

  it('H20 says which tool is not offered instead of running another', () => {
    const looking = ours.filter(({ access }) => access === 'read');
    assert.deepEqual(understand('Edit', { file_path: 'a', old_string: 'b', new_string: 'c' }, looking), [
      'refused: edit_file is not offered now. Go on without it.',
    ]);
  });

  it('H20 no name stands for two tools, and each is written in its plain form', () => {
    const names = (toolSpecs as unknown as { name: string; dialect: { names: string } }[]).flatMap(
      ({ name, dialect }) => [plainToolName(name), ...dialect.names.split(' ')],
    );
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
    for (const name of names) assert.equal(plainToolName(name), name);
  });

  it('H20 a patch becomes a call for each file, in its order', () => {
    const input = [
      '```',
      '*** Begin Patch',
      '*** Add File: new.ts',
      '+one',
      '+two',
      '*** Update File: a.ts',
      '*** Move to: b.ts',
      '@@ class A',
      ' keep',
      '-old',
      '+new',
      '*** Delete File: gone.ts',
      '*** End Patch',
      '```',
    ].join('\n');
    assert.deepEqual(understand('apply_patch', { input }), [
      'create_file {"path":"new.ts","content":"one\\ntwo\\n"}',
      'edit_file {"path":"a.ts","edits":[{"search":"*** Chunks of a patch, which are placed in the file in their order\\n@@ class A\\n keep\\n-old\\n+new","replace":""}]}',
      'rename_file {"path":"a.ts","newPath":"b.ts"}',
      'delete_file {"path":"gone.ts"}',
    ]);
  });

  it('H20 X32 whatever a patch is cut to, it is whole or refused', () => {
    const whole =
      '*** Begin Patch\n*** Update File: a.ts\n@@\n one\n-two\n+three\n*** Add File: b.ts\n+x\n*** End Patch';
    for (let at = 0; at < whole.length; at++) {
      const [answer = ''] = understand('apply_patch', { input: whole.slice(0, at) });
      assert.match(answer, /^refused:/, String(at));
    }
  });
});

/** The same change of three files, as agents with tools of their own make it. */
const scripts: Record<string, readonly { name: string; args: Args }[]> = {
  'Claude Code': [
    { name: 'TodoWrite', args: { todos: [{ content: 'Fix', status: 'in_progress', activeForm: 'Fixing' }] } },
    { name: 'Grep', args: { pattern: 'reduce', output_mode: 'content' } },
    { name: 'Read', args: { file_path: 'src/add.mjs' } },
    { name: 'Edit', args: { file_path: 'src/add.mjs', old_string: 'a - b', new_string: 'a + b', replace_all: false } },
    {
      name: 'MultiEdit',
      args: { file_path: 'src/sum.mjs', edits: [{ old_string: 'reduce(add)', new_string: 'reduce(add, 0)' }] },
    },
    { name: 'Write', args: { file_path: 'src/mean.mjs', content: 'MEAN' } },
    { name: 'Bash', args: { command: 'node test.mjs', timeout: 60000, description: 'Run the tests' } },
  ],
  Codex: [
    { name: 'shell', args: { command: ['bash', '-lc', 'cat src/add.mjs'], workdir: '.', timeout_ms: 10000 } },
    {
      name: 'apply_patch',
      args: {
        input:
          '*** Begin Patch\n*** Update File: src/add.mjs\n@@ export function add(a, b) {\n-  return a - b;\n+  return a + b;\n*** Update File: src/sum.mjs\n@@\n-export const sum = (list) => list.reduce(add);\n+export const sum = (list) => list.reduce(add, 0);\n*** Add File: src/mean.mjs\nMEAN_PLUS\n*** End Patch',
      },
    },
    { name: 'exec_command', args: { cmd: 'node test.mjs', justification: 'tests' } },
  ],
  opencode: [
    { name: 'read', args: { filePath: 'src/add.mjs', offset: 0, limit: 2000 } },
    { name: 'edit', args: { filePath: 'src/add.mjs', oldString: 'a - b', newString: 'a + b' } },
    { name: 'edit', args: { filePath: 'src/sum.mjs', oldString: 'reduce(add)', newString: 'reduce(add, 0)' } },
    { name: 'edit', args: { filePath: 'src/mean.mjs', oldString: '', newString: 'MEAN' } },
    { name: 'bash', args: { command: 'node test.mjs', timeout: 120000, description: 'tests' } },
  ],
  Cline: [
    { name: 'list_files', args: { path: 'src', recursive: true } },
    { name: 'read_file', args: { path: 'src/add.mjs', task_progress: '- [ ] fix' } },
    {
      name: 'replace_in_file',
      args: {
        path: 'src/add.mjs',
        diff: '------- SEARCH\n  return a - b;\n=======\n  return a + b;\n+++++++ REPLACE\n',
      },
    },
    {
      name: 'replace_in_file',
      args: {
        path: 'src/sum.mjs',
        diff: '------- SEARCH\nexport const sum = (list) => list.reduce(add);\n=======\nexport const sum = (list) => list.reduce(add, 0);\n+++++++ REPLACE',
      },
    },
    { name: 'write_to_file', args: { path: 'src/mean.mjs', content: 'MEAN' } },
    { name: 'execute_command', args: { command: 'node test.mjs', requires_approval: false } },
    { name: 'attempt_completion', args: { result: 'All of it works: 2 checks passed.' } },
  ],
  Roo: [
    { name: 'search_files', args: { path: 'src', regex: 'return', file_pattern: '*.mjs' } },
    {
      name: 'apply_diff',
      args: {
        path: 'src/add.mjs',
        diff: '<<<<<<< SEARCH\n:start_line:2\n-------\n  return a - b;\n=======\n  return a + b;\n>>>>>>> REPLACE',
      },
    },
    {
      name: 'search_and_replace',
      args: { file_path: 'src/sum.mjs', old_string: 'reduce(add)', new_string: 'reduce(add, 0)' },
    },
    { name: 'write_to_file', args: { path: 'src/mean.mjs', content: 'MEAN' } },
    { name: 'execute_command', args: { command: 'node test.mjs', cwd: '.' } },
  ],
  'Gemini CLI': [
    { name: 'write_todos', args: { todos: [{ description: 'Fix', status: 'in_progress' }] } },
    { name: 'default_api.read_file', args: { file_path: 'src/add.mjs' } },
    {
      name: 'replace',
      args: { file_path: 'src/add.mjs', instruction: 'add', old_string: 'a - b', new_string: 'a + b' },
    },
    {
      name: 'replace',
      args: { file_path: 'src/sum.mjs', instruction: 'start', old_string: 'reduce(add)', new_string: 'reduce(add, 0)' },
    },
    { name: 'write_file', args: { file_path: 'src/mean.mjs', content: 'MEAN' } },
    { name: 'run_shell_command', args: { command: 'node test.mjs', description: 'tests', dir_path: '.' } },
  ],
  Copilot: [
    { name: 'read_file', args: { filePath: 'src/add.mjs', startLine: 1, endLine: 10 } },
    {
      name: 'multi_replace_string_in_file',
      args: {
        explanation: 'both',
        replacements: [
          { filePath: 'src/add.mjs', oldString: 'a - b', newString: 'a + b', explanation: 'x' },
          { filePath: 'src/sum.mjs', oldString: 'reduce(add)', newString: 'reduce(add, 0)', explanation: 'y' },
        ],
      },
    },
    { name: 'create_file', args: { filePath: 'src/mean.mjs', content: 'MEAN' } },
    { name: 'run_in_terminal', args: { command: 'node test.mjs', explanation: 'tests', isBackground: false } },
  ],
  Kimi: [
    { name: 'ReadFile', args: { path: 'src/add.mjs' } },
    { name: 'StrReplaceFile', args: { path: 'src/add.mjs', edit: [{ old: 'a - b', new: 'a + b' }] } },
    { name: 'StrReplaceFile', args: { path: 'src/sum.mjs', edit: { old: 'reduce(add)', new: 'reduce(add, 0)' } } },
    { name: 'WriteFile', args: { path: 'src/mean.mjs', content: 'MEAN' } },
    { name: 'Shell', args: { command: 'node test.mjs', timeout: 60 } },
  ],
  OpenHands: [
    { name: 'str_replace_editor', args: { command: 'view', path: 'src/add.mjs' } },
    {
      name: 'str_replace_editor',
      args: { command: 'str_replace', path: 'src/add.mjs', old_str: 'a - b', new_str: 'a + b' },
    },
    {
      name: 'str_replace_editor',
      args: { command: 'str_replace', path: 'src/sum.mjs', old_str: 'reduce(add)', new_str: 'reduce(add, 0)' },
    },
    { name: 'str_replace_editor', args: { command: 'create', path: 'src/mean.mjs', file_text: 'MEAN' } },
    { name: 'execute_bash', args: { command: 'node test.mjs', is_input: 'false', security_risk: 'LOW' } },
    { name: 'finish', args: { message: 'All of it works: 2 checks passed.' } },
  ],
};

const mean = "import { sum } from './sum.mjs';\n\nexport const mean = (list) => sum(list) / list.length;\n";
const withMean = (args: Args): Args =>
  JSON.parse(
    JSON.stringify(args)
      .replace('"MEAN"', () => JSON.stringify(mean))
      .replace('MEAN_PLUS', () => JSON.stringify(`+${mean.trimEnd().replaceAll('\n', '\n+')}`).slice(1, -1)),
  ) as Args;

describe('tasks of other agents', () => {
  it('F18 H20 become one plan, each change of a task the whole of it again', () => {
    let count = 0;
    const newCallId = () => `c${++count}`;
    const calls = [
      ['TaskCreate', { subject: 'One', activeForm: 'Doing one' }],
      ['TaskCreate', { subject: 'Two' }],
      ['TaskUpdate', { taskId: '1', status: 'completed' }],
      ['TaskUpdate', { taskId: '2', status: 'in_progress', description: 'Half of it is there.' }],
    ].map(([name, args]) => ({ name: String(name), arguments: JSON.stringify(args) }));
    const namesExplained = new Set<string>();
    const deps = { tools: ours, dialect: toolDialect, newCallId };
    const first = understandCalls(deps, calls.slice(0, 3), { namesExplained, before: [] });
    const before = [{ role: 'assistant' as const, text: '', model: '', toolCalls: first.calls }];
    const then = understandCalls(deps, calls.slice(3), { namesExplained, before });
    assert.equal(then.calls[0]?.arguments, '{"items":[{"text":"One","state":"done"},{"text":"Two","state":"active"}]}');
  });
});

describe('a model with the habits of another agent', () => {
  let temp: TempDir;
  let root: string;
  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(root, project);
  });
  afterEach(() => temp.remove());

  const good = '*** Update File: src/add.mjs\n@@\n-  return a - b;\n+  return a + b;';
  const patches: Record<string, [other: string, reason: RegExp]> = {
    'lines that are not there': ['*** Update File: src/sum.mjs\n@@\n-nowhere();\n+x', /was not found/],
    'a file that is not there': ['*** Delete File: src/none.mjs', /no file src\/none\.mjs/],
    'a new file that exists': ['*** Add File: test.mjs\n+x', /test\.mjs exists and was not read/],
    'a move to a name that is taken': [
      '*** Update File: src/sum.mjs\n*** Move to: test.mjs\n@@\n-export const sum = (list) => list.reduce(add);\n+x',
      /test\.mjs exists already/,
    ],
  };
  for (const [what, [other, reason]] of Object.entries(patches)) {
    for (const parts of [
      [good, other],
      [other, good],
    ])
      it(`H20 E10 a patch does nothing where one of its files has ${what}, ${parts[0] === good ? 'last' : 'first'}`, async () => {
        const input = ['*** Begin Patch', ...parts, '*** End Patch'].join('\n');
        const { results } = await runScript(root, [
          { toolCalls: [{ name: 'apply_patch', arguments: JSON.stringify({ input }) }] },
          { text: 'So.' },
        ]);
        for (const [name, text] of Object.entries(project))
          assert.equal(await readFile(path.join(root, name), 'utf8'), text);
        assert.ok(results.every(({ state }) => state === 'failed'));
        const texts = results.map(({ forModel }) => forModel);
        assert.ok(texts.every((text) => text.endsWith(' All parts of this call were left out.')));
        assert.match(texts.join('\n'), reason);
        assert.match(texts.join('\n'), /^Not done, because .+ failed\./m);
      });
  }

  const destructive: Record<string, [parts: string[], reason: RegExp]> = {
    'a deletion before a file that is not there (openclaw/openclaw#117742)': [
      ['*** Delete File: src/sum.mjs', '*** Update File: src/missing.mjs\n@@\n-old\n+new'],
      /no file src\/missing\.mjs/,
    ],
    'a new file before a file that is not there (openclaw/openclaw#127496)': [
      ['*** Add File: src/new.mjs\n+one', '*** Update File: src/missing.mjs\n@@\n-old\n+new'],
      /no file src\/missing\.mjs/,
    ],
    'a part that changes nothing (NousResearch/hermes-agent#93699)': [
      [
        good,
        '*** Update File: src/sum.mjs\n@@\n-export const sum = (list) => list.reduce(add);\n+export const sum = (list) => list.reduce(add);',
      ],
      /changes? nothing/,
    ],
    'a slip in a line that goes (tao12345666333/ankaloop#48)': [
      [good, '*** Update File: src/sum.mjs\n@@\n-export const sum = (lost) => lots.reduce(odd);\n+x'],
      /was not found/,
    ],
  };
  for (const [what, [parts, reason]] of Object.entries(destructive))
    it(`H20 E10 a patch does nothing, and says why, with ${what}`, async () => {
      const input = ['*** Begin Patch', ...parts, '*** End Patch'].join('\n');
      const { results } = await runScript(root, [
        { toolCalls: [{ name: 'apply_patch', arguments: JSON.stringify({ input }) }] },
        { text: 'So.' },
      ]);
      for (const [name, text] of Object.entries(project))
        assert.equal(await readFile(path.join(root, name), 'utf8'), text);
      await assert.rejects(readFile(path.join(root, 'src/new.mjs')), /ENOENT/);
      assert.match(results.map(({ forModel }) => forModel).join('\n'), reason);
    });

  it('H20 a patch of which each part can be done is done, also where parts build on each other', async () => {
    const input = [
      '*** Begin Patch',
      good,
      '*** Add File: src/new.mjs\n+one',
      '*** Update File: src/new.mjs\n@@\n-one\n+two',
      '*** Update File: src/sum.mjs\n*** Move to: src/total.mjs\n@@\n-export const sum = (list) => list.reduce(add);\n+export const sum = 1;',
      '*** End Patch',
    ].join('\n');
    const { results } = await runScript(root, [
      { toolCalls: [{ name: 'apply_patch', arguments: JSON.stringify({ input }) }] },
      { text: 'So.' },
    ]);
    assert.deepEqual(
      results.map(({ state }) => state),
      results.map(() => 'done'),
    );
    assert.equal(await readFile(path.join(root, 'src/new.mjs'), 'utf8'), 'two\n');
    assert.match(await readFile(path.join(root, 'src/total.mjs'), 'utf8'), /sum = 1;\n$/);
  });

  it('H20 a list of tasks beside the arguments is no complaint, and another name is (cline/cline)', async () => {
    const plan = { task_progress: '- [x] Look\n- [ ] Fix' };
    const calls = [
      { name: 'execute_command', arguments: { command: 'echo hi', ...plan } },
      {
        name: 'replace_in_file',
        arguments: { path: 'src/add.mjs', diff: '<<<<<<< SEARCH\na - b\n=======\na + b\n>>>>>>> REPLACE', ...plan },
      },
      {
        name: 'edit_file',
        arguments: { path: 'src/sum.mjs', edits: [{ search: '(add)', replace: '(add, 0)' }], ...plan },
      },
      { name: 'write_to_file', arguments: { path: 'todo.md', content: plan.task_progress, ...plan } },
      { name: 'execute_command', arguments: { command: 'echo hi', user: 'root' } },
    ];
    const replies = calls.map((call) => ({ toolCalls: [{ ...call, arguments: JSON.stringify(call.arguments) }] }));
    const { results } = await runScript(root, [...replies, { text: 'So.' }]);
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done', 'done', 'done', 'failed'],
    );
    assert.match(results[4]?.forModel ?? '', /there is no `user`/);
    assert.equal(await readFile(path.join(root, 'todo.md'), 'utf8'), plan.task_progress);
  });

  for (const [agent, calls] of Object.entries(scripts)) {
    it(`H20 H21 F14 F15 finishes a change of three files with the tools of ${agent}`, async () => {
      const replies = calls.map(({ name, args }) => ({
        toolCalls: [{ name, arguments: JSON.stringify(withMean(args)) }],
      }));
      const ends = ['attempt_completion', 'finish'].includes(calls.at(-1)?.name ?? '');
      const { outcome, text, results, requests } = await runScript(root, [
        ...replies,
        ...(ends ? [] : [{ text: 'All of it works: 2 checks passed.' }]),
      ]);
      assert.equal(outcome, 'finished');
      assert.equal(text, 'All of it works: 2 checks passed.');
      assert.equal(await readFile(path.join(root, 'src/mean.mjs'), 'utf8'), mean);
      assert.match(results.at(-1)?.forModel ?? '', /Exit code 0[\s\S]*2 checks passed/);
      assert.ok(requests.length <= calls.length + 1);
      // What is sent again names our tools alone, so that the model learns them.
      const names = requests
        .flatMap(({ messages }) => messages)
        .flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ name }) => name) : []));
      const foreign = new Set(names.filter((name) => !ours.some((tool) => tool.name === name)));
      assert.deepEqual([...foreign], []);
    });
  }

  it('H20 an end beside other calls waits for them, and what it would run is not run', async () => {
    const { outcome, results, text } = await runScript(root, [
      {
        toolCalls: [
          { name: 'Read', arguments: '{"file_path":"src/add.mjs"}' },
          { name: 'attempt_completion', arguments: '{"result":"Done","command":"touch made"}' },
        ],
      },
      { text: 'Now it is done.' },
    ]);
    assert.deepEqual([outcome, text], ['finished', 'Now it is done.']);
    const toldOf = (name: string) => results.find((result) => result.name === name)?.forModel ?? '';
    assert.match(toldOf('read_file'), /\[Read is read_file here\.\]$/);
    assert.match(toldOf('attempt_completion'), /^Not now/);
    await assert.rejects(readFile(path.join(root, 'made')));
  });

  it('H12 a name that nothing here has is answered, and does not end the turn', async () => {
    const call = (query: string) => ({
      toolCalls: [{ name: 'codebase_search', arguments: JSON.stringify({ query }) }],
    });
    const { outcome, results } = await runScript(root, [call('a'), call('b'), call('c'), call('d'), { text: 'ok' }]);
    assert.equal(outcome, 'finished');
    assert.equal(results.length, 4);
  });
});
