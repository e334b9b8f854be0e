import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isCapacity, isRetryable } from '../../../src/service/step/retry.ts';
import { canContinue } from '../../../src/service/step/step-continuation.ts';
import { emptyReply } from '../../../src/service/wire/empty-reply.ts';
import { chargeOf, chargeOfFailure } from '../../../src/shared/charge.ts';
import { type FailureKind, failureKinds } from '../../../src/shared/failure/kinds.ts';
import { verdicts } from './verdicts.ts';

const statuses = [undefined, 200, 400, 403, 408, 424, 429, 500, 503, 529];

/** One answer when it is the same for every status, else each of them: `absent maybe, 200 no, …`. */
function perStatus(answer: (status: number | undefined) => string): string {
  const all = statuses.map((status) => ({ status, said: answer(status) }));
  const different = new Set(all.map(({ said }) => said));
  if (different.size === 1) return [...different].join();
  return all.map(({ status, said }) => `${status ?? 'absent'} ${said}`).join(', ');
}

function verdictOf(kind: FailureKind) {
  const failure = (status?: number) => ({ kind, message: 'm', at: '', ...(status !== undefined && { status }) });
  const reply = { ...emptyReply('svc/kimi-k3'), text: 'half an answer' };
  return {
    again: perStatus((status) => (isRetryable(failure(status)) ? 'yes' : 'no')),
    goesOn: canContinue(kind, reply, false),
    isFull: isCapacity(failure()),
    charged: perStatus((status) => chargeOf({ outcome: 'failed', failure: failure(status) })),
    shownAsCharged: perStatus((status) => chargeOfFailure(failure(status)) ?? 'none'),
  };
}

describe('what follows from a failure', () => {
  for (const kind of failureKinds) {
    it(`T01 S8 S9 S10 ${kind}: sent again, gone on with, charged as before`, () => {
      assert.deepEqual(verdictOf(kind), verdicts[kind]);
    });
  }
});
