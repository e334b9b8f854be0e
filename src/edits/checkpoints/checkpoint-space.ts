import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { dayMs } from '../../base/clock.ts';
import { ignoreMissing } from '../../storage/storage-fs.ts';
import type { ManifestLine } from './checkpoint-manifest.ts';

/**
 * Keeps the most recently needed blobs, up to `maxBytes` in all. A blob that no line names stays for a day, because
 * another window may be about to write its line.
 */
export async function dropOldBlobs(
  dir: string,
  lines: readonly ManifestLine[],
  maxBytes: number,
  nowMs: number,
): Promise<void> {
  const lastNeeded = new Map<string, number>();
  lines.forEach((line, at) => {
    if (line.type === 'before' && line.blob !== null) lastNeeded.set(`${line.blob}.blob`, at);
  });
  const stored = await Promise.all(
    ((await readdir(dir).catch(ignoreMissing)) ?? []).map(async (name) => {
      // Another window may have moved it into its place or dropped it meanwhile.
      const stats = await stat(path.join(dir, name)).catch(ignoreMissing);
      return stats === undefined ? [] : [{ name, size: stats.size, mtimeMs: stats.mtimeMs }];
    }),
  );
  const newestFirst = stored.flat().sort((a, b) => (lastNeeded.get(b.name) ?? -1) - (lastNeeded.get(a.name) ?? -1));
  let total = 0;
  for (const { name, size, mtimeMs } of newestFirst) {
    const isNamed = lastNeeded.has(name);
    if (isNamed) total += size;
    const drops = isNamed ? total > maxBytes : nowMs - mtimeMs > dayMs;
    if (drops) await rm(path.join(dir, name), { force: true });
  }
}
