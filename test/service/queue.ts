// Capacity of the single upstream provider: so many replies at a time, so many waiting, the rest fail.
export interface Queue {
  /** Waits for a place. `'full'` when even the waiting places are taken; `'left'` when the client went away while waiting. */
  enter(signal: AbortSignal): Promise<'in' | 'left' | 'full'>;
  /** To be called once for every `enter`, with what it gave. */
  leave(admitted: 'in' | 'left' | 'full'): void;
}

export interface QueueLimits {
  maxConcurrent?: number;
  maxQueued?: number;
}

/** `limits` is asked on every entry, so that a script may change them. */
export function createQueue(limits: () => QueueLimits): Queue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    enter: async (signal) => {
      const { maxConcurrent = Number.POSITIVE_INFINITY, maxQueued = Number.POSITIVE_INFINITY } = limits();
      if (running < maxConcurrent) {
        running += 1;
        return 'in';
      }
      if (waiting.length >= maxQueued) return 'full';
      return new Promise((resolve) => {
        const admit = (): void => {
          signal.removeEventListener('abort', giveUp);
          running += 1;
          resolve('in');
        };
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(admit), 1);
          resolve('left');
        };
        waiting.push(admit);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
    leave: (admitted) => {
      if (admitted !== 'in') return;
      running -= 1;
      waiting.shift()?.();
    },
  };
}
