import type { Clock } from '../../base/clock.ts';

const intervalMs = 100;
const maxLength = 4000;

/**
 * Passes text on at most ten times a second and only the last part of it: a program can print faster than anybody
 * reads, and every piece goes to the panel.
 */
export function createLiveTail(emit: (text: string) => void, clock: Clock): { push(text: string): void; end(): void } {
  let pending = '';
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    if (pending !== '') emit(pending);
    pending = '';
  };
  return {
    push(text) {
      // What writes over its line shows as lines here; the result has the last form only.
      const lines = text
        .slice(-2 * maxLength)
        .replace(/\r+\n?/g, (end) => (end.endsWith('\n') ? '\n' : '\n'.repeat(end.length)));
      pending = (pending + lines).slice(-maxLength).toWellFormed();
      cancel ??= clock.after(intervalMs, flush);
    },
    end() {
      cancel?.();
      flush();
    },
  };
}
