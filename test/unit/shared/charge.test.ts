import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chargeOf, chargeOfFailure } from '../../../src/shared/charge.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { describeFailure } from '../../../src/shared/failure/failure-text.ts';
import { failureKinds } from '../../../src/shared/failure/kinds.ts';
import type { Attempt, Charge } from '../../../src/shared/messages.ts';
import { toLedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { sampleAttempt } from '../spend/ledger-samples.ts';

const outcomes = ['complete', 'incomplete', 'stopped', 'failed', 'empty'] as const;
const words: Record<string, Charge> = { charged: 'yes', 'not-charged': 'no', maybe: 'maybe' };

/** As an attempt ends: the failure carries what was decided. */
function endedWith(outcome: Attempt['outcome'], found: Failure): Attempt {
  const charge = chargeOf({ outcome, failure: found });
  return sampleAttempt({ outcome, charge, failure: { ...found, charge } });
}

describe('what was charged', () => {
  it('S10 an empty call and one that the service refused are not charged, a whole one is', () => {
    const failure = { kind: 'empty-reply', message: 'm', at: '' } as const;
    assert.equal(chargeOf({ outcome: 'empty', failure }), 'no');
    assert.equal(chargeOf({ outcome: 'failed', failure: { ...failure, kind: 'server-error' } }), 'no');
    assert.equal(chargeOf({ outcome: 'complete' }), 'yes');
  });

  it('S10 the card and the ledger say the same of every failure, however it ended', () => {
    for (const kind of failureKinds) {
      for (const outcome of outcomes.filter((one) => one !== 'complete' && one !== 'stopped')) {
        for (const status of [undefined, 200, 503]) {
          const attempt = endedWith(outcome, { kind, message: 'm', at: '', ...(status && { status }) });
          const { money } = describeFailure(attempt.failure ?? assert.fail(), (id) => id);
          assert.equal(
            words[money],
            toLedgerEntry(attempt, { surface: 'chat' }).charge,
            `${kind} ${outcome} ${status}`,
          );
        }
      }
    }
  });

  it('S10 what we gave up waiting for may be charged; what the service says that it gave up on is not', () => {
    const timeout: Failure = { kind: 'timeout', message: 'm', at: '' };
    assert.equal(chargeOf({ outcome: 'failed', failure: timeout }), 'maybe');
    assert.equal(chargeOf({ outcome: 'failed', failure: { ...timeout, status: 408 } }), 'no');
    assert.equal(chargeOf({ outcome: 'stopped' }), 'maybe');
  });

  it('S10 a failure that was stored without its charge still has one, and what was never sent has none', () => {
    const stored = (kind: Failure['kind']) => chargeOfFailure({ kind, message: 'm', at: '' });
    assert.deepEqual(
      (['over-budget', 'internal', 'server-error', 'empty-reply', 'cut-off', 'malformed-tool-calls'] as const).map(
        stored,
      ),
      [undefined, undefined, 'no', 'no', 'maybe', 'yes'],
    );
  });
});
