import type { ApprovalRequest, ApprovalSubject } from '../../src/shared/approval.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import type { PanelInfo } from '../../src/shared/panel/panel-info.ts';
import { ask, kimi, say, toolStep } from './fixtures.ts';

const turnId = 'turn-1';

/** A step that calls tools which have not run yet. */
export function calls(
  tools: readonly { id: string; name: string; arguments?: string }[],
  text = '',
  step = 0,
): ChatEvent[] {
  return [
    {
      type: 'stepFinished',
      turnId,
      step,
      requestedModel: kimi,
      model: kimi,
      text,
      reasoning: '',
      toolCalls: tools.map(({ id, name, arguments: written = '{}' }) => ({ id, name, arguments: written })),
      finish: 'stop',
      complete: true,
      attempts: [],
    },
  ];
}

export function request(subject: ApprovalSubject, change: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const tool = toolOf(subject);
  return { callId: 'c1', tool, title: `${tool} it`, subject, warnings: [], scopes: ['once'], ...change };
}

function toolOf(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'command':
      return 'run_command';
    case 'edit':
      return subject.isNew ? 'create_file' : 'edit_file';
    case 'delete':
      return 'delete_file';
    case 'rename':
      return 'rename_file';
    case 'read':
      return 'read_file';
    case 'fetch':
      return 'fetch_url';
    case 'external':
      return subject.tool;
  }
}

/** A turn that waits for the answers to `requests`. */
export function approvals(...requests: ApprovalRequest[]): ChatEvent[] {
  return [
    ...ask('Make the parser skip blank lines.'),
    say('I will do that now.'),
    ...calls(
      requests.map(({ callId, tool }) => ({ id: callId, name: tool })),
      'I will do that now.',
    ),
    ...requests.map(
      (one): ChatEvent => ({ type: 'asked', turnId, step: 0, id: one.callId, kind: 'approval', about: one }),
    ),
  ];
}

export const diff = `@@ -10,7 +10,8 @@
 export function parse(text: string): string[] {
-  return text.split('\\n');
+  const lines = text.replace(/^\\uFEFF/, '').split('\\n');
+  return lines.filter((line) => line.trim() !== '');${'  '}
 }
${' '}
 export function join(lines: readonly string[]): string {
@@ -41,3 +42,3 @@
-	const count = parse(text).length;
+  const count = parse(text).length; // a${'\u200b'}b
   return count;
`;

export const subjects = {
  command: { kind: 'command', command: 'npm test -- --grep "blank lines"', cwd: '/work/parser', shell: 'bash' },
  edit: { kind: 'edit', path: 'src/parse.ts', diff, added: 3, removed: 2, isNew: false, isProtected: false },
  remove: { kind: 'delete', path: 'src/old-parser.ts', isProtected: false },
  rename: { kind: 'rename', path: 'src/parse.ts', to: 'src/parser/parse-lines.ts', isProtected: false },
  read: { kind: 'read', path: '/home/me/notes/todo.md', reason: 'outside' },
  fetch: {
    kind: 'fetch',
    url: 'https://developer.example.org/docs/Web/JavaScript/Reference/Global_Objects/Array/at?lang=en',
    domain: 'developer.example.org',
  },
  external: {
    kind: 'external',
    tool: 'mcp_tickets_create',
    arguments: '{\n  "title": "Blank lines",\n  "urgent": true\n}',
  },
} satisfies Record<string, ApprovalSubject>;

export const question: ChatEvent[] = [
  ...ask('Add a date picker.'),
  say('There are two in the code base.'),
  ...calls([{ id: 'c1', name: 'ask_user' }], 'There are two in the code base.'),
  { type: 'toolStarted', turnId, step: 0, callId: 'c1', name: 'ask_user', title: 'Ask', at: 0 },
  {
    type: 'asked',
    turnId,
    step: 0,
    id: 'c1',
    kind: 'question',
    about: {
      callId: 'c1',
      text: 'Which date library should the **new** screen use? `moment` is not maintained any more:\n\n- it cannot be *shaken*\n- its dates are mutable',
      options: ['The one in src/legacy (moment)', 'date-fns, as the newer screens do'],
    },
  },
];

/** A command waits for it. */
/** Near to the size that the model has refused. */
export const compactAsked: ChatEvent = {
  ...{ type: 'asked', id: 'compact', kind: 'compact' },
  about: {
    near: { tokens: 32_000, by: 'learned' },
    ...{ priceMicroUsd: 7200, savedMicroUsd: 5610, paysAfterRequests: 2 },
  },
};

export const hostQuestion: ChatEvent[] = [
  ...ask('Install what is missing.'),
  ...calls([{ id: 'c1', name: 'run_command', arguments: '{"command":"npm ci"}' }], ''),
  {
    ...{ type: 'toolStarted', turnId, step: 0, callId: 'c1', name: 'run_command', title: 'Run npm ci', at: 0 },
    place: 'sandbox',
  },
  {
    type: 'asked',
    turnId,
    step: 0,
    id: 'c1',
    kind: 'question',
    about: {
      callId: 'c1',
      text: 'Let commands of this conversation reach `registry.example.org`, `cdn.example.org`? The command is paused. What commands can read may be sent there.',
      command: 'npm ci',
      options: ['Allow for This Conversation', "Don't Allow", 'Network for This Command…'],
    },
  },
];

export const plan: ChatEvent = {
  type: 'planUpdated',
  turnId,
  items: [
    { text: 'Read the parser and its tests', state: 'done' },
    { text: 'Skip blank lines in parse()', state: 'done' },
    { text: 'Adapt the three callers that count lines', state: 'active' },
    { text: 'Run the tests', state: 'pending' },
    { text: 'Add a line to the changelog', state: 'pending' },
  ],
};

/** A command that runs and prints. */
export function runningCommand(at: number, output = 'PASS test/a.test.ts\nPASS test/b.test.ts\n'): ChatEvent[] {
  return [
    ...ask('Run the tests.'),
    ...calls([{ id: 'c1', name: 'run_command', arguments: '{"command":"npm test"}' }]),
    { type: 'toolStarted', turnId, step: 0, callId: 'c1', name: 'run_command', title: 'Run npm test', at },
    { type: 'toolOutput', turnId, step: 0, callId: 'c1', text: output },
  ];
}

const subagentTask = 'Who calls parseDate, and which of them pass a string?';

/** Two subagents of one reply: one looks, the other has just begun; `done`: both have answered, and a request followed. */
export function subagents(at: number, done = false): ChatEvent[] {
  const ids = ['c1', 'c2'];
  const tasks = [subagentTask, 'Where do time zones come from?'];
  const call = (id: string, index: number) => ({
    ...{ turnId, step: 0, callId: id, name: 'ask_subagent', title: `Subagent: ${tasks[index]}` },
  });
  const price = { estimatedMicroUsd: 10_000, maxMicroUsd: 20_000 };
  const paid = (totalTokens: number) => ({
    ...{ requestId: `s${totalTokens}`, model: kimi, startedAt: at, durationMs: 900, charge: 'yes' as const },
    ...{ outcome: 'complete' as const, usage: { promptTokens: totalTokens - 200, completionTokens: 200 } },
  });
  const attempt = (totalTokens: number) => {
    const { usage, ...rest } = paid(totalTokens);
    return { ...rest, usage: { ...usage, totalTokens, estimated: false } };
  };
  const begun = ids.flatMap((id, index): ChatEvent[] => {
    const { title: _, name: __, ...which } = call(id, index);
    return [
      { type: 'toolStarted', ...call(id, index), at },
      { type: 'subagentPaid', ...which, ...price, attempts: [] },
    ];
  });
  const first = { turnId, step: 0, callId: 'c1' };
  const looking: ChatEvent[] = [
    ...ask('Move the dates to Temporal.'),
    ...calls(ids.map((id, index) => ({ id, name: 'ask_subagent', arguments: JSON.stringify({ task: tasks[index] }) }))),
    ...begun,
    { type: 'toolOutput', ...first, text: 'Search "parseDate"\nRead src/calendar/recurring-events.ts 40–120\n' },
    { type: 'subagentPaid', ...first, ...price, attempts: [attempt(12_400)] },
  ];
  if (!done) return looking;
  const ended = ids.map(
    (id, index): ChatEvent => ({
      ...{ type: 'toolFinished', ...call(id, index), state: 'done', durationMs: 14_000 },
      forModel: 'Three: src/a.ts:12, src/b.ts:90, src/c.ts:7 (a string).',
      sub: index === 0 ? { keptTokens: 9430, aheadTokens: 41_000 } : { keptTokens: 600, aheadTokens: -9000 },
    }),
  );
  const second = { turnId, step: 0, callId: 'c2' };
  const answer: ChatEvent = {
    ...{ type: 'stepFinished', turnId, step: 1, requestedModel: kimi, model: kimi, text: 'Only `src/c.ts` does.' },
    ...{ reasoning: '', toolCalls: [], finish: 'stop', complete: true, attempts: [attempt(21_000)] },
  };
  return [...looking, { type: 'subagentPaid', ...second, ...price, attempts: [attempt(25_450)] }, ...ended, answer];
}

/** One that has run in the sandbox. */
export function ranInSandbox(change: Partial<Extract<ChatEvent, { type: 'toolFinished' }>>): ChatEvent[] {
  return [
    ...ask('Run it.'),
    ...calls([{ id: 'c1', name: 'run_command', arguments: '{"command":"make"}' }]),
    { type: 'toolStarted', turnId, step: 0, callId: 'c1', name: 'run_command', title: 'Run make', at: 0 },
    {
      ...{ type: 'toolFinished', turnId, step: 0, callId: 'c1', name: 'run_command', title: 'Run make' },
      ...{ state: 'done', forModel: 'made', durationMs: 1, place: 'sandbox', ...change },
    },
  ];
}

export const sevenReads: ChatEvent[] = [
  ...ask('Where are lines counted?'),
  ...toolStep(
    '',
    Array.from({ length: 7 }, (_, index) => ({
      id: `c${index}`,
      name: 'read_file',
      title: `Read src/file-${index}.ts`,
      arguments: `{"path":"src/file-${index}.ts"}`,
      output: `file ${index}`,
    })),
  ),
  { type: 'textDelta', turnId, step: 1, text: 'In `src/file-3.ts`.' },
];

export const edits: PanelInfo['edits'] = [
  { uri: 'file:///w/src/parse.ts', path: 'src/parse.ts', added: 100, removed: 9 },
  {
    uri: 'file:///w/src/count.ts',
    path: 'src/deeply/nested/folder/of/the/project/count-lines.ts',
    added: 18,
    removed: 5,
  },
  {
    uri: 'file:///w/test/parse.test.ts',
    path: 'test/parse.test.ts',
    added: 2,
    removed: 0,
    renamedFrom: 'test/read-lines.test.ts',
  },
];

export const queue: PanelInfo['queue']['items'] = [
  { id: 'q1', text: 'And then update the changelog, please, with one line per change and the issue number' },
  { id: 'q2', text: 'Run the tests again' },
];
