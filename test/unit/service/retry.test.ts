import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ServiceError } from '../../../src/service/failure/errors.ts';
import { isRetryable, retryDelayMs, retryLoop } from '../../../src/service/step/retry.ts';
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

describe('retryDelayMs', () => {
  const busy = failure('capacity-service');
  it('T02 waits up to 1 s, then up to 3 s, by chance', () => {
    assert.equal(retryDelayMs(busy, 0, 0.999999), 1000);
    assert.equal(retryDelayMs(busy, 0, 0.25), 250);
    assert.equal(retryDelayMs(busy, 1, 0.999999), 3000);
    assert.equal(retryDelayMs(busy, 7, 0.5), 1500);
  });

  it('T02 W78 Retry-After wins up to a minute, and a longer one ends it', () => {
    assert.equal(retryDelayMs({ ...busy, retryAfterMs: 7000 }, 0, 0), 7000);
    assert.equal(retryDelayMs({ ...busy, retryAfterMs: 60_000 }, 0, 0), 60_000);
    assert.equal(retryDelayMs({ ...busy, retryAfterMs: 60_001 }, 0, 0), undefined);
    assert.equal(retryDelayMs({ ...busy, retryAfterMs: 0 }, 0, 0.5), 500);
  });
});

describe('retryLoop', () => {
  it('T04 gives the result of the attempt that succeeds', async () => {
    let runs = 0;
    const result = await retryLoop(
      async () => {
        runs += 1;
        if (runs < 3) throw new ServiceError(failure('server-error'));
        return 'answer';
      },
      async () => true,
    );
    assert.equal(result, 'answer');
    assert.equal(runs, 3);
  });

  it('T04 ends with the last failure when nothing says stop, and has an end of its own', async () => {
    let runs = 0;
    const loop = retryLoop(
      async () => {
        runs += 1;
        throw new ServiceError(failure('server-error', { message: `run ${runs}` }));
      },
      async () => true,
    );
    await assert.rejects(loop, { message: 'run 258' });
  });

  it('a fault of ours is never tried again', async () => {
    let runs = 0;
    const loop = retryLoop(
      async () => {
        runs += 1;
        throw new Error('bug');
      },
      async () => true,
    );
    await assert.rejects(loop, { message: 'bug' });
    assert.equal(runs, 1);
  });
});
