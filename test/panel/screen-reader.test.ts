import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/shared/events.ts';
import { times } from '../support/effort.ts';
import { ask, end, failedTurn, glm, kimi, richTurn, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';
import { type ReadMessage, readFocused, readMessages } from './reading-tree.ts';

/** The rich turn, under names of its own. */
function rich(name: string): ChatEvent[] {
  const named = {
    'turn-rich': name,
    'message-rich': `message-${name}`,
    '"c1"': `"c1-${name}"`,
    '"c2"': `"c2-${name}"`,
  };
  const text = Object.entries(named).reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(richTurn));
  return JSON.parse(text);
}

/** Messages of every kind: 84 of them. */
const conversation: readonly ChatEvent[] = Array.from({ length: 38 }, (_, index): ChatEvent[] => {
  const name = `t${index}`;
  if (index === 9) {
    const compacted = { turnId: name, summary: 'So **far**.', tokensBefore: 48_200, tokensAfter: 3100 };
    return [...turn(`Question ${index}`, 'Yes.', name), { type: 'compacted', ...compacted }];
  }
  if (index % 12 === 5) return [{ type: 'modelChanged', model: index % 24 === 5 ? glm : kimi }, ...rich(name)];
  if (index % 4 === 1) return rich(name);
  if (index % 10 === 2) return failedTurn('rate-limited', { status: 429, serverMessage: 'slow down' }, name);
  if (index % 10 === 7)
    return [...ask(`Question ${index}`, name), say('Half of', name), end(name, { outcome: 'stopped' })];
  return turn(`Question ${index}`, `Answer ${index}\n\n${'word '.repeat((index * 37) % 90)}`, name);
}).flat();

describe('a screen reader in a long conversation', () => {
  const open = async () => {
    const panel = await openPanel({ height: 600, bodyClass: 'vscode-using-screen-reader' });
    await panel.send(snapshot(conversation));
    return panel;
  };
  /** All of it is in the page. */
  const openWhole = async () => {
    const panel = await open();
    await panel.page.locator('article').last().focus();
    await panel.page.keyboard.press('Home');
    await panel.page.waitForFunction(() => document.activeElement?.getAttribute('aria-posinset') === '1');
    return panel;
  };
  const close = async (panel: PanelPage) => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  };
  const positions = (messages: readonly ReadMessage[]) => messages.map(({ position }) => position);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('P23 hears every message by its name, with all that is in it, also out of view', async () => {
    const panel = await open();
    const messages = await readMessages(panel);
    const held = await panel.page.locator('article').count();
    assert.equal(messages.length, held);
    assert.ok(held >= 20);
    for (const { tree } of messages) assert.match(tree, /^article "(You|Kimi K3|GLM 5\.3|Model changed).*\n/);
    await close(panel);
  });

  it('P23 comes by the arrow keys to every message once, as a conversation that is drawn whole has it', async () => {
    const whole = await openWhole();
    const all = await readMessages(whole);
    await close(whole);
    assert.deepEqual(positions(all), upTo(all.length));
    const panel = await open();
    await panel.page.locator('article').last().focus();
    const walked = [await readFocused(panel)];
    for (let last = walked[0]; last && last.position > 1; last = walked.at(-1)) {
      await panel.page.keyboard.press('ArrowUp');
      await panel.page.waitForFunction(
        (before) => document.activeElement?.getAttribute('aria-posinset') !== String(before),
        last.position,
      );
      walked.push(await readFocused(panel));
    }
    assert.deepEqual(walked.reverse(), all);
    await close(panel);
  });

  const action = fc.oneof(
    fc.record({ what: fc.constant('scroll' as const), px: fc.integer({ min: -3000, max: 1500 }) }),
    fc.record({
      what: fc.constant('key' as const),
      key: fc.constantFrom('ArrowUp', 'ArrowDown', 'PageUp', 'Enter', 'Control+Alt+ArrowUp'),
    }),
    fc.record({ what: fc.constant('width' as const), px: fc.integer({ min: 220, max: 600 }) }),
    fc.record({ what: fc.constant('delta' as const), words: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ what: fc.constant('fold' as const), fromEnd: fc.nat({ max: 40 }) }),
  );

  it('P23 has of what is in the page the same tree as of a conversation that is drawn whole, whatever its user did', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 12 }), async (actions) => {
        const [panel, whole] = [await open(), await openWhole()];
        const both = [panel, whole];
        for (const one of both) await one.events(...ask('More', 'last'));
        for (const one of actions) {
          if (one.what === 'scroll') await panel.log.evaluate((log, px) => log.scrollBy(0, px), one.px);
          else if (one.what === 'key') {
            await panel.page.locator('article[tabindex="0"]').focus();
            await panel.page.keyboard.press(one.key);
          } else if (one.what === 'delta') {
            for (const page of both) await page.events(say('more '.repeat(one.words), 'last'));
          } else if (one.what === 'width') {
            for (const { page } of both) await page.setViewportSize({ width: one.px, height: 600 });
          } else {
            const folds = await panel.page.locator('article details').count();
            // Seen from the end, both have the same ones.
            for (const { page } of both) {
              await page
                .locator('article summary')
                .nth(-1 - (one.fromEnd % folds))
                .evaluate(click);
            }
          }
        }
        for (const one of both) await one.events(end('last'));
        const all = await readMessages(whole);
        const held = await readMessages(panel);
        assert.deepEqual(positions(all), upTo(all.length));
        assert.ok(held.length >= 20);
        assert.deepEqual(held, all.slice(-held.length));
        for (const one of both) await close(one);
      }),
      { numRuns: times(3, 30) },
    );
  });
});

/** Runs in the page. */
function click(element: Element): void {
  (element as HTMLElement).click();
}
