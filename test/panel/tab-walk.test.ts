import assert from 'node:assert/strict';
import { show, states } from './gallery.ts';
import { openPanel } from './panel-page.ts';

const controls = 'button, summary, a[href], [role="link"], input, textarea, select';

describe('a walk with Tab', () => {
  for (const [state, messages] of Object.entries(states)) {
    it(`ux 2.18 reaches every control in the state ${state}`, async () => {
      const panel = await openPanel({ height: 900 });
      await show(panel, state, messages);
      const count = await panel.page.evaluate((selector) => {
        const missed = new Set(
          [...document.querySelectorAll(selector)].filter(
            (element) => element.checkVisibility() && !element.closest('[inert]'),
          ),
        );
        Object.assign(globalThis, { missed });
        document.addEventListener('focusin', (event) => missed.delete(event.target as Element));
        // The walk begins where the page does.
        document.body.tabIndex = -1;
        document.body.focus();
        return missed.size;
      }, controls);
      const missed = () =>
        panel.page.evaluate(() =>
          [...(globalThis as unknown as { missed: Set<Element> }).missed]
            .filter((element) => element.isConnected)
            .map((element) => element.getAttribute('aria-label') ?? element.textContent),
        );
      assert.ok(count > 0);
      // Boxes that scroll and one message are stops too. The page ends somewhere, and Tab begins at its start again.
      for (let step = 0; step < 2 * count + 20 && (await missed()).length > 0; step++) {
        await panel.page.keyboard.press('Tab');
      }
      assert.deepEqual(await missed(), []);
      assert.deepEqual(panel.problems(), []);
      await panel.close();
    });
  }
});
