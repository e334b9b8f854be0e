import type { Failure } from './failure/failure.ts';
import type { Attempt, Charge } from './messages.ts';

/**
 * What one attempt means for money. The service does not charge calls that fail or bring nothing; of a reply that was begun,
 * or that we ourselves gave up waiting for, nobody says whether it was counted.
 */
export function chargeOf({ outcome, failure }: Pick<Attempt, 'outcome' | 'failure'>): Charge {
  switch (outcome) {
    case 'complete':
      return 'yes';
    case 'stopped':
    case 'incomplete':
      return 'maybe';
    case 'empty':
      return 'no';
    case 'failed':
      return failure !== undefined && mayHaveBeenCounted(failure) ? 'maybe' : 'no';
  }
}

function mayHaveBeenCounted({ kind, status }: Failure): boolean {
  switch (kind) {
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
