import pRetry from 'p-retry';
import { hasCode, type StorageFs } from './storage-fs.ts';

/**
 * Windows gives these codes while a scanner or an indexer has a file open; elsewhere they mean missing rights and do
 * not go away.
 */
const heldCodes = ['EPERM', 'EBUSY', 'EACCES'];
const maxHeldMs = 10_000;
const firstWaitMs = 10;
const maxWaitMs = 200;

/**
 * Moves a file and replaces the target. On Windows another program may have either file open for a moment, so the
 * move is tried again for ten seconds, as VS Code does. Rejects with the last error; then `from` still exists.
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
