import type { Failure } from '../../shared/failure/failure.ts';

const windowMs = 5 * 60_000;
const failuresToTrip = 3;

/** Skips a model for five minutes once it was at capacity three times within five minutes. */
export interface CircuitBreaker {
  recordFailure(model: string, failure: Failure): void;
  recordSuccess(model: string): void;
  tripped(model: string): Failure | undefined;
}

/** `now` returns monotonic milliseconds. */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const failures = new Map<string, number[]>();
  const open = new Map<string, { until: number; failure: Failure }>();
  return {
    recordFailure(model, failure) {
      const at = now();
      const recent = [...(failures.get(model) ?? []).filter((time) => at - time < windowMs), at];
      failures.set(model, recent);
      if (recent.length < failuresToTrip) return;
      failures.delete(model);
      open.set(model, { until: at + windowMs, failure });
    },
    recordSuccess(model) {
      failures.delete(model);
      open.delete(model);
    },
    tripped(model) {
      const entry = open.get(model);
      if (entry === undefined) return undefined;
      if (now() < entry.until) return entry.failure;
      open.delete(model);
      return undefined;
    },
  };
}
