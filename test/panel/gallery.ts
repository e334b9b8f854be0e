import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ChatEvent } from '../../src/shared/events.ts';
import type { HostMessage } from '../../src/shared/protocol.ts';
import {
  approvals,
  diff,
  edits,
  plan,
  question,
  queue,
  request,
  runningCommand,
  sevenReads,
  subjects,
} from './agent-fixtures.ts';
import { ask, end, failedTurn, failure, panelInfo, richTurn, say, snapshot, toolStep } from './fixtures.ts';
import { closeShared, openPanel, type PanelOptions } from './panel-page.ts';
import { spendReport } from './spend-fixtures.ts';
import { themeNames } from './themes.ts';

// `node test/panel/gallery.ts [STATE]`: pictures of the panel's main states in every theme, for people to look at.
const folder = path.resolve(import.meta.dirname, '../../out/screenshots/panel');
const only = process.argv[2];

const running: ChatEvent[] = [
  ...ask('Rename `load` to `read` everywhere.', 'turn-2'),
  say('I will start with the callers.\n\n```ts\nimport { load } from "./io";\n\nconst config = ', 'turn-2'),
];

const states: Record<string, HostMessage[]> = {
  onboarding: [snapshot([], { hasAddress: false, hasKey: false })],
  'onboarding-key': [snapshot([], { hasKey: false })],
  empty: [snapshot()],
  restricted: [snapshot([], { trusted: false })],
  compared: [snapshot(richTurn, { comparison: { otherName: 'Kimi K3' } })],
  rich: [snapshot(richTurn)],
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
  elsewhere: [snapshot(running, { elsewhere: 'open' }, 'What about tests?')],
  unsaved: [snapshot(richTurn, { unsaved: { reason: 'full', detail: 'ENOSPC' } })],
  retrying: [
    snapshot([
      ...ask('Explain this repository.'),
      {
        type: 'retrying',
        turnId: 'turn-1',
        step: 0,
        failure: failure('origin-down', { status: 522 }),
        delayMs: 8000,
        attempt: 3,
        of: 5,
        other: 'svc/glm-5.3',
      },
    ]),
  ],
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
  'approve-command': [
    snapshot(
      approvals(
        request(subjects.command, {
          title: 'Run npm test',
          scopes: ['once', 'conversation', 'always'],
          warnings: ['Runs a script that the workspace defines.'],
        }),
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
        request(subjects.foreign, { callId: 'c5' }),
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
      { type: 'approvalAnswered', turnId: 'turn-1', callId: 'c1', answer: { decision: 'expired' } },
      end('turn-1', { outcome: 'interrupted' }),
    ]),
  ],
  question: [snapshot(question)],
  plan: [snapshot([...sevenReads, plan])],
  'running-command': [snapshot(runningCommand(Date.now() - 12_000))],
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
  stopped: [snapshot([...ask('Count to a million.'), say('1, 2, 3, 4'), end('turn-1', { outcome: 'stopped' })])],
};

/** What is unfolded before the picture is taken. */
const opened: Record<string, string[]> = {
  'failed-key': ['Details'],
  plan: ['Plan: 2 of 5'],
  'changes-queue': ['3 files'],
  compacted: ['Edit src/parse.ts'],
};

async function shoot(
  name: string,
  messages: readonly HostMessage[],
  options: PanelOptions,
  suffix: string,
): Promise<void> {
  const panel = await openPanel(options);
  await panel.send(...messages);
  if (name === 'rich') await panel.log.evaluate((log) => log.scrollTo(0, 0));
  await panel.send();
  if (name === 'meter') await panel.page.locator('button.price').click();
  for (const fold of opened[name] ?? []) await panel.page.getByText(fold).first().click();
  await panel.send();
  await panel.page.screenshot({ path: path.join(folder, `${name}.${suffix}.png`) });
  await panel.close();
}

await mkdir(folder, { recursive: true });
for (const [name, messages] of Object.entries(states)) {
  if (only !== undefined && !name.startsWith(only)) continue;
  for (const theme of themeNames) await shoot(name, messages, { theme, height: 900 }, theme);
  await shoot(name, messages, { theme: 'dark', width: 220, height: 900 }, '220px');
  await shoot(name, messages, { theme: 'light', width: 1280, height: 1024, zoom: 4 }, 'zoom400');
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
