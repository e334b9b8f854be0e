import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Concessions, type DegradeInput, findDegradation } from '../../../src/service/step/degrade.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../../src/shared/failure/kinds.ts';
import { failureKinds } from '../../../src/shared/failure/kinds.ts';

const off = { works: false, at: '2026-11-20T10:00:00Z', evidence: 'refused' };

function input(kind: FailureKind, facts: Failure['facts'] = {}, change: Partial<DegradeInput> = {}): DegradeInput {
  const concessions: Concessions = { strength: 'normal' };
  return {
    failure: { kind, message: kind, at: off.at, facts },
    request: { model: 'm', messages: [], surface: 'chat' },
    stream: true,
    concessions,
    learned: createLearned(undefined, () => undefined),
    ...change,
  };
}

describe('findDegradation', () => {
  it('T04 only refusals of something that can be left out lead to a resend', () => {
    const kinds = failureKinds.filter((kind) => findDegradation(input(kind)) !== undefined);
    assert.deepEqual(kinds, ['history-refused', 'parameter-refused']);
  });

  it('S4 what was not sent cannot be left out', () => {
    assert.equal(findDegradation(input('tools-refused')), undefined);
    assert.equal(findDegradation(input('parameter-refused', { parameter: 'temperature' })), undefined);
    assert.equal(findDegradation(input('parameter-refused', { parameter: 'stream' }, { stream: false })), undefined);
    assert.equal(findDegradation(input('parameter-refused', { parameter: '__proto__' })), undefined);
    assert.equal(findDegradation(input('parameter-refused', { parameter: 'toString' })), undefined);
  });

  it('W67 stream_options that are left out already are not the reason', () => {
    const learned = createLearned(undefined, () => undefined);
    learned.learn('m', { streamOptions: off });
    assert.equal(findDegradation(input('parameter-refused', {}, { learned })), undefined);
  });

  it('C-56 a history that was cleaned harder already cannot be cleaned more', () => {
    assert.equal(findDegradation(input('history-refused', {}, { concessions: { strength: 'strong' } })), undefined);
  });

  it('H05 a policy for reasoning that is as wanted already leads to the harder cleaning', () => {
    const learned = createLearned(undefined, () => undefined);
    learned.learn('m', { reasoningEcho: 'required' });
    assert.equal(findDegradation(input('history-refused', { reasoning: 'required' }, { learned }))?.key, 'history');
    assert.equal(findDegradation(input('history-refused', { reasoning: 'refused' }, { learned }))?.key, 'reasoning');
  });

  it('finding a degradation changes nothing before it is applied', () => {
    const given = input('history-refused');
    const degradation = findDegradation(given);
    assert.equal(given.concessions.strength, 'normal');
    degradation?.apply();
    assert.equal(given.concessions.strength, 'strong');
  });
});
