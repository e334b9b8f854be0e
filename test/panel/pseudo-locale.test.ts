import assert from 'node:assert/strict';
import type { HostMessage } from '../../src/shared/panel/protocol.ts';
import type { SpendHostMessage } from '../../src/shared/panel/spend-report.ts';
import { someOf } from '../support/effort.ts';
import { clippedParts } from './clipping.ts';
import { completions, show, states } from './gallery.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';
import { spendReport } from './spend-fixtures.ts';

/** The narrowest that a side bar can be. */
const look: PanelOptions = { width: 220, height: 900 };

/** Names of days and months, and how long ago something was, which `Intl` writes. */
const calendar = new Set(
  [
    ...Array.from({ length: 366 }, (_, day) => Date.UTC(2026, 0, 1 + day)).flatMap((at) =>
      ['long', 'short'].map((style) =>
        new Intl.DateTimeFormat('en', { weekday: style as 'long', month: style as 'long', timeZone: 'UTC' }).format(at),
      ),
    ),
    ...(['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const).flatMap((unit) =>
      [0, -1, -2].map((count) =>
        new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }).format(count, unit),
      ),
    ),
  ].flatMap((text) => text.split(/[^a-z]+/i)),
);

/** As they stand on the keys. */
const keys = new Set(['Ctrl', 'Alt', 'Shift', 'Enter', 'Backspace', 'Esc']);

/** What a person reads or hears that is neither in brackets, so ours and translated, nor in `data`, which nobody translates. */
async function untranslated(panel: PanelPage, data: unknown): Promise<string[]> {
  const texts = await panel.page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
          found.push(node.getAttribute(name) ?? '');
        }
      } else if (!node.parentElement?.closest('script, style')) found.push(node.textContent ?? '');
    }
    return found;
  });
  const given = JSON.stringify(data);
  const words = texts.flatMap((text) => withoutBrackets(text).match(/[a-z]{3,}/gi) ?? []);
  return [...new Set(words)].filter((word) => !given.includes(word) && !calendar.has(word) && !keys.has(word));
}

/** What stands in brackets may hold data and other texts of ours in brackets. */
function withoutBrackets(text: string): string {
  const outer = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return outer === text ? text : withoutBrackets(outer);
}

describe('the pseudo-locale at 220 px', () => {
  const check = async (name: string, messages: readonly (HostMessage | SpendHostMessage)[], piece?: 'spend') => {
    const panel = await openPanel({ ...look, piece, pseudo: true });
    await show(panel, name, messages);
    const clipped = await clippedParts(panel.page);
    const plain = await untranslated(panel, [messages, completions]);
    const problems = panel.problems();
    await panel.close();
    assert.deepEqual({ clipped, plain, problems }, { clipped: [], plain: [], problems: [] });
  };
  for (const [name, messages] of someOf(Object.entries(states), 4)) {
    it(`ux 2.18: clips nothing and leaves no text of ours untranslated in the state ${name}`, () =>
      check(name, messages));
  }
  it('ux 2.18: clips nothing and leaves no text of ours untranslated in the spend report', () =>
    check('spend', [spendReport()], 'spend'));
});
