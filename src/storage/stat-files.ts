import { stat, statSync } from 'node:fs';
import { isMissing } from './storage-fs.ts';

export interface FileStat {
  size: number;
  mtimeMs: number;
}

/** The rest of the editor's host has its turn this often. */
const sliceMs = 4;
/** A disk of this machine answers in a hundredth of it; asking another one must not hold up the host. */
const slowMs = 0.2;

/**
 * Size and time of many files, in their order; undefined for what is not there. Asking a local disk takes less time than
 * handing the question to another thread; a slow one is asked from there.
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

/** With callbacks, because promises for thousands of files take twice as long as the file system. */
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
