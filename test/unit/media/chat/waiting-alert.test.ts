import assert from 'node:assert/strict';
import { createWaitingAlert, waitingReads } from '../../../../media/chat/cards/waiting-alert.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import { approvals, question, request, subjects } from '../../../panel/agent-fixtures.ts';
import { end, fold } from '../../../panel/fixtures.ts';

const answered: ChatEvent = {
  type: 'answered',
  turnId: 'turn-1',
  id: 'c1',
  kind: 'approval',
  value: { decision: 'allow', scope: 'once' },
};

describe('createWaitingAlert', () => {
  it('says a request once, with its tool and what it is about', () => {
    const attention = createWaitingAlert();
    const events = approvals(request(subjects.command, { title: 'Run npm test' }));
    assert.equal(attention(emptyChat), undefined);
    assert.equal(attention(fold(events)), 'Approval needed: run_command. Run npm test.');
    assert.equal(attention(fold(events)), undefined);
    assert.equal(attention(fold([...events, answered])), '');
    assert.equal(attention(fold([...events, answered])), undefined);
  });

  it('falls silent when the turn ends without an answer', () => {
    const attention = createWaitingAlert();
    const events = approvals(request(subjects.command));
    attention(fold(events));
    assert.equal(attention(fold([...events, end('turn-1', { outcome: 'stopped' })])), '');
  });

  it('says a question in words alone, with what cannot be seen written out', () => {
    const [first, second, ...points] = (createWaitingAlert()(fold(question)) ?? '').split('\n');
    assert.equal(first, 'Question: Which date library should the new screen use? moment is not maintained any more:');
    assert.equal(second, '');
    assert.deepEqual(points, ['it cannot be shaken', 'its dates are mutable']);
    const hidden = approvals(request(subjects.command, { title: 'Run \u202eab' }));
    assert.equal(createWaitingAlert()(fold(hidden)), 'Approval needed: run_command. Run ␣U+202Eab.');
  });
});

describe('waitingReads', () => {
  it('X16 lets reads be allowed together, never one that may hold secrets', () => {
    const reads = ['outside', 'secret', 'ignored'] as const;
    const events = approvals(
      ...reads.map((reason, index) => request({ kind: 'read', path: reason, reason }, { callId: `c${index}` })),
      request(subjects.command, { callId: 'c9' }),
    );
    assert.equal(waitingReads(fold(events)), 'c0\nc2');
    assert.equal(waitingReads(fold([...events, end()])), '');
  });
});
