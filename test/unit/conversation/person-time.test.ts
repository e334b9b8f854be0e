import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createPersonTime } from '../../../src/conversation/turns/person-time.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const happens = (type: ChatEvent['type']) => ({ type }) as ChatEvent;

describe('the time of a person in a turn', () => {
  it('ux 2.20 is what approvals, questions and prices waited, two at once counted once, and what still waits at the end', () => {
    const clock = createManualClock();
    const time = createPersonTime(clock);
    const after = (ms: number, type: ChatEvent['type']) => {
      clock.pass(ms);
      time.follow(happens(type));
    };
    after(100, 'stepFinished');
    after(100, 'approvalRequested');
    after(1000, 'questionAsked');
    after(1000, 'approvalAnswered');
    after(1000, 'questionAnswered');
    assert.equal(time.ms(), 3000);
    after(100, 'toolFinished');
    // Answered when it was stopped already.
    after(100, 'approvalAnswered');
    after(100, 'costAsked');
    after(5000, 'stopping');
    assert.equal(time.ms(), 8000);
  });
});
