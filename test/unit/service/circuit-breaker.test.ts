import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCircuitBreaker } from '../../../src/service/step/circuit-breaker.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';

const failure: Failure = { kind: 'capacity-model', message: 'full', at: '2026-11-20T10:00:00.000+01:00' };
const minute = 60_000;

describe('createCircuitBreaker', () => {
  it('T11 trips at the third capacity error within five minutes and closes again after five more', () => {
    let now = 0;
    const breaker = createCircuitBreaker(() => now);
    for (const at of [0, 2 * minute]) {
      now = at;
      breaker.recordFailure('a', failure);
      assert.equal(breaker.tripped('a'), undefined);
    }
    now = 4 * minute;
    breaker.recordFailure('a', failure);
    assert.equal(breaker.tripped('a'), failure);
    assert.equal(breaker.tripped('b'), undefined);
    now = 9 * minute - 1;
    assert.equal(breaker.tripped('a'), failure);
    now = 9 * minute;
    assert.equal(breaker.tripped('a'), undefined);
  });

  it('T11 three errors spread over more than five minutes do not trip it', () => {
    let now = 0;
    const breaker = createCircuitBreaker(() => now);
    for (const at of [0, 3 * minute, 6 * minute, 9 * minute]) {
      now = at;
      breaker.recordFailure('a', failure);
    }
    assert.equal(breaker.tripped('a'), undefined);
  });

  it('T11 an answer of a model forgets its earlier refusals', () => {
    const breaker = createCircuitBreaker(() => 0);
    breaker.recordFailure('a', failure);
    breaker.recordFailure('a', failure);
    breaker.recordSuccess('a');
    breaker.recordFailure('a', failure);
    assert.equal(breaker.tripped('a'), undefined);
  });
});
