import type { Failure } from '../../shared/failure/failure.ts';
import type { WaitSkip } from '../../shared/interaction.ts';
import { backoffMs, maxWaits } from './backoff.ts';
import { isPatient, maxRequests } from './retry.ts';
import { findModel, switchModel } from './step-models.ts';
import type { Step, StepState } from './step-state.ts';

/**
 * Waits before a retry. Rejects when it is stopped meanwhile. Resolves to false when the service asks for a wait that
 * is too long to sleep. The user may cut the wait short, and may choose another model even where fallback is off.
 */
export async function waitToRetry(step: Step, state: StepState, failure: Failure, counted: number): Promise<boolean> {
  const { deps, onEvent, signal } = step;
  const delayMs = isStaleConnection(state, failure) ? 0 : backoffMs(failure.retryAfterMs, state.retries, deps.random());
  if (delayMs === undefined) return false;
  state.retries += 1;
  const [attempt, of] = isPatient(failure) ? [state.retries + 1, maxWaits + 1] : [counted + 1, maxRequests];
  if (delayMs > 0) {
    const other = findModel(step, state, { rules: { ...deps.fallback(), enabled: true } });
    const about = { failure, delayMs, attempt, of, ...(other && { other }) };
    const how = await sleepUnlessSkipped(step, delayMs, (over, answer) =>
      onEvent({ type: 'asked', kind: 'wait', about, over, answer }),
    );
    if (how === 'other-model' && other !== undefined) switchModel(step, state, failure, other);
  }
  signal.throwIfAborted();
  return true;
}

async function sleepUnlessSkipped(
  { deps, signal }: Step,
  delayMs: number,
  begin: (over: AbortSignal, skip: (how?: WaitSkip) => void) => void,
): Promise<WaitSkip | undefined> {
  const over = new AbortController();
  let skipped: WaitSkip | undefined;
  begin(over.signal, (how) => {
    if (how === undefined) return;
    skipped ??= how;
    over.abort();
  });
  try {
    await deps.clock.sleep(delayMs, AbortSignal.any([signal, over.signal]));
  } catch (error) {
    if (signal.aborted || skipped === undefined) throw error;
  } finally {
    over.abort();
  }
  return skipped;
}

/**
 * Returns whether a reused connection failed that the server had closed: it fails at once and says nothing about the
 * service.
 */
function isStaleConnection(state: StepState, failure: Failure): boolean {
  return state.attempts.length === 1 && failure.facts?.unread === 'yes';
}
