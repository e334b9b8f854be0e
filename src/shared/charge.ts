import type { Failure } from './failure/failure.ts';
import { kinds } from './failure/kinds.ts';
import type { Attempt, Charge } from './messages.ts';

export interface Written {
  countedTokens?: number;
  began?: boolean;
}

/**
 * Tokens of a reply that the service counted are charged, whatever became of the reply. Beyond that the service does
 * not charge calls that fail or bring nothing. Whether it counted a reply that was begun, or one that we gave up
 * waiting for, is not known.
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

export function chargeOfFailure(failure: Failure): Charge | undefined {
  if (failure.charge !== undefined) return failure.charge;
  const { charge } = kinds[failure.kind];
  if (charge === 'none') return undefined;
  return charge === 'yes' ? 'yes' : chargeOf({ outcome: 'failed', failure });
}
