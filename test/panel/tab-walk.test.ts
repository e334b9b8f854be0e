import assert from 'node:assert/strict';
import { show, states } from './gallery.ts';
import { openPanel } from './panel-page.ts';

const controls = 'button, summary, a[href], [role="link"], input, textarea, select';

interface Walk {
  /** `stops`: how often each element had the focus. */
  walk: { missed: Set<Element>; stops: Map<EventTarget | null, number> };
}

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
        const walk = { missed, stops: new Map<EventTarget | null, number>() };
        Object.assign(globalThis, { walk });
        document.addEventListener('focusin', ({ target }) => {
          missed.delete(target as Element);
          walk.stops.set(target, (walk.stops.get(target) ?? 0) + 1);
        });
        // The walk begins where the page does.
        document.body.tabIndex = -1;
        document.body.focus();
        return missed.size;
      }, controls);
      const missed = () =>
        panel.page.evaluate(() =>
          [...(globalThis as unknown as Walk).walk.missed]
            .filter((element) => element.isConnected)
            .map((element) => element.getAttribute('aria-label') ?? element.textContent),
        );
      assert.ok(count > 0);
      // What the panel does late may take the focus elsewhere once: the walk is over when it has come round twice since.
      const rounds = () =>
        panel.page.evaluate(() => Math.max(0, ...(globalThis as unknown as Walk).walk.stops.values()));
      for (let step = 0; step < 10 * count + 100 && (await missed()).length > 0 && (await rounds()) < 4; step++) {
        await panel.page.keyboard.press('Tab');
      }
      assert.deepEqual(await missed(), []);
      assert.deepEqual(panel.problems(), []);
      await panel.close();
    });
  }
});
