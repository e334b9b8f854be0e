import assert from 'node:assert/strict';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { actionLabel, failureActions } from '../../../src/shared/failure/failure-action.ts';
import { describeFailure, otherModel } from '../../../src/shared/failure/failure-text.ts';
import { failureKinds } from '../../../src/shared/failure/kinds.ts';

const nameOf = (id: string) => ({ 'svc/kimi-k3': 'Kimi K3', 'svc/glm-5.3': 'GLM 5.3' })[id] ?? id;
const describeKind = (change: Partial<Failure> & Pick<Failure, 'kind'>) =>
  describeFailure({ message: 'm', at: '2026-11-20T10:00:00Z', model: 'svc/kimi-k3', ...change }, nameOf);

describe('failure text', () => {
  for (const kind of failureKinds) {
    it(`has a sentence, something to do and Copy Report for ${kind}`, () => {
      const { title, detail, actions } = describeKind({ kind });
      assert.ok(title.length > 5 && !/[.:]$/.test(title), title);
      assert.match(detail, /[.)?]$/);
      assert.ok(actions.length >= 2);
      assert.equal(actions.at(-1)?.label, 'Copy Report');
      assert.equal(new Set(actions.map(({ action }) => action)).size, actions.length);
      assert.doesNotMatch(title + detail, /\{\d\}|undefined|null/);
    });
  }

  it('S6 says that the key was not accepted and offers no retry', () => {
    const { title, actions, money } = describeKind({ kind: 'key-rejected', status: 401 });
    assert.equal(title, 'The API key was not accepted');
    assert.deepEqual(
      actions.map(({ label }) => label),
      ['Enter New Key', 'Open Dashboard', 'Copy Report'],
    );
    assert.equal(money, 'not-charged');
  });

  it('X62 S9 says what a model without progress repeated and cost, and offers another one', () => {
    const facts = { steps: 7, repeated: 'read_file src/a.ts', microUsd: 12_300 };
    const failed = {
      kind: 'no-progress',
      message: 'm',
      at: '2026-11-20T10:00:00Z',
      model: 'svc/kimi-k3',
      facts,
    } as const;
    const { detail, actions, money } = describeFailure(failed, nameOf, { otherModel: 'svc/glm-5.3' });
    assert.match(detail, /^Kimi K3 brought nothing new in 7 steps.*read_file src\/a\.ts.*\$0\.0123/);
    assert.deepEqual([actions[0]?.label, money], ['Try GLM 5.3', 'charged']);
  });

  it('S1 shows the address that nothing was found at', () => {
    const facts = { address: 'https://service.example/v2' };
    assert.match(
      describeKind({ kind: 'wrong-address', facts }).detail,
      /Nothing was found at https:\/\/service\.example\/v2\. /,
    );
    assert.match(describeKind({ kind: 'wrong-address' }).detail, /^Nothing was found there\. /);
  });

  it('H17 offers to compact a conversation that is too long', () => {
    assert.equal(describeKind({ kind: 'context-length' }).actions[0]?.label, 'Compact');
  });

  it('S8 offers no retry for 401, 404 and 405', () => {
    for (const kind of ['key-rejected', 'wrong-address', 'wrong-method'] as const) {
      assert.ok(describeKind({ kind }).actions.every(({ action }) => action !== 'retry'));
    }
  });

  it('S9 names the model that was at capacity', () => {
    assert.equal(describeKind({ kind: 'capacity-model', namedModel: 'svc/glm-5.3' }).title, 'GLM 5.3 is at capacity');
  });

  it('S26 says that a status is not documented', () => {
    for (const kind of ['rate-limited', 'server-error', 'bad-request', 'forbidden'] as const) {
      assert.match(describeKind({ kind, status: 429 }).title, /answered 429, which it doesn't document/);
    }
  });

  it('S3 the text of an unknown model offers the nearest id', () => {
    const { detail } = describeKind({
      kind: 'unknown-model-id',
      model: 'kimi-k3',
      facts: { nearestModel: 'svc/kimi-k3' },
    });
    assert.match(detail, /Did you mean Kimi K3 \(svc\/kimi-k3\)\?/);
  });

  it('U4 the text of a spend limit names it and its amount', () => {
    const facts = { limit: 'daily', limitMicroUsd: 1_000_000, spentMicroUsd: 999_000, estimateMicroUsd: 4000 };
    assert.equal(describeKind({ kind: 'over-budget', facts }).title, 'You reached your daily limit of $1.00');
    const asked = describeKind({ kind: 'over-budget', facts: { ...facts, limit: 'confirm' } });
    assert.equal(asked.title, 'This request might cost ≈ $0.0040');
    assert.equal(asked.actions[0]?.action, 'continue');
  });

  it('S9 ux 2.11 names the model that would be tried, and ux 2.14 what sending again costs', () => {
    const failed = { kind: 'capacity-model' as const, message: 'm', at: '', model: 'svc/kimi-k3' };
    const offers = { otherModel: otherModel(['svc/kimi-k3', 'svc/glm-5.3'], failed), estimate: '≈ $0.0060' };
    const { actions } = describeFailure(failed, nameOf, offers);
    assert.deepEqual(
      actions.map(({ label }) => label),
      ['Try GLM 5.3', 'Retry ≈ $0.0060', 'Change Fallback Order', 'Copy Report'],
    );
    assert.equal(otherModel(['svc/kimi-k3'], failed), undefined);
  });

  it('U7 S9 never offers a model that has just refused, and says which ones could not go on with a cut reply', () => {
    const facts = { asked: 'svc/kimi-k3 svc/glm-5.3' };
    const failed = { kind: 'capacity-model', message: 'm', at: '', model: 'svc/kimi-k3', facts } as const;
    const order = ['svc/glm-5.3', 'svc/kimi-k3', 'svc/qwen-3.8-27b', 'svc/other'];
    assert.equal(otherModel(order, failed), 'svc/qwen-3.8-27b');
    const busy = { kind: 'capacity-model', message: '', at: '' } as const;
    assert.equal(otherModel(order, failed, [{ from: 'svc/qwen-3.8-27b', failure: busy }]), 'svc/other');
    const broken = { ...busy, kind: 'server-error' } as const;
    assert.equal(otherModel(order, failed, [{ from: 'svc/qwen-3.8-27b', failure: broken }]), 'svc/qwen-3.8-27b');
    assert.equal(otherModel(order.slice(0, 2), failed), undefined);
    const labels = describeFailure(failed, nameOf, { otherModel: 'none' }).actions.map(({ label }) => label);
    assert.ok(labels.every((label) => !label.startsWith('Try')));
    assert.equal(describeFailure(failed, nameOf).title, 'All 2 models are at capacity');
    const titleOf = (models: string) => describeKind({ kind: 'cut-off', facts: { busy: models } }).title;
    assert.equal(titleOf('svc/glm-5.3'), 'The answer was cut off, and GLM 5.3 is at capacity');
    assert.equal(titleOf('svc/glm-5.3 svc/kimi-k3'), 'The answer was cut off, and 2 other models are at capacity');
  });

  it('U4 a limit that was reached within a turn says what was sent before', () => {
    const detail = (facts: Record<string, number>) => describeKind({ kind: 'over-budget', facts }).detail;
    assert.match(detail({}), /^Nothing was sent/);
    assert.match(detail({ sentBefore: 1 }), /^One request was sent/);
    assert.match(detail({ sentBefore: 6 }), /^6 requests were sent/);
  });

  it('N14 the text of a network failure says what stood in the way', () => {
    const details = ['dns', 'refused', 'reset', 'no-route', 'connect-timeout', 'proxy', 'unknown'].map(
      (cause) => describeKind({ kind: 'unreachable', facts: { cause } }).detail,
    );
    assert.equal(new Set(details).size, details.length);
  });

  it('S10 is careful about money when a reply broke off', () => {
    assert.equal(describeKind({ kind: 'cut-off' }).money, 'maybe');
    assert.equal(describeKind({ kind: 'empty-reply' }).money, 'not-charged');
    assert.equal(describeKind({ kind: 'no-key' }).money, 'none');
  });

  it('every action of a failure has a label', () => {
    assert.ok(failureActions.every((action) => actionLabel(action).length >= 3));
  });
});
