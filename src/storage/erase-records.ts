import * as nodeFs from 'node:fs/promises';
import { decodeLine } from './log-line.ts';
import { ignoreMissing, type StorageFs } from './storage-fs.ts';

const newline = 0x0a;

/**
 * Overwrites records with empty lines, which readers skip. It stays the same file of the same length, so other
 * windows may append meanwhile. Records that are too large for a line stay. Resolves when the change is on the disk.
 */
export async function eraseRecords(
  file: string,
  isErased: (record: unknown) => boolean,
  fs: StorageFs = nodeFs,
): Promise<void> {
  const handle = await fs.open(file, 'r+').catch(ignoreMissing);
  if (handle === undefined) return;
  try {
    const bytes = await handle.readFile();
    for (
      let start = 0, end = bytes.indexOf(newline);
      end !== -1;
      start = end + 1, end = bytes.indexOf(newline, start)
    ) {
      if (start === end) continue;
      const { line } = decodeLine(bytes.subarray(start, end));
      if (line.kind !== 'record' || !isErased(line.record)) continue;
      await handle.write(Buffer.alloc(end - start, newline), 0, end - start, start);
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
