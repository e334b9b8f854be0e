import type { Locator, Page } from 'playwright-core';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** VS Code's one widget for the palette, pick lists and input boxes. */
export interface QuickInput {
  /** Opens it with a shortcut and types; tries again while the workbench does not listen yet. */
  open(shortcut: string, text: string): Promise<void>;
  /** Replaces what is typed. */
  type(text: string): Promise<void>;
  /**
   * Waits for an entry with exactly this label (or, else, one that starts with it), and for a list that no longer changes,
   * and takes it.
   */
  pick(label: string, options?: WaitOptions): Promise<void>;
  /** Closes it without an answer. */
  cancel(): Promise<void>;
  /** Waits until an entry of exactly this label, or else one that starts with it, is in a list that no longer changes. */
  settled(label: string, options?: WaitOptions): Promise<void>;
  /** The same for a list that is open: false as soon as it has closed, which it does when something else takes the focus. */
  settledWhileOpen(label: string, options?: WaitOptions): Promise<boolean>;
  /** Fills in an input box and accepts it with Enter; waits until that box is gone or asks something else. */
  answer(text: string): Promise<void>;
  /** Labels of the entries now in view. */
  labels(): Promise<string[]>;
  /** The text input itself, for its type, value and messages. */
  input: Locator;
  /** The whole widget. */
  widget: Locator;
}

/** A list that has not changed for so long is taken for complete. */
const settledMs = 100;

/** Drives the quick input of one window. */
export function createQuickInput(page: Page): QuickInput {
  const widget = page.locator('.quick-input-widget:visible:not([inert])');
  const input = widget.locator('.quick-input-box input');
  const rows = widget.locator('.quick-input-list .monaco-list-row');
  const progress = widget.locator('.monaco-progress-container.active');
  // An entry's second line is another `.label-name`.
  const labelOf = (row: Locator) => row.locator('.quick-input-list-row:first-child .label-name');
  const labels = async () => {
    const found = await labelOf(rows).allTextContents();
    return found.map(normalise);
  };
  const indexOf = (texts: readonly string[], label: string) => {
    const wanted = normalise(label);
    const exact = texts.indexOf(wanted);
    return exact >= 0 ? exact : texts.findIndex((text) => text.startsWith(wanted));
  };
  /** The number of the entry's row. A list that is still filling moves it between the look and the click. */
  const settledIndex = (label: string, options?: WaitOptions) =>
    waitFor(`an entry "${label}"`, settledProbe(label), options);
  const settledProbe = (label: string) => {
    let last: { texts: string; at: number } | undefined;
    return async () => {
      const found = await labels();
      const texts = found.join('\n');
      if (last?.texts !== texts) last = { texts, at: Date.now() };
      const index = indexOf(found, label);
      const unchangedMs = Date.now() - last.at;
      if (index < 0 || unchangedMs < settledMs) return false;
      // Some lists go on looking for more for as long as they are open.
      return (unchangedMs > 20 * settledMs || (await progress.count()) === 0) && { index };
    };
  };
  /** What tells one box from the next: its title and its hint. What it says of the text changes with the text. */
  const identity = async () => {
    const title = await widget.locator('.quick-input-title').textContent({ timeout: 3000 });
    return `${title}\n${await input.getAttribute('placeholder', { timeout: 3000 })}`;
  };
  return {
    widget,
    input,
    labels,
    open: async (shortcut, text) => {
      // What loses its focus to something else opens at the next try. Only a busy machine needs long for one.
      let timeout = 400;
      await waitFor(`the quick input on ${shortcut}`, async () => {
        timeout = Math.min(2 * timeout, 3000);
        if (!(await widget.isVisible())) {
          await page.keyboard.press(shortcut);
          await widget.waitFor({ timeout });
        }
        // One that is on its way out takes no text.
        await input.fill(text, { timeout });
        return (await input.inputValue({ timeout })) === text;
      });
    },
    type: (text) => input.fill(text),
    settled: async (label, options) => {
      await settledIndex(label, options);
    },
    settledWhileOpen: async (label, options) => {
      const settled = settledProbe(label);
      const found = await waitFor(
        `an entry "${label}"`,
        async () => ((await widget.isVisible()) ? (await settled()) && 'settled' : 'closed'),
        options,
      );
      return found === 'settled';
    },
    pick: async (label, options) => {
      const { index } = await settledIndex(label, options);
      try {
        await labelOf(rows.nth(index)).click({ timeout: 15_000 });
      } catch (error) {
        // A click may have worked although nobody was told in time.
        if (indexOf(await labels(), label) >= 0) throw error;
      }
    },
    cancel: async () => {
      await waitFor('the quick input to close', async () => {
        if (!(await widget.isVisible())) return true;
        // On the input itself: what opened a moment ago may still be taking the focus.
        await input.press('Escape', { timeout: 3000 });
        await widget.waitFor({ state: 'hidden', timeout: 3000 });
        return true;
      });
    },
    answer: async (text) => {
      await input.waitFor();
      await input.fill(text);
      const before = await identity();
      // On the box itself: something that opened a moment ago may still be taking the focus.
      await input.press('Enter');
      let pressedAt = Date.now();
      await waitFor('the input box to be accepted', async () => {
        if (!(await widget.isVisible())) return true;
        if ((await identity()) !== before) return true;
        if ((await input.inputValue({ timeout: 3000 })) !== text) return true;
        // Enter does nothing while the box still checks what was typed. Not often: the next box would take it.
        if (Date.now() - pressedAt < 3000) return false;
        pressedAt = Date.now();
        await input.press('Enter', { timeout: 3000 });
        return false;
      });
    },
  };
}

/** Labels break at spaces that do not break a line. */
function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
