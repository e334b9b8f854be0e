import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';

describe('the system clock', () => {
  it('T08 ends a sleep with the reason of the abort', async () => {
    const abort = new AbortController();
    const sleep = systemClock.sleep(60_000, abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(sleep, { message: 'enough' });
    await assert.rejects(systemClock.sleep(0, abort.signal), { message: 'enough' });
  });

  it('sleeps and wakes', async () => {
    const before = systemClock.now();
    await systemClock.sleep(5, new AbortController().signal);
    assert.ok(systemClock.now() - before >= 4);
  });

  it('does not run what was called off, nor at once what is far away', async () => {
    let runs = 0;
    const run = () => {
      runs += 1;
    };
    systemClock.after(0, run)();
    const cancel = systemClock.after(2 ** 40, run);
    await systemClock.sleep(5, new AbortController().signal);
    cancel();
    assert.equal(runs, 0);
  });
});
