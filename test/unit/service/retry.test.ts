import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ServiceError } from '../../../src/service/failure/errors.ts';
import { backoffMs, maxWaits } from '../../../src/service/step/backoff.ts';
import { isRetryable, type Next, retryLoop } from '../../../src/service/step/retry.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../../src/shared/failure/kinds.ts';

function failure(kind: FailureKind, more: Partial<Failure> = {}): Failure {
  return { kind, message: kind, at: '2026-11-20T10:00:00.000+01:00', ...more };
}

describe('isRetryable', () => {
  it('T01 a 408 is sent again, what our own timer gave up on is not', () => {
    assert.equal(isRetryable(failure('timeout', { status: 408 })), true);
    assert.equal(isRetryable(failure('timeout')), false);
  });

  it('T01 a 424 is a server error that is not sent again', () => {
    assert.equal(isRetryable(failure('server-error', { status: 424 })), false);
  });
});

describe('backoffMs', () => {
  it('S8 T02 W100 waits 1, 2, 4, 8, 16 s and up to half as much again: half a minute at least', () => {
    const delays = (random: number) =>
      Array.from({ length: maxWaits }, (_, retry) => backoffMs(undefined, retry, random));
    assert.deepEqual(delays(0), [1000, 2000, 4000, 8000, 16_000]);
    assert.deepEqual(delays(0.5), [1250, 2500, 5000, 10_000, 20_000]);
    assert.equal(backoffMs(undefined, 70, 0), 16_000);
  });

  it('T02 W78 what the service asks for wins up to a minute, and a longer wait ends it', () => {
    assert.equal(backoffMs(7000, 0, 0), 7000);
    assert.equal(backoffMs(60_000, 0, 0), 60_000);
    assert.equal(backoffMs(60_001, 0, 0), undefined);
    assert.equal(backoffMs(0, 0, 0.5), 1250);
  });
});

describe('retryLoop', () => {
  const paid = { counts: true, waits: true };
  const free = { counts: false, waits: true };
  const atOnce = { counts: false, waits: false };

  /** Runs it until it rejects: what follows each failure in turn, then always the last; what was waited for. */
  async function runs(...nexts: (Next | undefined)[]): Promise<{ attempts: number; waits: number[] }> {
    let attempts = 0;
    const waits: number[] = [];
    const loop = retryLoop(
      async () => {
        attempts += 1;
        throw new ServiceError(failure('server-error', { message: `run ${attempts}` }));
      },
      {
        decide: () => nexts[Math.min(attempts, nexts.length) - 1],
        wait: async (_failure, counted) => waits.push(counted) > 0,
      },
    );
    await assert.rejects(loop, (error: Error) => error.message === `run ${attempts}`);
    return { attempts, waits };
  }

  it('T04 gives the result of the attempt that succeeds', async () => {
    let attempts = 0;
    const result = await retryLoop(
      async () => {
        attempts += 1;
        if (attempts < 3) throw new ServiceError(failure('server-error'));
        return 'answer';
      },
      { decide: () => paid, wait: async () => true },
    );
    assert.equal(result, 'answer');
    assert.equal(attempts, 3);
  });

  it('T04 ends after three requests that count, with the last failure', async () => {
    assert.deepEqual(await runs(paid), { attempts: 3, waits: [1, 2] });
  });

  it('T04 does not count what is free, also after the last that counts', async () => {
    assert.deepEqual(await runs(free, paid, atOnce, paid, free, atOnce, paid), { attempts: 7, waits: [1, 1, 2, 3] });
    assert.deepEqual(await runs(atOnce, undefined), { attempts: 2, waits: [] });
  });

  it('T02 ends when the wait would be too long', async () => {
    let attempts = 0;
    const loop = retryLoop(
      async () => {
        attempts += 1;
        throw new ServiceError(failure('server-error'));
      },
      { decide: () => paid, wait: async () => false },
    );
    await assert.rejects(loop, ServiceError);
    assert.equal(attempts, 1);
  });

  it('a fault of ours is never tried again', async () => {
    let attempts = 0;
    const loop = retryLoop(
      async () => {
        attempts += 1;
        throw new Error('bug');
      },
      { decide: () => paid, wait: async () => true },
    );
    await assert.rejects(loop, { message: 'bug' });
    assert.equal(attempts, 1);
  });
});
