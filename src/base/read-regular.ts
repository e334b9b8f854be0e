import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

// Opening a pipe otherwise waits for whoever writes into it, on one of the few threads for files that a process has.
export const openAtOnce = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

// What people keep in settings, manifests and Git's own files is smaller.
export const usualBytes = 1024 * 1024;

/**
 * Reads a file where a program may have put something else, such as a pipe or a file without an end; rejects for
 * whatever is no regular file, or has more than `maxBytes`. What comes to it meanwhile is not read.
 */
export async function readRegular(file: string, maxBytes = usualBytes, flags = 0): Promise<Buffer> {
  const handle = await open(file, openAtOnce | flags);
  try {
    const found = await handle.stat();
    const code = found.isDirectory() ? 'EISDIR' : found.isFile() ? 'EFBIG' : 'EINVAL';
    if (code !== 'EFBIG' || found.size > maxBytes)
      throw Object.assign(new Error(`${file} is no regular file of at most ${maxBytes} bytes`), { code });
    const bytes = Buffer.alloc(found.size);
    let size = 0;
    for (let count = 1; count > 0 && size < bytes.length; size += count)
      ({ bytesRead: count } = await handle.read(bytes, size, bytes.length - size, size));
    return bytes.subarray(0, size);
  } finally {
    await handle.close();
  }
}
