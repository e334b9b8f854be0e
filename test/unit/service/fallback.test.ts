import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatRequest } from '../../../src/service/contract.ts';
import { createCircuitBreaker } from '../../../src/service/step/circuit-breaker.ts';
import { nextModel } from '../../../src/service/step/fallback.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';

const request: ChatRequest = { model: 'a', messages: [{ role: 'user', text: 'x'.repeat(3500) }], surface: 'chat' };
const tools = [{ name: 't', description: 'd', parameters: {} }];
const no = { works: false, at: '2026-11-20', evidence: 'no' };

function ask(change: {
  order?: string[];
  enabled?: boolean;
  tried?: string[];
  modelIds?: string[];
  request?: ChatRequest;
  learn?: Parameters<ReturnType<typeof createLearned>['learn']>[];
  busy?: string[];
}): string | undefined {
  const learned = createLearned(undefined, () => undefined);
  for (const fact of change.learn ?? []) learned.learn(...fact);
  const breaker = createCircuitBreaker(() => 0);
  const failure: Failure = { kind: 'capacity-model', message: 'm', at: 'a' };
  for (const model of change.busy ?? []) for (let time = 0; time < 3; time++) breaker.recordFailure(model, failure);
  return nextModel({
    rules: { enabled: change.enabled ?? true, order: change.order ?? [] },
    modelIds: change.modelIds ?? ['a', 'b', 'c'],
    tried: new Set(change.tried ?? ['a']),
    request: change.request ?? request,
    learned,
    breaker,
  });
}

describe('nextModel', () => {
  it('S9 takes the live order when the user gave none', () => assert.equal(ask({}), 'b'));
  it('S9 the fallback takes the order of the user', () => assert.equal(ask({ order: ['c', 'b'] }), 'c'));
  it('S9 leaves out ids that are not offered', () => assert.equal(ask({ order: ['zzz', 'c'] }), 'c'));
  it('S9 trusts the order of the user when there is no list', () => {
    assert.equal(ask({ order: ['zzz'], modelIds: [] }), 'zzz');
  });
  it('S9 does nothing when it is switched off', () => assert.equal(ask({ enabled: false }), undefined));
  it('B2 the fallback asks no model twice', () => assert.equal(ask({ tried: ['a', 'b', 'c'] }), undefined));
  it('T11 the fallback leaves out models at capacity', () => assert.equal(ask({ busy: ['b'] }), 'c'));
  it('S9 never crosses a capability that the request needs', () => {
    assert.equal(ask({ request: { ...request, tools }, learn: [['b', { tools: no }]] }), 'c');
    assert.equal(ask({ learn: [['b', { tools: no }]] }), 'b');
  });
  it('S9 leaves out models whose learned limit is too small', () => {
    assert.equal(ask({ learn: [['b', { contextTokens: 500 }]] }), 'c');
    assert.equal(ask({ learn: [['b', { contextTokens: 1100 }]] }), 'b');
  });
});
