import assert from 'node:assert/strict';
import type { HostMessage } from '../../src/shared/panel/protocol.ts';
import { someOf, times } from '../support/effort.ts';
import {
  approvals,
  edits,
  plan,
  question,
  queue,
  request,
  runningCommand,
  sevenReads,
  subjects,
} from './agent-fixtures.ts';
import { axeProblems } from './axe.ts';
import { clippedParts } from './clipping.ts';
import { ask, end, failedTurn, failure, panelInfo, richTurn, say, snapshot, strips } from './fixtures.ts';
import { states as galleryStates, show } from './gallery.ts';
import { openPanel, type PanelOptions, type PanelPage, type Theming } from './panel-page.ts';
import { themeNames } from './themes.ts';

const states: Record<string, HostMessage[]> = {
  onboarding: [snapshot([], { hasAddress: false, hasKey: false, trusted: false })],
  'an empty conversation in Restricted Mode': [snapshot([], { trusted: false })],
  'a rich answer': [snapshot(richTurn)],
  'a failure': [
    snapshot(
      failedTurn('rate-limited', { status: 429, endpoint: 'POST /chat/completions', serverMessage: 'slow down' }),
    ),
  ],
  'a running turn with attachments': [
    snapshot([...ask('Hi'), say('Some text\n\n```js\nlet a = 1;\n```\n')], {
      attachments: [{ id: 'a', label: 'src/a.ts' }],
    }),
    {
      type: 'price',
      price: {
        tokens: 18_213,
        microUsd: 6010,
        historyMicroUsd: 4950,
        parts: { draft: 13, attachments: 1200, history: 15_000, rules: 0, tools: 2000 },
        error: 0.05,
      },
    },
  ],
  'a retry': [
    snapshot([
      ...ask('Hi'),
      {
        type: 'asked',
        turnId: 'turn-1',
        step: 0,
        id: 'wait',
        kind: 'wait',
        about: { failure: failure('unreachable'), delayMs: 8000, attempt: 1, of: 5 },
      },
    ]),
    { type: 'info', info: panelInfo({ hasFolder: false }) },
  ],
  'approvals of every kind': [
    snapshot(
      approvals(
        ...Object.values(subjects).map((subject, index) =>
          request(subject, {
            callId: `c${index}`,
            scopes: ['once', 'conversation', 'always'],
            warnings: ['Editor settings can make the editor run programs.'],
          }),
        ),
      ),
    ),
  ],
  'an approval that expired': [
    snapshot([
      ...approvals(request(subjects.command)),
      { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'approval', value: { decision: 'expired' } },
      end('turn-1', { outcome: 'interrupted' }),
    ]),
  ],
  'a question': [snapshot(question)],
  'a command that prints': [snapshot(runningCommand(0, 'x'.repeat(300)))],
  'plan, changes and queue': [snapshot([...sevenReads, plan], { edits, queue: { items: [...queue], paused: true } })],
  'one answer of two': [snapshot(richTurn, { sections: strips.compared('Kimi K3 With A Long Name') })],
  'a compacted conversation': [
    snapshot([
      ...richTurn,
      { type: 'compacted', turnId: 'x', summary: 'So **far**.', tokensBefore: 48_200, tokensAfter: 3100 },
      ...ask('Go on.'),
      { type: 'checkpointTaken', turnId: 'turn-1', checkpointId: 'k', paths: ['a.ts'] },
      end(),
    ]),
  ],
};

const looks: Record<string, { options: PanelOptions; themings: readonly (Theming & { name: string })[] }> = {
  'every theme': {
    options: {},
    themings: [
      ...themeNames.map((theme) => ({ name: theme, theme })),
      { name: 'forced colours', theme: 'hc-dark', forcedColors: 'active' },
    ],
  },
};
const everywhere = times(0, 1) === 1;
// In `npm test` the pseudo-locale, whose texts are longer, stands for both.
if (everywhere) {
  looks['220 px'] = { options: { width: 220 }, themings: [{ name: 'light', theme: 'light' }] };
  looks['250 px'] = { options: { width: 250 }, themings: [{ name: 'dark', theme: 'dark' }] };
  looks['300 px'] = { options: { width: 300 }, themings: [{ name: 'high contrast', theme: 'hc-light' }] };
  looks['200 % zoom'] = {
    options: { width: 1280, height: 720, zoom: 2 },
    themings: [{ name: 'dark', theme: 'hc-dark' }],
  };
  looks['400 % zoom'] = { options: { width: 1280, height: 720, zoom: 4 }, themings: [{ name: 'dark', theme: 'dark' }] };
}

function unfoldAll(panel: PanelPage): Promise<void> {
  return panel.page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const toggle of document.querySelectorAll<HTMLElement>('[aria-expanded=false]')) toggle.click();
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

describe('accessibility', () => {
  for (const [look, { options, themings }] of Object.entries(looks)) {
    describe(look, () => {
      let panel: PanelPage;
      before(async () => {
        panel = await openPanel(options);
      });
      after(() => panel.close());
      for (const [at, [state, messages]] of someOf([...Object.entries({ ...galleryStates, ...states }).entries()], 4)) {
        // In `npm test` each state in the theme after that of the state before.
        const inTurn = [...themings.slice(at % themings.length), ...themings].slice(0, times(1, themings.length));
        it(`ux 2.18: axe finds nothing, nothing is clipped and nothing scrolls sideways in the state ${state}`, async () => {
          const found: Record<string, string[]> = {};
          await show(panel, state, messages);
          for (const { name, ...theming } of inTurn) {
            await panel.changeTheme(theming);
            found[`${name}: clipped`] = await clippedParts(panel.page);
          }
          await unfoldAll(panel);
          for (const [index, { name, ...theming }] of inTurn.entries()) {
            await panel.changeTheme(theming);
            found[`${name}, with everything unfolded: clipped`] = await clippedParts(panel.page);
            // The other rules look at what no theme changes.
            found[`${name}: axe`] = await axeProblems(panel.page, index === 0 ? 'all' : 'colors');
          }
          assert.deepEqual(Object.fromEntries(Object.entries(found).filter(([, faults]) => faults.length > 0)), {});
        });
      }
    });
  }

  it('ux 2.18 leaves the conversation room in a window that is zoomed to 400 %, and every control can be reached', async () => {
    let panel = await openPanel({ width: 1280, height: 720, zoom: 4 });
    for (const state of ['meter', 'note-restored', 'editing', 'changes-queue', 'unsaved', 'key-problem']) {
      await show(panel, state, galleryStates[state] ?? []);
      const found = await panel.page.evaluate(() => {
        const room = document.querySelector('.transcript')?.getBoundingClientRect().height ?? 0;
        // What is open over the rest closes with Escape.
        const over = document.querySelector('.price-details') ?? document;
        const controls = [...over.querySelectorAll<HTMLElement>('button, summary, textarea')];
        const hidden = controls.filter((control) => {
          if (!control.checkVisibility()) return false;
          control.scrollIntoView({ block: 'center', inline: 'nearest' });
          const { left, top, width, height } = control.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight) / 2);
          return there === null || !(control.contains(there) || there.contains(control));
        });
        return { room, hidden: hidden.map((control) => control.getAttribute('aria-label') ?? control.textContent) };
      });
      assert.ok(found.room >= 110, `${state}: ${found.room} px`);
      assert.deepEqual(found.hidden, [], state);
    }
    await panel.close();
    // What is typed is seen while it is typed, and does not push the conversation away.
    panel = await openPanel({ width: 1280, height: 720, zoom: 4 });
    await show(panel, 'rich', galleryStates.rich ?? []);
    await panel.input.fill(Array.from({ length: 12 }, (_, line) => `line ${line}`).join('\n'));
    const shares = await panel.page.evaluate(() =>
      ['.transcript', '.composer'].map((part) => document.querySelector(part)?.getBoundingClientRect().height ?? 0),
    );
    assert.ok(Number(shares[0]) >= 85 && Number(shares[1]) <= 95, `${shares} px of 180`);
    await panel.close();
  });

  it('gives every control at least 24 × 24 pixels', async () => {
    const panel = await openPanel();
    await panel.send(
      snapshot([...richTurn, ...sevenReads, plan], {
        attachments: [{ id: 'a', label: 'src/a.ts' }],
        edits,
        queue: { items: [...queue], paused: true },
      }),
    );
    await panel.page.getByRole('button', { name: '3 files' }).click();
    const small = await panel.page.evaluate(() =>
      [...document.querySelectorAll('button, summary')]
        .filter((element) => element.checkVisibility())
        .map((element) => ({
          name: element.getAttribute('aria-label') ?? element.textContent,
          box: element.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width < 24 || box.height < 24)
        .map(({ name, box }) => `${name} ${box.width} × ${box.height}`),
    );
    assert.deepEqual(small, []);
    await panel.close();
  });

  it('opens everything from the start for a screen reader', async () => {
    const panel = await openPanel({ bodyClass: 'vscode-using-screen-reader' });
    await panel.send(snapshot(richTurn));
    assert.equal(await panel.page.locator('details:not([open])').count(), 0);
    await panel.page.getByText('start_line').waitFor();
    await panel.close();
  });

  it('moves nothing when motion is to be reduced', async () => {
    const panel = await openPanel({ bodyClass: 'vscode-reduce-motion' });
    await panel.send(snapshot([...ask('Hi'), say('Some text')]));
    const moving = () => panel.page.evaluate(() => document.getAnimations().length);
    assert.equal(await moving(), 0);
    await panel.send(snapshot(ask('Hi', 'turn-2')));
    assert.equal(await moving(), 0);
    await panel.close();
  });
});
