import pRetry from 'p-retry';
import type { Failure } from '../../shared/failure/failure.ts';
import { kinds } from '../../shared/failure/kinds.ts';
import { ServiceError } from '../failure/errors.ts';

/**
 * Limits the requests of one step that may be charged. Capacity refusals, resends and continuations are counted
 * apart.
 */
export const maxRequests = 3;
export const maxResends = 4;
/**
 * Returns true for 408, 429, 5xx and network errors, never for a refusal. A request that our own timer gave up on is
 * not repeated, because it may still be queued and charged.
 */
export function isRetryable(failure: Failure): boolean {
  const { again } = kinds[failure.kind];
  if (again === 'if-status') return failure.status !== undefined;
  return again === 'yes' && failure.status !== 424;
}

export function isCapacity(failure: Failure): boolean {
  return kinds[failure.kind].about === 'capacity';
}

/**
 * Returns whether the same request is tried for about a minute. The interface asks for that when servers are out of
 * reach or have no capacity, and none of these refusals is charged.
 */
export function isPatient(failure: Failure): boolean {
  return isCapacity(failure) || failure.kind === 'origin-down' || failure.kind === 'rate-limited';
}

export interface Next {
  counts: boolean;
  waits: boolean;
}

export interface Retrying {
  decide(failure: Failure): Next | undefined;
  wait(failure: Failure, counted: number): Promise<boolean>;
}

/**
 * Runs `attempt` until it succeeds or `decide` ends the loop. Rejects with the last `ServiceError`, or with what
 * `wait` threw. p-retry does not get the signal, because it would drop a whole reply that came as the user pressed
 * Stop.
 */
export function retryLoop<T>(attempt: () => Promise<T>, { decide, wait }: Retrying): Promise<T> {
  let next: Next | undefined;
  return pRetry(attempt, {
    // One that is never used: with none left, p-retry also ends what does not count.
    retries: maxRequests,
    // `wait` waits: the service may say how long, and the user may cut it short or go on with another model.
    minTimeout: 0,
    shouldConsumeRetry({ error, retriesLeft }) {
      next = error instanceof ServiceError ? decide(error.failure) : undefined;
      if (next?.counts && retriesLeft <= 1) next = undefined;
      return next?.counts ?? true;
    },
    async onFailedAttempt({ error, retriesConsumed }) {
      if (!next?.waits || !(error instanceof ServiceError)) return;
      if (!(await wait(error.failure, retriesConsumed + 1))) next = undefined;
    },
    shouldRetry: () => next !== undefined,
  });
}
