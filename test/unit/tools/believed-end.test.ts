import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { believedEnd } from '../../../src/tools/command/believed-end.ts';
import { createFakeClock, settle } from '../service/fake-clock.ts';

describe('the end of a command in a terminal', () => {
  const begin = (stop = new AbortController()) => {
    const clock = createFakeClock();
    const state = { left: true, ended: false, code: undefined as number | undefined };
    void believedEnd(0, { hasChildren: async () => state.left, clock, signal: stop.signal }).then((code) => {
      state.ended = true;
      state.code = code;
    });
    return { clock, state, stop };
  };

  it('X43 the code that was told counts when nothing is left below the shell, also after what a slow prompt starts', async () => {
    for (const promptMs of [0, 300, 900]) {
      const { clock, state } = begin();
      if (promptMs === 0) state.left = false;
      await clock.advance(promptMs);
      state.left = false;
      await clock.advance(200);
      assert.deepEqual(state, { left: false, ended: true, code: 0 }, `${promptMs}`);
    }
  });

  it('X43 a program that says its end and goes on is waited for, and its word is not taken', async () => {
    const { clock, state } = begin();
    await clock.advance(60_000);
    assert.equal(state.ended, false);
    state.left = false;
    await clock.advance(200);
    assert.deepEqual(state, { left: false, ended: true, code: undefined });
  });

  it('X43 Stop and the time limit end the waiting', async () => {
    const { clock, state, stop } = begin();
    await clock.advance(5000);
    stop.abort();
    await settle();
    await clock.advance(0);
    assert.deepEqual([state.ended, clock.timers()], [true, 0]);
  });
});
