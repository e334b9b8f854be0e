import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type LeakState,
  leakReport,
  leakSteps,
  nextLeakStep,
  readLeakState,
  withStepDone,
} from '../../../src/service/check/leak-steps.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const begun: LeakState = { keyStart: 'sk-svc-abcd…', done: [] };
const versions = { extensionVersion: '0.1.0', vscodeVersion: '1.139.0', platform: 'linux x64' };

describe('after a key leaked', () => {
  it('S19 goes through new key, switch, review and support, in this order, and can be left in between', () => {
    let state = begun;
    for (const step of leakSteps) {
      assert.equal(nextLeakStep(state), step);
      state = withStepDone(state, step, noon);
      assert.deepEqual(readLeakState(JSON.parse(JSON.stringify(state))), state);
    }
    assert.equal(nextLeakStep(state), undefined);
    assert.deepEqual(state.done, ['create', 'switch', 'review', 'notify']);
  });

  it('S19 a step that was done out of order is not asked for again', () => {
    const state = withStepDone(begun, 'review', noon);
    assert.equal(nextLeakStep(state), 'create');
    assert.equal(nextLeakStep(withStepDone(withStepDone(state, 'create', noon), 'switch', noon)), 'notify');
  });

  it('S19 begins anew from a state that cannot be read', () => {
    for (const stored of [undefined, 'x', { done: ['other'] }, { keyStart: 'sk-svc-0123456789abcdefgh', done: [] }]) {
      assert.equal(readLeakState(stored), undefined);
    }
  });

  it('S15 S19 tells support the time with its zone and the first characters of the key', () => {
    const report = leakReport(withStepDone(begun, 'switch', noon), noon, versions);
    assert.match(report, /^Time: 2026-11-20T\d\d:\d\d:\d\d.*[+-]\d\d:\d\d$/m);
    assert.match(report, /^Key: sk-svc-abcd…$/m);
    assert.match(report, /A new key has been in use here since 2026-11-20T/);
    assert.match(leakReport(begun, noon, versions), /A new key is not in use here yet/);
  });
});
