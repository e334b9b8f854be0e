import type { Failure } from './failure/failure.ts';
import type { Attempt, Charge } from './messages.ts';

/** What is known of the reply besides how it ended. */
export interface Written {
  /** Tokens of it as the service named them. */
  countedTokens?: number;
  /** Something of it came, be it only reasoning. */
  began?: boolean;
}

/**
 * What one attempt means for money. Tokens of a reply that the service counted are charged, whatever became of it. Beyond that
 * it does not charge calls that fail or bring nothing; of a reply that was begun, or that we ourselves gave up waiting for,
 * nobody says whether it was counted.
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
  switch (kind) {
    case 'unreachable':
      // A connection that broke behind the request may have broken behind the answer as well.
      return facts?.cause === 'reset' && facts.unread !== 'yes';
    case 'timeout':
      // With a status the service itself said so, and the call failed.
      return status === undefined;
    case 'cut-off':
    case 'stalled':
    case 'content-filter':
    case 'repetition':
    case 'protocol':
      return true;
    default:
      return false;
  }
}

/** The same for a failure as it is shown: `undefined` when no request was sent. */
export function chargeOfFailure(failure: Failure): Charge | undefined {
  if (failure.charge !== undefined) return failure.charge;
  switch (failure.kind) {
    case 'no-address':
    case 'no-key':
    case 'over-budget':
    case 'not-served':
    case 'unknown-model-id':
    case 'storage':
    case 'internal':
      return undefined;
    case 'malformed-tool-calls':
      return 'yes';
    default:
      return chargeOf({ outcome: 'failed', failure });
  }
}
