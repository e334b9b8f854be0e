import pRetry from 'p-retry';
import type { Failure } from '../../shared/failure/failure.ts';
import { kinds } from '../../shared/failure/kinds.ts';
import { ServiceError } from '../failure/errors.ts';

/** Requests of one step that may be paid for. Refusals for want of room, resends and continuations are counted apart. */
export const maxRequests = 3;
/** Resends of one step because a model refused a feature. */
export const maxResends = 4;
/**
 * Whether the same request may be sent again on its own: 408, 429, 5xx and network errors, never a refusal.
 * A request that our own timer gave up on is not repeated: it may still be in the queue and be charged.
 */
export function isRetryable(failure: Failure): boolean {
  const { again } = kinds[failure.kind];
  if (again === 'if-status') return failure.status !== undefined;
  return again === 'yes' && failure.status !== 424;
}

/** Whether the service said that the model, or all of it, has no room. */
export function isCapacity(failure: Failure): boolean {
  return kinds[failure.kind].about === 'capacity';
}

/**
 * Whether the same request is tried for about a minute: the interface asks for that where the servers are out of reach or there
 * is no room, and none of these refusals is charged.
 */
export function isPatient(failure: Failure): boolean {
  return isCapacity(failure) || failure.kind === 'origin-down' || failure.kind === 'rate-limited';
}

/** After a failed attempt. `counts`: as one of `mostRequests`. `waits`: for a while, before it. */
export interface Next {
  counts: boolean;
  waits: boolean;
}

export interface Retrying {
  /** Changes what the next attempt will do; undefined ends the loop. */
  decide(failure: Failure): Next | undefined;
  /** `counted`: requests so far. False ends the loop after all. */
  wait(failure: Failure, counted: number): Promise<boolean>;
}

/**
 * Runs `attempt` until it succeeds or nothing follows. Rejects with the last `ServiceError`, or with whatever `wait` threw
 * (an abort while waiting). p-retry is not given the signal: it would drop a whole reply that came as the user pressed Stop.
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
