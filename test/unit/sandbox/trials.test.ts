import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BubblewrapPrograms } from '../../../src/sandbox/bubblewrap.ts';
import { createTrials, type Trial } from '../../../src/sandbox/trial.ts';

const works: BubblewrapPrograms = {
  bwrap: '/usr/bin/bwrap',
  bash: '/bin/bash',
  canDisableNamespaces: true,
  canCloseMachine: true,
};
const owner = { uid: 1000, gid: 1000 };

describe('F31 how often the sandbox is tried', () => {
  const open = (...results: Trial[]) => {
    let tried = 0;
    const trials = createTrials(async () => {
      tried++;
      return results.shift() ?? { found: works, isUnsure: false };
    });
    return { trials, tried: () => tried };
  };

  it('once, when it says something for certain', async () => {
    for (const sure of [
      { found: works, isUnsure: false } as const,
      { found: 'namespaces', isUnsure: false } as const,
    ]) {
      const { trials, tried } = open(sure);
      for (let asked = 0; asked < 5; asked++) assert.deepEqual(await trials.found(undefined), sure.found);
      assert.equal(tried(), 1);
    }
  });

  it('again after one that ran out of time, until one holds', async () => {
    const { trials, tried } = open({ found: 'broken', isUnsure: true });
    assert.equal(await trials.found(undefined), 'broken');
    for (let asked = 0; asked < 5; asked++) assert.deepEqual(await trials.found(undefined), works);
    assert.equal(tried(), 2);
  });

  it('three times at most', async () => {
    const unsure: Trial = { found: 'broken', isUnsure: true };
    const { trials, tried } = open(unsure, unsure, unsure);
    for (let asked = 0; asked < 8; asked++) assert.equal(await trials.found(undefined), 'broken');
    assert.equal(tried(), 3);
  });

  it('once for all that ask at the same moment, and once for each owner', async () => {
    const { trials, tried } = open({ found: 'broken', isUnsure: true });
    await Promise.all(Array.from({ length: 4 }, () => trials.found(undefined)));
    assert.equal(tried(), 1);
    assert.deepEqual(await Promise.all(Array.from({ length: 4 }, () => trials.found(undefined))), Array(4).fill(works));
    assert.equal(tried(), 2);
    assert.deepEqual(await trials.found(owner), works);
    assert.equal(tried(), 3);
  });
});
