import type { Clock } from '../../base/clock.ts';

/** Bounds and measures a run. Its time stands still while the user is asked. */
export interface Timeout {
  start(): void;
  ranMs(): number;
  pauseTimeout(): () => void;
  stop(): void;
}

export function createTimeout(clock: Clock, ms: number, onOver: () => void): Timeout {
  let left = ms;
  let runsSince: number | undefined;
  let cancel = () => {};
  let holds = 0;
  let isOn = false;
  const halt = () => {
    cancel();
    if (runsSince !== undefined) left -= clock.now() - runsSince;
    runsSince = undefined;
  };
  const go = () => {
    if (!isOn || holds > 0 || runsSince !== undefined) return;
    runsSince = clock.now();
    cancel = clock.after(Math.max(0, left), onOver);
  };
  return {
    start() {
      isOn = true;
      go();
    },
    ranMs: () => ms - left + (runsSince === undefined ? 0 : clock.now() - runsSince),
    pauseTimeout() {
      holds++;
      halt();
      let isHeld = true;
      return () => {
        if (isHeld) holds--;
        isHeld = false;
        go();
      };
    },
    stop() {
      halt();
      isOn = false;
    },
  };
}
