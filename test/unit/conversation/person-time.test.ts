import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createPersonTime } from '../../../src/conversation/turns/person-time.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { InteractionKind } from '../../../src/shared/interaction.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const happens = (type: ChatEvent['type'], kind?: InteractionKind) => ({ type, kind }) as ChatEvent;

describe('the time of a person in a turn', () => {
  it('ux 2.20 is what approvals, questions and prices waited, two at once counted once, and what still waits at the end', () => {
    const clock = createManualClock();
    const time = createPersonTime(clock);
    const after = (ms: number, ...event: Parameters<typeof happens>) => {
      clock.pass(ms);
      time.follow(happens(...event));
    };
    after(100, 'stepFinished');
    after(100, 'asked', 'approval');
    after(1000, 'asked', 'question');
    after(1000, 'answered', 'approval');
    after(1000, 'answered', 'question');
    assert.equal(time.ms(), 3000);
    after(100, 'toolFinished');
    // Answered when it was stopped already.
    after(100, 'answered', 'approval');
    // Goes on by itself.
    after(100, 'asked', 'wait');
    after(1000, 'answered', 'wait');
    after(100, 'asked', 'cost');
    after(5000, 'stopping');
    assert.equal(time.ms(), 8000);
  });
});
