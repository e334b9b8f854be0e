import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { decodeLine } from '../../storage/log-line.ts';
import { readLog } from '../../storage/read-log.ts';
import { ignoreMissing, type StorageFs } from '../../storage/storage-fs.ts';
import { type ManifestLine, parseManifest } from './checkpoint-manifest.ts';

/**
 * Deletes the checkpoints of these turns, or all: their manifest lines, the old bytes that no other turn needs, and
 * what was kept when one of them was restored. `dir` holds `manifest.jsonl` and `blobs/`.
 */
export async function eraseCheckpoints(
  dir: string,
  turns: ReadonlySet<string> | 'all',
  fs: StorageFs = nodeFs,
): Promise<void> {
  if (turns !== 'all' && turns.size === 0) return;
  const manifest = path.join(dir, 'manifest.jsonl');
  const isErased = (line: ManifestLine) =>
    turns === 'all' ||
    turns.has(line.turnId) ||
    (line.type === 'before' && line.of?.some((id) => turns.has(id)) === true);
  const lines = parseManifest((await readLog(manifest, { fs })).records);
  const erased = new Set(lines.filter(isErased).map(({ turnId }) => turnId));
  const blobsOf = (ofErased: boolean) =>
    lines.flatMap((line) =>
      line.type === 'before' && line.blob !== null && erased.has(line.turnId) === ofErased ? [`${line.blob}.blob`] : [],
    );
  const needed = new Set(blobsOf(false));
  const blobs = path.join(dir, 'blobs');
  const all = turns === 'all' ? ((await fs.readdir(blobs).catch(ignoreMissing)) ?? []) : blobsOf(true);
  for (const name of all) if (!needed.has(name)) await fs.rm(path.join(blobs, name), { force: true });
  // The lines last: a crash in between must find what they name.
  await eraseRecords(manifest, (record) => parseManifest([record]).some(({ turnId }) => erased.has(turnId)), fs);
}

const newline = 0x0a;

/**
 * Overwrites records with empty lines, which readers skip. It stays the same file of the same length, so other
 * windows may append meanwhile. Records that are too large for a line stay. Resolves when the change is on the disk.
 */
async function eraseRecords(
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
