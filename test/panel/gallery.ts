import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ChatEvent, Notice } from '../../src/shared/events.ts';
import type { CompletionItem } from '../../src/shared/panel/panel-info.ts';
import type { HostMessage } from '../../src/shared/panel/protocol.ts';
import type { SpendHostMessage } from '../../src/shared/panel/spend-report.ts';
import {
  approvals,
  compactAsked,
  diff,
  edits,
  hostQuestion,
  plan,
  question,
  queue,
  ranInSandbox,
  request,
  runningCommand,
  sevenReads,
  subagents,
  subjects,
} from './agent-fixtures.ts';
import {
  ask,
  cost,
  end,
  failedTurn,
  failure,
  kimi,
  panelInfo,
  richTurn,
  say,
  snapshot,
  strips,
  toolStep,
} from './fixtures.ts';
import { closeShared, openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';
import { spendReport } from './spend-fixtures.ts';
import { themeNames } from './themes.ts';

// `node test/panel/gallery.ts [STATE]`: pictures of the panel's main states in every theme, for people to look at.
const folder = path.resolve(import.meta.dirname, '../../out/screenshots/panel');
const only = process.argv[2];

const running: ChatEvent[] = [
  ...ask('Rename `load` to `read` everywhere.', 'turn-2'),
  say('I will start with the callers.\n\n```ts\nimport { load } from "./io";\n\nconst config = ', 'turn-2'),
];

const busyIds = [kimi, 'svc/glm-5.3', 'svc/qwen-4', 'svc/minimax-m3'];
const busy = failure('capacity-model', { model: busyIds.at(-1), facts: { asked: busyIds.join(' ') } });
const allBusy: ChatEvent[] = [
  ...ask('Where is the shipping cost decided?'),
  ...busyIds.slice(1).map((to, at): ChatEvent => {
    const notice: Notice = { kind: 'fallback', from: busyIds[at] ?? kimi, to, failure: busy, continued: false };
    return { type: 'notice', turnId: 'turn-1', step: 0, notice };
  }),
  end('turn-1', { outcome: 'failed', failure: busy }),
];

/** With the request that the step took. */
function priced(event: ChatEvent): ChatEvent {
  if (event.type !== 'stepFinished') return event;
  const usage = { promptTokens: 6000, completionTokens: 400, totalTokens: 6400, estimated: false };
  const attempt = {
    requestId: `r${event.step}`,
    model: kimi,
    startedAt: 1,
    durationMs: 1,
    outcome: 'complete',
    charge: 'yes',
    usage,
  } as const;
  return { ...event, sent: { overhead: 2000, history: 3000, steps: 1000 }, attempts: [attempt] };
}

const notices: Notice[] = [
  { kind: 'degraded', model: kimi, feature: 'tools' },
  { kind: 'degraded', model: kimi, feature: 'parameter', parameter: 'temperature' },
  { kind: 'cut-input', model: kimi, sentTokens: 48_000, countedTokens: 8000 },
  { kind: 'compacted', tokensBefore: 48_200, tokensAfter: 3100, microUsd: 6000, estimated: false },
  { kind: 'later-changes', undone: ['src/cart.ts'], changed: ['src/discounts.ts', 'src/shipping.ts'] },
  { kind: 'over-limit', limit: 'daily', limitMicroUsd: 1_000_000 },
];

export const completions: CompletionItem[] = [
  {
    id: '1',
    icon: 'file',
    label: 'a-file-with-a-long-name.test.ts',
    detail: 'src/a/deep/folder',
    action: { type: 'attach', pick: { kind: 'file', uri: 'file:///w/a.ts' } },
  },
  { id: '2', icon: 'symbol', label: 'Symbol…', action: { type: 'refine', text: 'symbol:' } },
  {
    id: '3',
    icon: 'codebase',
    label: 'Codebase',
    detail: 'Not available: no embeddings endpoint. Text search is used.',
  },
];

/** What there is to see in the panel, as the messages that bring it up. */
export const states: Record<string, HostMessage[]> = {
  onboarding: [snapshot([], { hasAddress: false, hasKey: false })],
  'onboarding-key': [snapshot([], { hasKey: false })],
  empty: [snapshot()],
  restricted: [snapshot([], { trusted: false })],
  compared: [snapshot(richTurn, { sections: strips.compared('Kimi K3') })],
  rich: [snapshot(richTurn)],
  'model-changed': [
    snapshot([{ type: 'modelChanged', model: kimi }, ...richTurn, { type: 'modelChanged', model: 'svc/glm-5.3' }]),
  ],
  streaming: [
    snapshot([...running]),
    { type: 'info', info: panelInfo({ attachments: [{ id: 'a', label: 'src/io.ts:1-40' }] }) },
  ],
  meter: [
    snapshot(richTurn, { attachments: [{ id: 'a', label: 'src/io.ts:1-40' }] }),
    {
      type: 'price',
      price: {
        tokens: 26_900,
        microUsd: 8877,
        historyMicroUsd: 6600,
        parts: { draft: 13, attachments: 1200, history: 20_000, rules: 1687, tools: 4000 },
        error: 0.052,
        compact: { priceMicroUsd: 7200, savedTokens: 17_000, savedMicroUsd: 5610, paysAfterRequests: 2 },
        limit: { tokens: 32_000, by: 'set' },
      },
    },
  ],
  waiting: [snapshot(ask('Explain this repository.'))],
  elsewhere: [snapshot(running, { sections: { elsewhere: 'open' } }, 'What about tests?')],
  unsaved: [snapshot(richTurn, { unsaved: { reason: 'full', detail: 'ENOSPC' } })],
  retrying: [
    snapshot([
      ...ask('Explain this repository.'),
      {
        type: 'asked',
        turnId: 'turn-1',
        step: 0,
        id: 'wait',
        kind: 'wait',
        about: {
          failure: failure('origin-down', { status: 522 }),
          delayMs: 8000,
          attempt: 3,
          of: 5,
          other: 'svc/glm-5.3',
        },
      },
    ]),
  ],
  'all-busy': [snapshot(allBusy)],
  'failed-key': [
    snapshot(
      failedTurn('key-rejected', { status: 401, endpoint: 'POST /chat/completions', serverMessage: 'unauthorized' }),
    ),
  ],
  'failed-cut': [
    snapshot([
      ...ask('Write a haiku.'),
      say('Old silent pond\n\nA frog jumps'),
      end('turn-1', {
        outcome: 'failed',
        failure: failure('cut-off'),
        cost: {
          promptTokens: 20,
          completionTokens: 8,
          totalTokens: 28,
          microUsd: 9,
          estimated: true,
          charge: 'maybe',
          requests: 1,
        },
      }),
    ]),
  ],
  'failed-past': [
    snapshot([
      ...failedTurn('unreachable', {}, 'turn-0'),
      ...ask('Again?'),
      say('Yes: see `src/io.ts:3` and src/parse.ts, where `load()` is.'),
      end(),
    ]),
  ],
  'in-a-tab': [snapshot(richTurn, { inTab: true })],
  'approve-command': [
    snapshot(
      approvals(
        request(subjects.command, {
          title: 'Run npm test',
          scopes: ['once', 'conversation', 'always'],
          beginning: 'npm test',
          warnings: ['Runs a script that the workspace defines.'],
        }),
      ),
    ),
  ],
  'approve-fetch': [
    snapshot(
      approvals(
        request(subjects.fetch, { callId: 'c1', scopes: ['once', 'conversation'] }),
        request(
          { kind: 'fetch', url: 'https://xn--pple-43d.com/support', domain: 'xn--pple-43d.com' },
          {
            callId: 'c2',
            warnings: ['The domain reads аpple.com. Its letters can look like those of another domain.'],
          },
        ),
      ),
    ),
  ],
  'approve-edit': [snapshot(approvals(request(subjects.edit, { scopes: ['once', 'conversation', 'review'] })))],
  'approve-many': [
    snapshot(
      approvals(
        request(subjects.read, { callId: 'c1' }),
        request({ ...subjects.read, path: '/home/me/notes/ideas.md' }, { callId: 'c2' }),
        request(subjects.remove, { callId: 'c3' }),
        request(subjects.rename, { callId: 'c4' }),
        request(subjects.external, { callId: 'c5' }),
      ),
    ),
  ],
  'approve-long': [
    snapshot(
      approvals(
        request(
          {
            ...subjects.edit,
            path: '.vscode/settings.json',
            isProtected: true,
            added: 700,
            diff: `@@ -1,1 +1,700 @@\n${Array.from({ length: 700 }, (_, line) => `+  "setting.${line}": true,`).join('\n')}`,
          },
          { warnings: ['Editor settings can make the editor run programs.', 'This is a long change: 700 lines.'] },
        ),
      ),
    ),
  ],
  'approve-expired': [
    snapshot([
      ...approvals(request(subjects.command, { title: 'Run npm test' })),
      { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'approval', value: { decision: 'expired' } },
      end('turn-1', { outcome: 'interrupted' }),
    ]),
  ],
  question: [snapshot(question)],
  'compact-offer': [snapshot([...richTurn, compactAsked])],
  'question-host': [snapshot(hostQuestion)],
  plan: [snapshot([...sevenReads, plan])],
  working: [
    snapshot([
      ...sevenReads,
      ...toolStep(
        '',
        [{ id: 'c8', name: 'edit_file', title: 'Edit src/a.ts', arguments: '{"path":"a.ts"}', output: 'Done' }],
        'turn-1',
        2,
      ),
      { type: 'requestSent', turnId: 'turn-1', step: 3, model: kimi, at: Date.now() - 5000 },
    ]),
  ],
  steps: [snapshot([...richTurn, ...sevenReads, end()])],
  sandbox: [
    snapshot(
      ranInSandbox({
        ...{ state: 'failed', forModel: 'Exit code 2 after 1.2 s, in the sandbox.\nmake: *** [all] Error 2' },
        appeared: ['AGENTS.md', 'packages/with-a-long-name/of-a-package/.claude/settings.local.json'],
      }),
    ),
  ],
  decided: [
    snapshot([
      ...ranInSandbox({ decided: [{ word: 'allowed', what: 'Git data' }] }),
      end(),
      ...ask('And the rest?', 'turn-2'),
      ...toolStep(
        '',
        [{ id: 'c1', name: 'run_command', title: 'Run npm ci', arguments: '{}', output: '' }],
        'turn-2',
      ).map(
        (event): ChatEvent =>
          event.type === 'toolFinished'
            ? {
                ...{ ...event, state: 'failed', place: 'sandbox' },
                decided: [
                  { word: 'denied', what: 'registry.npmjs.org' },
                  { word: 'blocked', what: '.env' },
                ],
              }
            : event,
      ),
      end('turn-2'),
    ]),
  ],
  ending: [
    snapshot([
      ...ranInSandbox({}),
      { type: 'checkpointTaken', turnId: 'turn-1', checkpointId: 'k', paths: ['dist/a.js', 'dist/b.js'] },
      say('All tests pass. The total is rounded once now.', 'turn-1', 1),
      {
        ...{ type: 'notice', turnId: 'turn-1', step: 1 },
        notice: {
          kind: 'ending',
          commands: 1,
          changed: 2,
          test: { command: 'npm test -- cart', exitCode: 1, editsSince: 2 },
          unnamed: ['src/b.ts'],
        },
      },
      end(),
    ]),
    {
      type: 'price',
      price: {
        tokens: 18_200,
        microUsd: 6006,
        historyMicroUsd: 5600,
        parts: { draft: 0, attachments: 0, history: 18_000, rules: 200, tools: 0 },
        error: 0.05,
      },
    },
  ],
  'world-changes': [
    snapshot([
      ...ask('Go on.'),
      {
        ...{ type: 'notice', turnId: 'turn-1', step: 1 },
        notice: { kind: 'world-changes', added: ['api'], removed: [], gone: ['shop'], ended: ['p1'], trusted: true },
      },
      say('I will start the server again.'),
      end(),
    ]),
  ],
  'six-calls': [
    snapshot(
      [
        ...toolStep('', [
          ...[1, 2, 3].map((n) => ({
            ...{
              id: `c${n}`,
              name: 'read_file',
              title: `Read src/file-${n}.ts`,
              arguments: `{"path":"src/file-${n}.ts"}`,
            },
            output: 'text',
          })),
          ...[4, 5, 6].map((n) => ({
            ...{
              id: `c${n}`,
              name: 'search_text',
              title: 'Search for total',
              arguments: '{"query":"total"}',
              output: 'none',
            },
          })),
        ]),
        say(
          'The shipping cost is decided in `src/file-2.ts`, line 12: it is free above 50 euros, and the discount is taken before.',
          'turn-1',
          1,
        ),
        end(),
      ].toSpliced(0, 0, ...ask('Where is the shipping cost decided?')),
    ),
  ],
  'subagents-running': [snapshot(subagents(Date.now() - 14_000))],
  'subagents-done': [
    snapshot([
      ...subagents(0, true),
      end('turn-1', {
        cost: cost({ promptTokens: 58_250, completionTokens: 600, totalTokens: 58_850, microUsd: 19_420, requests: 3 }),
      }),
    ]),
  ],
  'running-command': [snapshot(runningCommand(Date.now() - 12_000))],
  steering: [
    snapshot(
      [
        ...runningCommand(Date.now() - 80_000),
        {
          type: 'steered',
          turnId: 'turn-1',
          step: 0,
          at: 0,
          messages: [{ id: 's1', text: 'Only the tests of the parser.', attachments: [] }],
        },
      ],
      {
        queue: {
          items: queue.map((item, index) => ({
            ...item,
            nextStepMicroUsd: 198,
            ...(index === 0 && { atNextStep: true as const }),
          })),
          paused: false,
          lostMicroUsd: 6600,
        },
      },
    ),
  ],
  'plan-document': [
    snapshot([...ask('Read lines as a stream, everywhere.'), say('The plan is written: six steps.'), end()], {
      mode: 'plan',
      sections: { plan: { steps: 6, freshMicroUsd: 50_342, hereMicroUsd: 139_442, capMicroUsd: 210_000 } },
    }),
  ],
  'plan-run': [
    snapshot([{ type: 'budgetSet', microUsd: 210_000 }, ...ask('Carry out the plan.'), say('Step 1 is done.'), end()], {
      sections: {
        plan: { steps: 6, freshMicroUsd: 50_342, hereMicroUsd: 139_442, capMicroUsd: 210_000, started: 'fresh' },
      },
    }),
  ],
  'changes-queue': [snapshot([...sevenReads, plan], { edits, queue: { items: [...queue], paused: true } })],
  compacted: [
    snapshot([
      ...richTurn,
      {
        type: 'compacted',
        turnId: 'turn-1',
        summary: 'The user wants **x**.',
        tokensBefore: 48_200,
        tokensAfter: 3100,
      },
      ...ask('Go on.'),
      ...toolStep('', [
        {
          id: 'c1',
          name: 'edit_file',
          title: 'Edit src/parse.ts',
          arguments: '{"path":"src/parse.ts"}',
          output: `Edited src/parse.ts: +3 −2, lines 10–43\n${diff}`,
        },
      ]),
      { type: 'checkpointTaken', turnId: 'turn-1', checkpointId: 'k1', paths: ['src/parse.ts'] },
      say('Done.', 'turn-1', 1),
      end(),
    ]),
  ],
  welcome: [
    snapshot(),
    {
      type: 'welcome',
      welcome: {
        starters: [
          { label: 'Explain parse.ts', text: 'Explain this file.' },
          { label: 'Fix 3 problems in parse.ts', text: 'Fix these problems.' },
        ],
        recent: [
          {
            id: 'r1',
            title: 'Why does the parser drop the byte order mark of every second file?',
            at: 1_763_600_000_000,
          },
        ],
      },
    },
  ],
  'key-problem': [
    snapshot([], { hasKey: false, keyProblem: { state: 'other-address', origin: 'https://api.example.com' } }),
  ],
  'tool-forming': [
    snapshot([
      ...ask('Make the parser skip blank lines.'),
      say('I will do that now.'),
      {
        type: 'toolForming',
        turnId: 'turn-1',
        step: 0,
        key: 'k',
        name: 'edit_file',
        argumentsDelta: '{"path":"src/parse.ts","old_text":"a',
      },
    ]),
  ],
  stopping: [snapshot([...ask('Count to a million.'), say('1, 2, 3'), { type: 'stopping', turnId: 'turn-1' }])],
  interrupted: [snapshot([...ask('Count to a million.'), say('1, 2, 3'), end('turn-1', { outcome: 'interrupted' })])],
  notices: [
    snapshot([
      ...ask('Count to a million.'),
      ...notices.map((notice): ChatEvent => ({ type: 'notice', turnId: 'turn-1', step: 0, notice })),
      say('1, 2, 3'),
      end('turn-1', { outcome: 'limit' }),
    ]),
  ],
  costs: [
    snapshot([
      ...ask('Why?'),
      ...toolStep('', [{ id: 'c1', name: 'read_file', title: 'Read a.ts', arguments: '{}', output: 'a' }]).map(priced),
      ...toolStep('Done.', [], 'turn-1', 1).map(priced),
      end('turn-1', { cost: cost({ requests: 2 }) }),
    ]),
  ],
  editing: [snapshot(richTurn, { attachments: [{ id: 'a', label: 'src/io.ts:1-40', tokens: 1200, microUsd: 396 }] })],
  fonts: [
    snapshot(richTurn, {
      fonts: {
        ...{ '--vscode-font-size': '20px', '--vscode-font-family': 'serif' },
        ...{ '--vscode-editor-font-size': '18px', '--vscode-editor-font-family': 'monospace' },
      },
    }),
  ],
  'next-steps': [
    snapshot(
      [
        ...ask('Round the total once.'),
        ...toolStep('The total is rounded once now, in `cart.ts`.', []),
        {
          ...{ type: 'notice', turnId: 'turn-1', step: 1 },
          notice: { kind: 'ending', commands: 0, changed: 1, untested: true },
        },
        end(),
      ],
      { hasRepository: true },
    ),
  ],
  others: [snapshot(richTurn, { sections: strips.others('Needs you · $0.0021 · Fix the rounding of the cart') })],
  'note-restored': [
    snapshot(richTurn, {
      attachments: [
        { id: 'a', label: 'src/io.ts:1-40', tokens: 1200, microUsd: 396 },
        { id: 'b', label: 'src/a-file-with-a-long-name-in-a-deep-folder.test.ts', tokens: 120, microUsd: 39 },
      ],
      sections: strips.restored('3 files restored. Left unchanged: src/a.ts'),
    }),
    { type: 'sources', states: { a: 'changed', a1: 'gone' } },
    { type: 'note', text: 'logo.psd was not attached: it is not text.' },
  ],
  completion: [snapshot()],
  stopped: [snapshot([...ask('Count to a million.'), say('1, 2, 3, 4'), end('turn-1', { outcome: 'stopped' })])],
};

/** What is unfolded once the state is there. */
const pressed: Record<string, string[]> = {
  completion: ['.composer-footer .icon-button'],
  'failed-past': ['.past-failure summary'],
  editing: ['.user .message-actions .icon-button'],
  costs: ['.cost-figure'],
  'failed-key': ['.failure summary'],
  plan: ['.strips summary'],
  steps: ['.quiet-line > summary', '.answer:last-child .quiet-line > summary'],
  'changes-queue': ['.changes [aria-expanded]'],
  compacted: ['.answer > .parts > .tool summary'],
  sandbox: ['.tool summary'],
  meter: ['button.price'],
};

/** Brings the panel into a state: what the host sends, then what the user presses. */
export async function show(
  panel: PanelPage,
  name: string,
  messages: readonly (HostMessage | SpendHostMessage)[],
): Promise<void> {
  await panel.send(...messages);
  if (name === 'rich') await panel.page.locator('[role=log]').evaluate((log) => log.scrollTo(0, 0));
  await panel.send();
  // Also what is scrolled away or covered in a window that is low.
  for (const selector of pressed[name] ?? []) await panel.page.locator(selector).first().dispatchEvent('click');
  for (const message of await panel.allPosted()) {
    if (message.type !== 'findNames') continue;
    const found = Object.fromEntries(message.names.map(({ name, path = 'src/a.ts' }) => [name, { path, line: 3 }]));
    await panel.send({ type: 'names', turnId: message.turnId, found });
  }
  const asked = (await panel.allPosted()).findLast((message) => message.type === 'complete');
  if (asked?.type === 'complete') {
    await panel.send({ type: 'completions', id: asked.id, items: [...completions], done: true });
  }
  await panel.send();
}

async function shoot(
  name: string,
  messages: readonly HostMessage[],
  options: PanelOptions,
  suffix: string,
): Promise<void> {
  const panel = await openPanel(options);
  await show(panel, name, messages);
  await panel.page.screenshot({ path: path.join(folder, `${name}.${suffix}.png`) });
  await panel.close();
}

if (import.meta.main) await shootAll();

async function shootAll(): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, messages] of Object.entries(states)) {
    if (only !== undefined && !name.startsWith(only)) continue;
    for (const theme of themeNames) await shoot(name, messages, { theme, height: 900 }, theme);
    for (const width of [220, 250, 300]) {
      await shoot(name, messages, { theme: 'dark', width, height: 900 }, `${width}px`);
    }
    await shoot(name, messages, { theme: 'light', width: 800, height: 1400, zoom: 2 }, 'zoom200');
    await shoot(name, messages, { theme: 'light', width: 1280, height: 720, zoom: 4 }, 'zoom400');
  }
  if (only === undefined || 'spend'.startsWith(only)) {
    for (const theme of themeNames) {
      const panel = await openPanel({ piece: 'spend', theme, width: 900, height: 1100 });
      await panel.send(spendReport());
      await panel.page.screenshot({ path: path.join(folder, `spend.${theme}.png`) });
      await panel.close();
    }
  }
  await closeShared();
  console.log(`pictures in ${folder}`);
}
