import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type CallOutcome, createProgressJudge } from '../../../src/agent/progress.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

interface Call {
  name: string;
  args: object;
}

const read = (args: object = { path: 'src/long.mjs' }): Call => ({ name: 'read_file', args });
const run = (command: string): Call => ({ name: 'run_command', args: { command } });
const edit = (search: string, replace: string): Call => ({
  name: 'edit_file',
  args: { path: 'src/add.mjs', edits: [{ search, replace }] },
});
const there = edit('a - b', 'a + b');
const back = edit('a + b', 'a - b');

/** Calls that get nowhere, by the number of the request with which the stall begins. */
const stalls: Record<string, { from: number; at(index: number): Call }> = {
  'edit and undo in turn': { from: 2, at: (index) => (index % 2 === 0 ? there : back) },
  'edit and undo in turn, tested each time': {
    from: 5,
    at: (index) => [there, run('node test.mjs'), back, run('node test.mjs')][index % 4] ?? there,
  },
  'edits that fail, always with other words': {
    from: 1,
    at: (index) => edit(`return a * b * ${index};`, `return ${index};`),
  },
  'reads shifted by a line': {
    from: 2,
    at: (index) => read({ path: 'src/long.mjs', startLine: index + 1, endLine: index + 40 }),
  },
  'short reads shifted by a line': {
    from: 2,
    at: (index) => read({ path: 'src/long.mjs', startLine: index + 1, endLine: index + 4 }),
  },
  'an unknown name between two reads': {
    from: 2,
    at: (index) => (index % 2 === 0 ? read() : { name: `inspect_${index}`, args: {} }),
  },
  'two reads in turn': {
    from: 3,
    at: (index) => read({ path: index % 2 === 0 ? 'src/long.mjs' : 'src/add.mjs' }),
  },
  'a command that prints the time': { from: 2, at: () => run('date') },
  'arguments that never fit': { from: 1, at: (index) => read({ path: 'src/add.mjs', startLine: `line ${index}` }) },
};

describe('agent/progress', () => {
  let temp: TempDir;
  let root: string;
  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    const long = Array.from({ length: 200 }, (_, line) => `export const value${line} = '${line * line}';`).join('\n');
    await writeFiles(root, {
      'src/add.mjs': 'export function add(a, b) {\n  return a - b;\n}\n',
      'src/long.mjs': `${long}\n`,
      'test.mjs': "import { add } from './src/add.mjs';\n\nconsole.log('add(2, 2) is', add(2, 2));\n",
    });
  });
  afterEach(() => temp.remove());

  const toReply = ({ name, args }: Call) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

  for (const [what, { from, at }] of Object.entries(stalls)) {
    it(`H07 X62 ${what}: one hint, then the end, within eight requests`, async () => {
      const script = [
        toReply(read({ path: 'src/add.mjs' })),
        ...Array.from({ length: 50 }, (_, index) => toReply(at(index))),
      ];
      const { outcome, failure, requests } = await runScript(root, script);
      assert.deepEqual([outcome, failure?.kind], ['limit', 'no-progress']);
      const stalled = requests.length - 1 - (from - 1);
      assert.ok(stalled <= 8, `${stalled} requests`);
      const notes = requests
        .at(-1)
        ?.messages.filter(({ role, text }) => role === 'user' && /Automatic note/.test(text));
      assert.equal(notes?.length, 1);
    });
  }

  it('H07 X62 a turn in which each step finds, changes or tests something else goes on', async () => {
    const steps = Array.from({ length: 12 }, (_, index): Call[] => [
      read({ path: 'src/long.mjs', startLine: 15 * index + 1, endLine: 15 * index + 15 }),
      run(`node test.mjs && echo ${index}`),
      edit(index % 2 === 0 ? 'return a' : 'return (a', index % 2 === 0 ? `return (a + ${index})` : 'return a'),
      run('node test.mjs'),
    ]).flat();
    const { outcome } = await runScript(root, [...steps.map(toReply), { text: 'Done.' }]);
    assert.equal(outcome, 'finished');
  });

  const tool = { kind: 'other', access: 'execute' } as const;
  const outcome = (over: Partial<CallOutcome>): CallOutcome => ({
    call: { name: 'process', arguments: '{"action":"read"}' },
    tool,
    state: 'done',
    text: 'p1 is running: make\n[nothing new]',
    durationMs: 0,
    ...over,
  });
  const verdicts = (steps: readonly Partial<CallOutcome>[]) => {
    const judge = createProgressJudge();
    return steps.map((step) => judge.judge([outcome(step)]));
  };

  it('H07 waiting for a process that prints nothing is no stall', () => {
    assert.deepEqual(
      new Set(verdicts(Array.from({ length: 30 }, () => ({ durationMs: 60_000 })))),
      new Set(['goes-on']),
    );
    assert.equal(verdicts(Array.from({ length: 8 }, () => ({}))).at(-1), 'stop');
  });

  const stalling: Record<string, (index: number) => Partial<CallOutcome>[]> = {
    'a plan that changes at each step': (index) => [
      {
        call: { name: 'update_plan', arguments: `{"n":${index}}` },
        tool: { kind: 'plan', access: 'read' },
        text: `Step ${index} of the plan is done now`,
      },
    ],
    'commands that print their own words': (index) => [
      {
        call: {
          name: 'run_command',
          arguments: JSON.stringify({ command: `echo verified ${'abcdefghijk'[index]} and more` }),
        },
        tool: { kind: 'command', access: 'execute' },
        text: `Exit code 0 after 0.1 s.\nverified ${'abcdefghijk'[index]} and more`,
      },
    ],
    'a question at each step': (index) => [
      {
        call: { name: 'ask_user', arguments: `{"question":"${index}?"}` },
        tool: { kind: 'ask', access: 'read' },
        text: `The answer is number ${index}`,
      },
    ],
    'an unknown tool beside a read that moves': (index) => [
      {
        call: { name: 'grep', arguments: `{"q":${index}}` },
        tool: undefined as never,
        state: 'failed',
        text: 'No such tool.',
      },
      {
        call: { name: 'read_file', arguments: `{"path":"a${index}"}` },
        tool: { kind: 'read', access: 'read' },
        text: `alpha ${'x'.repeat(index + 1)}\nbeta ${'y'.repeat(index + 1)}`,
      },
    ],
    'the same refused edit beside a read that moves': (index) => [
      {
        call: { name: 'edit_file', arguments: '{"path":"a","edits":[]}' },
        tool: { kind: 'edit', access: 'write' },
        state: 'failed',
        text: 'Refused.',
      },
      {
        call: { name: 'read_file', arguments: `{"path":"a${index}"}` },
        tool: { kind: 'read', access: 'read' },
        text: `alpha ${'x'.repeat(index + 1)}\nbeta ${'y'.repeat(index + 1)}`,
      },
    ],
  };
  for (const [what, step] of Object.entries(stalling)) {
    it(`H07 ${what}: one hint, then the end, within eight steps`, () => {
      const judge = createProgressJudge();
      const given: string[] = [];
      for (let index = 0; given.at(-1) !== 'stop' && index < 10; index += 1) {
        given.push(judge.judge(step(index).map((over) => ({ ...outcome(over), ...over }))));
      }
      assert.ok(given.length <= 8 && given.at(-1) === 'stop', String(given));
      assert.equal(given.filter((verdict) => verdict === 'hint').length, 1);
      assert.notEqual(judge.repeated(), '');
    });
  }

  it('H07 a plan between steps of work, and a question now and then, are no stall', () => {
    const plan = {
      call: { name: 'update_plan', arguments: '{}' },
      tool: { kind: 'plan', access: 'read' },
      text: 'Plan',
    } as const;
    const ask = {
      call: { name: 'ask_user', arguments: '{}' },
      tool: { kind: 'ask', access: 'read' },
      text: 'Yes',
    } as const;
    const work = (index: number) => ({
      call: { name: 'edit_file', arguments: `{"path":"a${index}"}` },
      tool: { kind: 'edit', access: 'write' } as const,
      text: 'Edited',
    });
    const steps = Array.from({ length: 20 }, (_, index) => [plan, work(index), ask]).flat();
    assert.deepEqual(new Set(verdicts(steps)), new Set(['goes-on']));
  });

  it('X62 a plan that is made and ticked off step by step is no stall, and ends all the same', () => {
    const planOf = (size: number, done: number): Partial<CallOutcome> => {
      const items = Array.from({ length: size }, (_, at) => ({
        text: `s${at}`,
        state: at < done ? 'done' : 'pending',
      }));
      return {
        call: { name: 'update_plan', arguments: JSON.stringify({ items }) },
        tool: { kind: 'plan', access: 'ask' },
        text: 'The plan is shown to the user.',
      };
    };
    const made = verdicts([
      ...Array.from({ length: 10 }, (_, at) => planOf(at + 1, 0)),
      ...Array.from({ length: 10 }, (_, at) => planOf(10, at + 1)),
    ]);
    assert.ok(!made.includes('stop'), String(made));
    assert.ok(verdicts(Array.from({ length: 30 }, (_, at) => planOf(at + 1, 0))).includes('stop'));
    assert.equal(verdicts(Array.from({ length: 8 }, () => planOf(5, 1))).at(-1), 'stop');
  });

  it('X62 a script that says at its end what it did is no echo (SWE-agent/mini-swe-agent, astropy-7746)', () => {
    const script = (index: number) =>
      `cat > fix${index}.py << 'EOF'\nimport re\n${'x = re.sub(a, b, x)\n'.repeat(8)}print('Applied fix ${index}')\nEOF\npython fix${index}.py`;
    const steps = Array.from({ length: 12 }, (_, index) => ({
      call: { name: 'run_command', arguments: JSON.stringify({ command: script(index) }) },
      tool: { kind: 'command', access: 'execute' } as const,
      text: `Exit code 0 after 0.1 s.\nApplied fix ${index}`,
    }));
    assert.deepEqual(new Set(verdicts(steps)), new Set(['goes-on']));
  });

  it('H07 a hint comes once in a stall, and again in the next one', () => {
    const stalled = Array.from({ length: 4 }, () => ({}));
    const found = { text: 'p1 is running: make\ncompiled a\ncompiled b' };
    assert.deepEqual(verdicts([...stalled, found, ...stalled]), [
      'goes-on',
      'goes-on',
      'goes-on',
      'hint',
      'goes-on',
      'goes-on',
      'goes-on',
      'hint',
      'goes-on',
    ]);
  });

  it('H07 what was seen long ago is new again, because requests may not hold it any more', () => {
    const same = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        call: { name: 'process', arguments: `{"action":"read","id":"p${index}"}` },
        text: `p is running\n${'line '.repeat(index + 1)}`,
      }));
    assert.deepEqual(new Set(verdicts([...same(50), ...same(50)])), new Set(['goes-on']));
  });
});
