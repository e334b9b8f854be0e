import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createConsent } from '../../../src/agent/consent.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { trackReads } from '../../../src/edits/apply/read-tracker.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/shared/approval.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { createWindowTools, toolDialect, type WindowPorts } from '../../../src/tools/all-tools.ts';
import { createCommandSnapshots } from '../../../src/tools/command/command-snapshots.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { createEditBench } from '../tools/node-edit-port.ts';
import { askWith } from './ask-with.ts';
import { createScriptedClient, model, type ScriptedReply } from './scripted-client.ts';

/** A project whose test fails until two files are mended and one is made. */
export const project = {
  'src/add.mjs': 'export function add(a, b) {\n  return a - b;\n}\n',
  'src/sum.mjs': "import { add } from './add.mjs';\n\nexport const sum = (list) => list.reduce(add);\n",
  'test.mjs':
    "import assert from 'node:assert';\nimport { sum } from './src/sum.mjs';\nimport { mean } from './src/mean.mjs';\n\nassert.equal(sum([]), 0);\nassert.equal(mean([2, 4]), 3);\nconsole.log('2 checks passed');\n",
};

interface RunOptions {
  question?: string;
  /** The system text. */
  rules?: string;
  /** Given to every request for consent; without it all are allowed. */
  answer?: ApprovalAnswer;
  onAsked?(request: ApprovalRequest): void;
  /** Takes what the model asks, with its choices, and is answered to it. */
  onQuestion?(options: readonly string[]): string;
}

/** Window tools and edit tools on a real folder, with a real shell. */
export async function runScript(root: string, script: readonly ScriptedReply[], options: RunOptions = {}) {
  const {
    question = 'Make the tests pass.',
    rules = 'You help.',
    answer = { decision: 'allow', scope: 'once' },
    onAsked,
    onQuestion,
  } = options;
  const { client, requests } = createScriptedClient(script);
  const bench = createEditBench(root, { mode: 'apply' });
  const shell = createProcessShell({
    shellPath: () => (process.platform === 'win32' ? (process.env.ComSpec ?? '') : '/bin/sh'),
    clock: systemClock,
  });
  const snapshots = createCommandSnapshots({ ...bench.deps, dir: `${root}-snapshots` });
  const undo = { snapshots, journalOf: () => bench.deps.journal };
  const ports = { ...bench.deps, shell, clock: systemClock, undo } as unknown as WindowPorts;
  const events: ChatEvent[] = [];
  const emit = (event: ChatEvent) => void events.push(event);
  const approval = (request: ApprovalRequest) => {
    onAsked?.(request);
    return answer;
  };
  let calls = 0;
  const { outcome, failure, text } = await runTurn(
    {
      client,
      tools: [
        ...createWindowTools(ports).map((tool) => (tool.name === 'read_file' ? trackReads(tool, bench.deps) : tool)),
        ...bench.tools,
      ],
      dialect: toolDialect,
      systemPrompt: () => rules,
      clock: systemClock,
      maxSteps: () => 50,
      newCallId: () => `c${++calls}`,
      log: (line) => assert.fail(line),
    },
    {
      turnId: 't1',
      history: [{ role: 'user', text: question }],
      model,
      request: { surface: 'chat' },
      emit,
      signal: new AbortController().signal,
      person: {
        consent: createConsent(),
        ask: askWith(emit, 't1', { approval, ...(onQuestion && { question: (about) => onQuestion(about.options) }) }),
      },
    },
  );
  await snapshots.dispose();
  const results = events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
  const notes = events.flatMap((event) => (event.type === 'notice' ? [JSON.stringify(event.notice)] : []));
  return { outcome, failure, text, requests, results, notes };
}

export type GivenCall = readonly [name: string, given: object | string];

/** Runs calls in the folder that `root` names when they are made. */
export function scriptedCalls(root: () => string) {
  /** Each list of calls is one reply. */
  const tell = (...replies: (readonly GivenCall[])[]) => {
    let made = 0;
    const script = replies.map((calls) => ({
      toolCalls: calls.map(([name, given]) => ({
        id: `x${++made}`,
        name,
        arguments: typeof given === 'string' ? given : JSON.stringify(given),
      })),
    }));
    return runScript(root(), [...script, { text: 'Done.' }]);
  };
  return {
    tell,
    told: async (name: string, given: object | string) => (await tell([[name, given]])).results[0]?.forModel ?? '',
    textOf: (file: string) => readFile(path.join(root(), file), 'utf8'),
  };
}
