import type { Failure } from './failure/failure.ts';
import { kinds } from './failure/kinds.ts';
import type { Attempt, Charge } from './messages.ts';

/** Facts about the reply besides how it ended. */
export interface Written {
  /** Tokens of it as the service named them. */
  countedTokens?: number;
  /** Something of it came, be it only reasoning. */
  began?: boolean;
}

/**
 * Tokens of a reply that the service counted are charged, whatever became of it. Beyond that it does not charge calls
 * that fail or bring nothing; of a reply that was begun, or that we ourselves gave up waiting for, nobody says whether it
 * was counted.
 */
export function chargeOf({ outcome, failure }: Pick<Attempt, 'outcome' | 'failure'>, written: Written = {}): Charge {
  if ((written.countedTokens ?? 0) > 0) return 'yes';
  switch (outcome) {
    case 'complete':
      return 'yes';
    case 'stopped':
    case 'incomplete':
      return 'maybe';
    case 'empty':
      return written.began === true ? 'maybe' : 'no';
    case 'failed':
      return failure !== undefined && mayHaveBeenCounted(failure) ? 'maybe' : 'no';
  }
}

function mayHaveBeenCounted({ kind, status, facts }: Failure): boolean {
  const { charge } = kinds[kind];
  // A connection that broke behind the request may have broken behind the answer as well.
  if (facts?.cause === 'reset' && facts.unread !== 'yes') return true;
  // With a status the service itself said so, and the call failed.
  return charge === 'maybe' || (charge === 'maybe-if-silent' && status === undefined);
}

/** For a failure as it is shown: `undefined` when no request was sent. */
export function chargeOfFailure(failure: Failure): Charge | undefined {
  if (failure.charge !== undefined) return failure.charge;
  const { charge } = kinds[failure.kind];
  if (charge === 'none') return undefined;
  return charge === 'yes' ? 'yes' : chargeOf({ outcome: 'failed', failure });
}
