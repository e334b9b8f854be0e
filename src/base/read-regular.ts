import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

// Opening a pipe otherwise waits for whoever writes into it, on one of the few threads for files that a process has.
export const openAtOnce = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a file where a program may have put something else, such as a pipe; rejects for whatever is no regular file. */
export async function readRegular(file: string): Promise<Buffer> {
  const handle = await open(file, openAtOnce);
  try {
    const found = await handle.stat();
    const code = found.isDirectory() ? 'EISDIR' : 'EINVAL';
    if (!found.isFile()) throw Object.assign(new Error(`${file} is no regular file`), { code });
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
