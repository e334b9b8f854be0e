import pRetry from 'p-retry';
import { hasCode, type StorageFs } from './storage-fs.ts';

/** Windows gives these codes while a scanner or an indexer holds a file; elsewhere they are a matter of rights and stay so. */
const heldCodes = ['EPERM', 'EBUSY', 'EACCES'];
const maxHeldMs = 10_000;
const firstWaitMs = 10;
const maxWaitMs = 200;

/**
 * Moves a file, over one that is there. On Windows either may be held for a moment by a program that only looks at it: tried
 * again for ten seconds, as VS Code does. Rejects with the last error; then `from` is still there.
 */
export function moveFile(
  from: string,
  to: string,
  fs: Pick<StorageFs, 'rename'>,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  return pRetry(() => fs.rename(from, to), {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: maxHeldMs,
    minTimeout: firstWaitMs,
    maxTimeout: maxWaitMs,
    shouldRetry: ({ error }) => platform === 'win32' && heldCodes.some((code) => hasCode(error, code)),
  });
}
