/** Questions that wait for an answer of the person, each under the id of its call. */
export interface Pending<Answer> {
  /** Never rejects; `undefined` when the signal came first. */
  wait(callId: string, signal: AbortSignal): Promise<Answer | undefined>;
  /** False when nothing waits under this id: it was answered, stopped, or belongs to another conversation. */
  settle(callId: string, answer: Answer): boolean;
  settleAll(answer: Answer): void;
}

export function createPending<Answer>(): Pending<Answer> {
  const waiting = new Map<string, (answer: Answer | undefined) => void>();
  return {
    wait(callId, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      const settled = new AbortController();
      const settle = (answer: Answer | undefined) => {
        settled.abort();
        if (waiting.get(callId) === settle) waiting.delete(callId);
        resolve(answer);
      };
      signal.addEventListener('abort', () => settle(undefined), { once: true, signal: settled.signal });
      waiting.set(callId, settle);
      return promise;
    },
    settle(callId, answer) {
      const settle = waiting.get(callId);
      settle?.(answer);
      return settle !== undefined;
    },
    settleAll(answer) {
      for (const settle of [...waiting.values()]) settle(answer);
    },
  };
}
