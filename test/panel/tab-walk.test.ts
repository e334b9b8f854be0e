import assert from 'node:assert/strict';
import { someOf } from '../support/effort.ts';
import { show, states } from './gallery.ts';
import { openPanel } from './panel-page.ts';

const controls = 'button, summary, a[href], [role="link"], input, textarea, select';

interface Walk {
  /** `stops`: how often each element had the focus. */
  walk: { missed: Set<Element>; stops: Map<EventTarget | null, number> };
}

describe('a walk with Tab', () => {
  for (const [state, messages] of someOf(Object.entries(states), 4)) {
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
      const progress = () =>
        panel.page.evaluate(() => {
          const { missed, stops } = (globalThis as unknown as Walk).walk;
          return {
            missed: [...missed]
              .filter((element) => element.isConnected)
              .map((element) => element.getAttribute('aria-label') ?? element.textContent),
            rounds: Math.max(0, ...stops.values()),
          };
        });
      assert.ok(count > 0);
      let { missed, rounds } = await progress();
      // What the panel does late may take the focus elsewhere once: the walk is over when it has come round twice since.
      for (let steps = 0; missed.length > 0 && rounds < 4 && steps < 10 * count + 100; ) {
        // Each press reaches one of them at most: so many are needed at least.
        for (const _ of missed) await panel.page.keyboard.press('Tab');
        steps += missed.length;
        ({ missed, rounds } = await progress());
      }
      assert.deepEqual(missed, []);
      assert.deepEqual(panel.problems(), []);
      await panel.close();
    });
  }
});
