import type { Locator, Page } from 'playwright-core';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** VS Code's one widget for the palette, pick lists and input boxes. */
export interface QuickInput {
  /** Opens it with a shortcut and types; tries again while the workbench does not listen yet. */
  open(shortcut: string, text: string): Promise<void>;
  /** Replaces what is typed. */
  type(text: string): Promise<void>;
  /** Waits for an entry with exactly this label (or, else, one that starts with it) and takes it. */
  pick(label: string, options?: WaitOptions): Promise<void>;
  /** Closes it without an answer. */
  cancel(): Promise<void>;
  /** Fills in an input box and accepts it with Enter; waits until that box is gone or asks something else. */
  answer(text: string): Promise<void>;
  /** Labels of the entries now in view. */
  labels(): Promise<string[]>;
  /** The text input itself, for its type, value and messages. */
  input: Locator;
  /** The whole widget. */
  widget: Locator;
}

/** Drives the quick input of one window. */
export function createQuickInput(page: Page): QuickInput {
  const widget = page.locator('.quick-input-widget:visible:not([inert])');
  const input = widget.locator('.quick-input-box input');
  const rows = widget.locator('.quick-input-list .monaco-list-row');
  // An entry's second line is another `.label-name`.
  const labelOf = (row: Locator) => row.locator('.quick-input-list-row:first-child .label-name');
  const labels = async () => {
    const found = await labelOf(rows).allTextContents();
    return found.map(normalise);
  };
  return {
    widget,
    input,
    labels,
    open: async (shortcut, text) => {
      await waitFor(`the quick input on ${shortcut}`, async () => {
        if (!(await widget.isVisible())) {
          await page.keyboard.press(shortcut);
          await widget.waitFor({ timeout: 2000 });
        }
        // One that is on its way out takes no text.
        await input.fill(text, { timeout: 1000 });
        return true;
      });
    },
    type: (text) => input.fill(text),
    pick: async (label, options) => {
      const wanted = normalise(label);
      await waitFor(
        `an entry "${label}"`,
        async () => {
          const texts = await labels();
          const exact = texts.indexOf(wanted);
          const index = exact >= 0 ? exact : texts.findIndex((text) => text.startsWith(wanted));
          if (index < 0) return false;
          await labelOf(rows.nth(index)).click({ timeout: 1000 });
          return true;
        },
        options,
      );
    },
    cancel: async () => {
      await page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden' });
    },
    answer: async (text) => {
      await input.waitFor();
      await input.fill(text);
      const title = await widget.textContent();
      // On the box itself: something that opened a moment ago may still be taking the focus.
      await input.press('Enter');
      await waitFor('the input box to be accepted', async () => {
        if (!(await widget.isVisible())) return true;
        if ((await widget.textContent({ timeout: 500 })) !== title) return true;
        // Enter does nothing while the box still checks what was typed.
        if ((await input.inputValue({ timeout: 500 })) === text) await input.press('Enter', { timeout: 500 });
        return false;
      });
    },
  };
}

/** Labels break at spaces that do not break a line. */
function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
