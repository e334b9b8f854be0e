import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

type Call = readonly [name: string, given: object | string];

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on several calls, plans, folders and places of edits', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  /** Each list of calls is one reply. */
  const tellWith = (options: Parameters<typeof runScript>[2], ...replies: Call[][]) => {
    let made = 0;
    const script = replies.map((calls) => ({
      toolCalls: calls.map(([name, given]) => ({
        id: `x${++made}`,
        name,
        arguments: typeof given === 'string' ? given : JSON.stringify(given),
      })),
    }));
    return runScript(temp.path, [...script, { text: 'Done.' }], options);
  };
  const tell = (...replies: Call[][]) => tellWith({}, ...replies);
  const textOf = (file: string) => readFile(path.join(temp.path, file), 'utf8');

  it('F13 three calls of one reply have three results (anthropics/claude-code#39830)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' });
    const calls = ['a.txt', 'b.txt', 'c.txt'].map((file): Call => ['read_file', { path: file }]);
    const { requests } = await tell(calls);
    const told = requests.at(-1)?.messages.flatMap((one) => (one.role === 'tool' ? [one.text] : [])) ?? [];
    assert.equal(told.length, 3);
    for (const [at, word] of ['first', 'second', 'third'].entries()) assert.match(told[at] ?? '', new RegExp(word));
  });

  it('X13 a call that is refused takes no other with it (cline/cline#14197)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'first' });
    const calls: Call[] = [
      ['run_command', { command: 'echo no' }],
      ['read_file', { path: 'a.txt' }],
    ];
    const { results, outcome } = await tellWith({ answer: { decision: 'skip' } }, calls);
    assert.equal(outcome, 'finished');
    assert.match(results.find(({ name }) => name === 'read_file')?.forModel ?? '', /first/);
    assert.notEqual(results.find(({ name }) => name === 'run_command')?.state, 'done');
  });

  const plans: [source: string, says: string, steps: readonly (readonly [step: string, status: string])[]][] = [
    [
      'coder/xum#2666',
      'two steps at once',
      [
        ['a', 'in_progress'],
        ['b', 'in_progress'],
        ['c', 'pending'],
      ],
    ],
    [
      'sagents-ai/sagents#176',
      'a cancelled step',
      [
        ['a', 'completed'],
        ['b', 'cancelled'],
      ],
    ],
    [
      'esengine/DeepSeek-Reasonix#9998',
      'a step done behind an open one',
      [
        ['a', 'pending'],
        ['b', 'completed'],
      ],
    ],
  ];
  for (const [source, says, steps] of plans) {
    it(`F17 a plan with ${says} is taken (${source})`, async () => {
      const todos = steps.map(([content, status]) => ({ content, status, activeForm: content, id: content }));
      const { results } = await tell([['TodoWrite', { todos }]]);
      assert.equal(results[0]?.state, 'done', results[0]?.forModel);
    });
  }

  for (const name of ['delete_file', 'rename_file', 'move_file'] as const) {
    const source = name === 'delete_file' ? 'MarcusJellinghaus/mcp-workspace#50' : 'patchloom/patchloom#2538';
    it(`F14 ${name} of a folder is done, or it is said how (${source})`, async () => {
      await writeFiles(temp.path, { 'old/a.txt': 'a' });
      const given = {
        delete_file: { path: 'old' },
        rename_file: { path: 'old', newPath: 'new' },
        move_file: { source: 'old', destination: 'new' },
      };
      const { results } = await tell([[name, given[name]]]);
      if (results[0]?.state === 'done') return;
      assert.equal(await textOf('old/a.txt'), 'a');
      assert.match(results[0]?.forModel ?? '', /folder/);
      assert.match(results[0]?.forModel ?? '', /run_command|command|file by file|each file|one by one/);
    });
  }

  it('H19 fields of a result as arguments are refused with what is taken (anthropics/claude-code#64095)', async () => {
    const { results } = await tell([['Bash', { name: 'Bash', output: 'total 0' }]]);
    assert.equal(results[0]?.state, 'failed');
    assert.match(results[0]?.forModel ?? '', /command/);
  });

  const lines = 'x = 1\nx = 1\nx = 1\ny = 2\n';
  const edits: [source: string, says: string, edit: object, answer: RegExp, before?: string][] = [
    [
      'CherryHQ/stella#1076',
      'text that stands twice',
      { old_string: 'return a;', new_string: 'return b;' },
      /lines? 2[\s\S]*\b5\b/,
      'one {\n  return a;\n}\ntwo {\n  return a;\n}\n',
    ],
    [
      'use-agent-os/agent-os#2291',
      'text that overlaps itself',
      { old_string: 'x = 1\nx = 1', new_string: 'z = 3' },
      /lines? 1|places|more than once|2 times|twice/,
    ],
    [
      'MoonshotAI/kimi-cli#2452',
      'the same text',
      { old_string: 'y = 2', new_string: 'y = 2' },
      /already|same|nothing|no change|unchanged/i,
    ],
    ['bojieli/ai-agent-book#178', 'nothing, everywhere', { old_string: '', new_string: 'X', replace_all: true }, /\S/],
  ];
  for (const [source, says, edit, answer, before = lines] of edits) {
    it(`F14 an edit of ${says} changes nothing, and says why (${source})`, async () => {
      await writeFiles(temp.path, { 'a.txt': before });
      const { results } = await tell([['Read', { file_path: 'a.txt' }]], [['Edit', { file_path: 'a.txt', ...edit }]]);
      assert.equal(await textOf('a.txt'), before);
      assert.equal(results[1]?.state, 'failed');
      assert.match(results[1]?.forModel ?? '', answer);
    });
  }
});
