import assert from 'node:assert/strict';
import { type StatusInput, statusBarState } from '../../../src/spend/status-bar-state.ts';

const ready: StatusInput = {
  content: 'modelAndSpend',
  hasKey: true,
  keyRejected: false,
  busy: false,
  approvals: 0,
  questions: 0,
  unreachable: false,
  locale: 'en',
  modelName: 'Kimi K3',
  modelId: 'svc/kimi-k3',
  today: { microUsd: 420_000, estimated: false, requests: 7 },
};

describe('status bar', () => {
  it('F46 says that an answer is done until somebody saw it, with its price, and leads there', () => {
    const done = { conversationId: 'c', cost: { microUsd: 8400, estimated: false } };
    const picture = statusBarState({ ...ready, done });
    assert.equal(picture.text, '$(check) svc: Done · $0.0084');
    assert.deepEqual([picture.command, picture.args], ['svc.openConversation', ['c']]);
    assert.equal(statusBarState({ ...ready, done, approvals: 1 }).text, '$(bell) svc: 1 approval');
    assert.equal(statusBarState({ ...ready, done, busy: true }).text, '$(loading~spin) Kimi K3 · $0.42');
  });

  it('shows the model and what was spent today', () => {
    const picture = statusBarState(ready);
    assert.equal(picture.text, 'Kimi K3 · $0.42');
    assert.equal(picture.command, 'svc.showMenu');
    assert.match(picture.tooltip, /svc\/kimi-k3/);
  });

  it('the status bar marks an estimated sum', () => {
    assert.equal(statusBarState({ ...ready, today: { ...ready.today, estimated: true } }).text, 'Kimi K3 · ≈ $0.42');
  });

  it('leads to the key when there is none, whatever else is true', () => {
    const picture = statusBarState({ ...ready, hasKey: false, keyRejected: true, busy: true });
    assert.equal(picture.text, '$(key) svc: Set Key');
    assert.equal(picture.command, 'svc.setApiKey');
  });

  it('asks for attention while calls wait for consent', () => {
    const picture = statusBarState({ ...ready, busy: true, approvals: 2 });
    assert.equal(picture.text, '$(bell) svc: 2 approvals');
    assert.equal(picture.background, 'warning');
    assert.equal(picture.command, 'svc.focusApproval');
  });

  it('F18 asks for attention while the model waits for an answer, after what waits for consent', () => {
    const picture = statusBarState({ ...ready, busy: true, questions: 1 });
    assert.equal(picture.text, '$(bell) svc: 1 question');
    assert.equal(picture.background, 'warning');
    assert.equal(picture.command, 'svc.focusApproval');
    assert.equal(statusBarState({ ...ready, approvals: 1, questions: 1 }).text, '$(bell) svc: 1 approval');
  });

  it('turns red when the key was rejected', () => {
    const picture = statusBarState({ ...ready, keyRejected: true });
    assert.equal(picture.background, 'error');
    assert.equal(picture.command, 'svc.setApiKey');
  });

  it('the status bar spins only while something runs', () => {
    assert.match(statusBarState({ ...ready, busy: true }).text, /^\$\(loading~spin\)/);
    assert.doesNotMatch(statusBarState(ready).text, /spin/);
  });

  it('warns from 80 % of the daily limit and turns red at it', () => {
    assert.equal(statusBarState({ ...ready, dailyLimitUsd: 0.5 }).background, 'warning');
    assert.equal(statusBarState({ ...ready, dailyLimitUsd: 0.42 }).background, 'error');
    assert.equal(statusBarState({ ...ready, dailyLimitUsd: 10 }).background, undefined);
  });

  it('U4 warns of the limit of a conversation too, and names it', () => {
    const near = statusBarState({ ...ready, conversation: { microUsd: 80_000, limitUsd: 0.1 } });
    assert.deepEqual([near.background, /near the limit of this conversation/.test(near.label)], ['warning', true]);
    const reached = statusBarState({
      ...ready,
      dailyLimitUsd: 0.5,
      conversation: { microUsd: 100_000, limitUsd: 0.1 },
    });
    assert.deepEqual([reached.background, /limit of this conversation reached/.test(reached.label)], ['error', true]);
    const day = statusBarState({ ...ready, dailyLimitUsd: 0.42, conversation: { microUsd: 80_000, limitUsd: 0.1 } });
    assert.match(day.label, /daily limit reached/);
  });

  it('ux 2.16 tells today, 7 and 30 days in the tooltip', () => {
    const recent = { week: { microUsd: 1_500_000, estimated: false }, month: { microUsd: 6_000_000, estimated: true } };
    assert.match(
      statusBarState({ ...ready, recent }).tooltip,
      /Today: \$0\.42[\s\S]*7 days: \$1\.50 · 30 days: ≈ \$6\.00/,
    );
  });

  it('hides when the user asked for that', () => {
    assert.equal(statusBarState({ ...ready, content: 'hidden' }).visible, false);
    assert.equal(statusBarState({ ...ready, content: 'model' }).text, 'Kimi K3');
  });

  it('has words instead of glyphs for screen readers', () => {
    for (const input of [
      ready,
      { ...ready, hasKey: false },
      { ...ready, busy: true },
      { ...ready, unreachable: true },
    ]) {
      assert.doesNotMatch(statusBarState(input).label, /\$\(/);
    }
  });
});
