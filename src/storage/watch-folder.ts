import { mkdirSync, watch } from 'node:fs';

const settleMs = 400;

/**
 * Calls `onChange` after any process changed files of the folder that `isWanted` accepts. A folder that cannot be
 * watched (a network drive, a system out of watches) is silently not watched, so it must be read again when it is
 * shown.
 */
export function watchFolder(
  dir: string,
  isWanted: (name: string) => boolean,
  onChange: () => void,
  after: (ms: number, run: () => void) => () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const changed = (): void => {
    // Not put off by further changes: a file that is written to all the time must not hide the others.
    cancel ??= after(settleMs, () => {
      cancel = undefined;
      onChange();
    });
  };
  let stop: () => void = () => undefined;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const watcher = watch(dir, { persistent: false }, (_event, name) => {
      if (name === null || isWanted(name)) changed();
    });
    watcher.on('error', () => watcher.close());
    stop = () => watcher.close();
  } catch {
    // See above.
  }
  return () => {
    stop();
    cancel?.();
  };
}
