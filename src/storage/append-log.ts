import type { FileHandle } from 'node:fs/promises';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { createSerial } from '../base/serial.ts';
import { type BlobStore, createBlobStore } from './blob-store.ts';
import { encodeLine } from './log-line.ts';
import { type LogContents, readLog } from './read-log.ts';
import type { StorageFs } from './storage-fs.ts';

export interface AppendLogOptions {
  fs?: StorageFs;
  blobs?: BlobStore;
  /** While this log writes, no other process does, so that a line cut short can be taken back. */
  alone?: boolean;
}

export interface AppendLog {
  /**
   * Resolves when the record and all before it are in the file or, with `sync`, on the disk. Rejects when they are
   * not: the record then stays in memory and is written before the next one, except when only the sync failed.
   * Records keep the order of the calls.
   */
  append(record: object, options?: { sync?: boolean }): Promise<void>;
  flush(): Promise<void>;
  unwritten(): number;
  read(): Promise<LogContents>;
  close(): Promise<void>;
}

const maxWriteBytes = 1024 * 1024;

interface Waiting {
  json: string;
  sync: boolean;
}

/**
 * Opens nothing before the first append. Every write is one `O_APPEND` write of whole lines, so several processes may
 * append to the same file.
 */
export function openAppendLog(file: string, options: AppendLogOptions = {}): AppendLog {
  const fs = options.fs ?? nodeFs;
  const blobs = options.blobs ?? createBlobStore(path.join(path.dirname(file), 'blobs'), fs);
  const waiting: Waiting[] = [];
  let handle: FileHandle | undefined;
  const enqueue = createSerial();

  async function drain(): Promise<void> {
    if (waiting.length === 0) return;
    try {
      while (waiting.length > 0) await writeSome();
    } catch (error) {
      // Reopening reads the end of the file again, where part of a line may now be.
      await closeHandle();
      throw error;
    }
  }

  async function writeSome(): Promise<void> {
    const lines = await takeBatch(waiting, blobs);
    handle ??= await openForAppend(file, fs);
    const bytes = Buffer.concat(lines);
    const { bytesWritten } = await handle.write(bytes);
    const whole = wholeLines(lines, bytesWritten);
    const sync = waiting.slice(0, whole).some((entry) => entry.sync);
    // On a failing sync the lines stay written: sending them again would store them twice.
    waiting.splice(0, whole);
    if (bytesWritten < bytes.length) {
      const kept = lines.slice(0, whole).reduce((sum, line) => sum + line.length, 0);
      if (options.alone && bytesWritten > kept) await cutBack(handle, bytesWritten - kept);
      throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes fitted into the file`);
    }
    if (sync) await handle.datasync();
  }

  async function closeHandle(): Promise<void> {
    const open = handle;
    handle = undefined;
    await open?.close();
  }

  return {
    append(record, { sync = false } = {}) {
      waiting.push({ json: JSON.stringify(record), sync });
      return enqueue(drain);
    },
    flush: () => enqueue(drain),
    unwritten: () => waiting.length,
    read: () => readLog(file, { fs, blobs }),
    close: () =>
      enqueue(async () => {
        await drain();
        await closeHandle();
      }),
  };
}

async function takeBatch(waiting: readonly Waiting[], blobs: BlobStore): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  let bytes = 0;
  for (const entry of waiting) {
    let line = encodeLine(entry.json, 'd');
    if (line.length > maxWriteBytes) line = encodeLine(JSON.stringify(await blobs.put(entry.json)), 'b');
    if (lines.length > 0 && bytes + line.length > maxWriteBytes) break;
    lines.push(line);
    bytes += line.length;
  }
  return lines;
}

async function cutBack(handle: FileHandle, bytes: number): Promise<void> {
  await handle.truncate((await handle.stat()).size - bytes);
}

function wholeLines(lines: readonly Buffer[], bytesWritten: number): number {
  let bytes = 0;
  return lines.filter((line) => {
    bytes += line.length;
    return bytes - 1 <= bytesWritten;
  }).length;
}

/** Opens for appending, readable and writable by the user only, and ends a torn last line. */
async function openForAppend(file: string, fs: StorageFs): Promise<FileHandle> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await fs.open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const lastByte = Buffer.alloc(1);
    if (size > 0) await handle.read(lastByte, 0, 1, size - 1);
    if (size > 0 && lastByte[0] !== 0x0a) await handle.write(Buffer.from('\n'));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
