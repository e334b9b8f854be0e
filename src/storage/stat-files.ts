import { stat, statSync } from 'node:fs';
import { isMissing } from './storage-fs.ts';

export interface FileStat {
  size: number;
  mtimeMs: number;
}

const sliceMs = 4;
const slowMs = 0.2;

/**
 * Returns results in the order of `files`, undefined for a missing one. A local disk answers sooner than another
 * thread could be asked; a slow one is asked asynchronously.
 */
export async function statFiles(files: readonly string[]): Promise<(FileStat | undefined)[]> {
  const found: (FileStat | undefined)[] = [];
  let [sliceAt, sliceBegan] = [0, performance.now()];
  for (const file of files) {
    found.push(statNow(file));
    const tookMs = performance.now() - sliceBegan;
    if (tookMs < sliceMs) continue;
    if (tookMs / (found.length - sliceAt) > slowMs) break;
    await new Promise((resolve) => setImmediate(resolve));
    [sliceAt, sliceBegan] = [found.length, performance.now()];
  }
  return [...found, ...(await statLater(files.slice(found.length)))];
}

function statNow(file: string): FileStat | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && { size: stats.size, mtimeMs: stats.mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Uses callbacks, because promises for thousands of files take twice as long as the file system. */
function statLater(files: readonly string[]): Promise<(FileStat | undefined)[]> {
  if (files.length === 0) return Promise.resolve([]);
  const { promise, resolve, reject } = Promise.withResolvers<(FileStat | undefined)[]>();
  const found = new Array<FileStat | undefined>(files.length);
  let open = files.length;
  for (const [at, file] of files.entries()) {
    stat(file, (error, stats) => {
      if (error && !isMissing(error)) reject(error);
      found[at] = error ? undefined : { size: stats.size, mtimeMs: stats.mtimeMs };
      open -= 1;
      if (open === 0) resolve(found);
    });
  }
  return promise;
}
