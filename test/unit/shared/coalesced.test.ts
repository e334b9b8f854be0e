import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { coalesced } from '../../../src/base/coalesced.ts';

describe('coalesced', () => {
  it('makes one more run of all calls during one, and never two at once', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const run = coalesced(async () => gates[begun++]?.promise);
    const first = run();
    await Promise.all([run(), run()]);
    assert.equal(begun, 1);
    gates[0]?.resolve();
    await nextTurn();
    assert.equal(begun, 2);
    gates[1]?.resolve();
    await first;
    assert.equal(begun, 2);
  });

  it('tells the caller of a failure, and runs again when it is called again', async () => {
    let begun = 0;
    const run = coalesced(async () => {
      begun++;
      if (begun === 1) throw new Error('gone');
    });
    await assert.rejects(run(), /gone/);
    await run();
    assert.equal(begun, 2);
  });
});
