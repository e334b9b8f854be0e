import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { type BlobStore, createBlobStore } from './blob-store.ts';
import { decodeLine } from './log-line.ts';
import { hasCode, isMissing, type StorageFs } from './storage-fs.ts';

export interface LogContents {
  records: unknown[];
  /** Counts whole lines that could not be read. They stay in the file; copies are in `quarantine/`. */
  damaged: number;
  /** The last line has no end, because the writer died or is about to finish it. It does not count as damaged. */
  torn: boolean;
  nextOffset: number;
}

export interface ReadLogOptions {
  fs?: StorageFs;
  blobs?: BlobStore;
  from?: number;
  /** Receives the records one by one, in file order. `records` then stays empty, so that a long log costs no memory. */
  onRecord?: (record: unknown) => void;
}

const chunkBytes = { first: 16 * 1024, max: 256 * 1024 };

const emptyLine = { line: undefined, damagedBefore: 0 };

type Decoded = { kind: 'record'; record: unknown } | { kind: 'damaged' };

/**
 * Reads a log written by `openAppendLog`; a missing file is an empty log. Damage never throws and never removes
 * anything: the bytes are copied to `quarantine/` beside the file and counted.
 */
export async function readLog(file: string, options: ReadLogOptions = {}): Promise<LogContents> {
  const fs = options.fs ?? nodeFs;
  const blobs = options.blobs ?? createBlobStore(path.join(path.dirname(file), 'blobs'), fs);
  const contents: LogContents = { records: [], damaged: 0, torn: false, nextOffset: options.from ?? 0 };
  const onRecord = options.onRecord ?? ((record: unknown) => void contents.records.push(record));
  const damagedBytes: Buffer[] = [];

  const keep = (bytes: Buffer, damagedBefore: number, record: Decoded): void => {
    if (record.kind === 'record') onRecord(record.record);
    if (record.kind === 'record' && damagedBefore === 0) return;
    contents.damaged += 1;
    damagedBytes.push(Buffer.from(bytes.subarray(0, damagedBefore || bytes.length)), Buffer.from('\n'));
  };

  // Returns a promise only for blobs: waiting for every line would double the time of a long log.
  const take = (bytes: Buffer, ended: boolean): Promise<void> | undefined => {
    const { line, damagedBefore } = bytes.length === 0 ? emptyLine : decodeLine(bytes);
    // No writer leaves zeros: the disk did, after a crash, and nobody is going to finish that line.
    if (!ended && line?.kind === 'damaged' && !bytes.includes(0)) {
      contents.torn = true;
      return undefined;
    }
    contents.nextOffset += bytes.length + (ended ? 1 : 0);
    if (line?.kind === 'blob') return readBlob(blobs, line.hash).then((record) => keep(bytes, damagedBefore, record));
    if (line !== undefined) keep(bytes, damagedBefore, line);
    return undefined;
  };

  await withHandle(file, fs, (handle) => eachLine(handle, contents.nextOffset, take));
  if (damagedBytes.length > 0) await quarantine(file, Buffer.concat(damagedBytes), fs);
  return contents;
}

async function withHandle(file: string, fs: StorageFs, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await fs.open(file, 'r');
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

async function eachLine(
  handle: FileHandle,
  from: number,
  take: (line: Buffer, ended: boolean) => Promise<void> | undefined,
): Promise<void> {
  let position = from;
  // Parts of a line that spans chunks; joined once, so that a very long line costs no more than its length.
  let parts: Buffer[] = [];
  for (let size = chunkBytes.first; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, position);
    if (bytesRead === 0) break;
    if (bytesRead === size) size = Math.min(size * 4, chunkBytes.max);
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const rest = chunk.subarray(start, end);
      const line = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
      parts = [];
      start = end + 1;
      const reading = take(line, true);
      if (reading !== undefined) await reading;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) await take(Buffer.concat(parts), false);
}

async function readBlob(blobs: BlobStore, hash: string): Promise<Decoded> {
  const text = await blobs.get(hash);
  if (text === undefined) return { kind: 'damaged' };
  try {
    const record: unknown = JSON.parse(text);
    return { kind: 'record', record };
  } catch {
    // A file that is what its name says and yet no JSON was not put there by us.
    return { kind: 'damaged' };
  }
}

async function quarantine(file: string, bytes: Buffer, fs: StorageFs): Promise<void> {
  const dir = path.join(path.dirname(file), 'quarantine');
  const name = `${path.basename(file)}.${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.damaged`;
  try {
    await fs.mkdir(dir, { recursive: true, mode: 0o700 });
    await fs.writeFile(path.join(dir, name), bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // The damaged bytes are still in the log itself; a full or read-only disk must not stop the reading of the rest.
    if (!['EEXIST', 'ENOSPC', 'EROFS', 'EACCES', 'EPERM', 'EDQUOT'].some((code) => hasCode(error, code))) throw error;
  }
}
