import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import type { DurableEvent } from '../shared/events.ts';
import { type AppendLog, openAppendLog } from '../storage/append-log.ts';
import { hasCode, isMissing, type StorageFs } from '../storage/blob-store.ts';
import { createLease, type Lease } from '../storage/lease.ts';
import { readLog } from '../storage/read-log.ts';
import { closeInterrupted } from './durable-events.ts';
import { parseDurableEvent } from './event-schema.ts';
import { type ConversationSummary, formatIndex, type IndexRow, parseIndex, summarise } from './summary.ts';

export type { ConversationSummary } from './summary.ts';

/** Another window is running a turn of the same conversation; the event is kept and goes out with the next one. */
export class ConversationInUseError extends Error {
  override readonly name = 'ConversationInUseError';
}

export interface ConversationStore {
  /** Newest first. */
  list(): Promise<ConversationSummary[]>;
  /** Every event, interrupted turns closed (E21); undefined when there is no such conversation. */
  read(id: string): Promise<DurableEvent[] | undefined>;
  /**
   * Resolves when the event is in the file, at the end of a turn on the disk (E16). Rejects when it is not: it then stays
   * in memory and goes out, in order, with the next one (E15).
   */
  append(id: string, event: DurableEvent): Promise<void>;
  /** Moves the file to `trash/`; nothing is deleted. */
  remove(id: string): Promise<void>;
  /** Writes what is still in memory and gives up every lease. */
  dispose(): Promise<void>;
}

export interface ConversationStoreDeps {
  /** The extension's global storage (E05). */
  dir: string;
  clock: { epochMs(): number; after(ms: number, run: () => void): () => void };
  newId(): string;
  /** Records that could not be read; copies of their bytes are in `quarantine/` (E01). */
  onDamage?(damage: { id: string; damaged: number }): void;
  fs?: StorageFs;
}

/** One append-only file per conversation, written by one window at a time while a turn runs (E07). */
export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const fs = deps.fs ?? nodeFs;
  const dir = path.join(deps.dir, 'conversations');
  const fileOf = (id: string): string => path.join(dir, `${checkedId(id)}.jsonl`);
  const writers = new Map<string, Writer>();

  const writerOf = (id: string): Writer => {
    const found = writers.get(id);
    if (found !== undefined) return found;
    const file = fileOf(id);
    const lease = createLease(file.replace(/jsonl$/, 'lease'), { ...deps.clock, newId: deps.newId, fs });
    const writer = createWriter(openAppendLog(file, { fs }), lease);
    writers.set(id, writer);
    return writer;
  };

  async function readEvents(id: string): Promise<DurableEvent[]> {
    const contents = await readLog(fileOf(id), { fs });
    const events: DurableEvent[] = [];
    let damaged = contents.damaged;
    for (const record of contents.records) {
      const event = parseDurableEvent(record);
      if (event !== undefined) events.push(event);
      else if (!hasType(record)) damaged += 1;
    }
    if (damaged > 0) deps.onDamage?.({ id, damaged });
    return closeInterrupted(events);
  }

  const statOf = async (id: string): Promise<Stat | undefined> => fs.stat(fileOf(id)).catch(ignoreMissing);

  async function rowOf(id: string, stat: Stat, cached: IndexRow | undefined): Promise<IndexRow | undefined> {
    const { size, mtimeMs } = stat;
    if (cached?.size === size && cached.mtimeMs === mtimeMs) return cached;
    const events = await readEvents(id);
    return events.length === 0 ? undefined : { size, mtimeMs, summary: summarise(id, events, mtimeMs) };
  }

  return {
    async list() {
      const ids = await conversationIds(dir, fs);
      const index = path.join(dir, 'index.json');
      const cached = parseIndex(await readText(index, fs));
      // Asked all at once, read one by one: with a lost index thousands of files would be open together.
      const stats = await Promise.all(ids.map((id) => statOf(id)));
      const rows: IndexRow[] = [];
      for (const [at, id] of ids.entries()) {
        const stat = stats[at];
        const row = stat && (await rowOf(id, stat, cached.get(id)));
        if (row !== undefined) rows.push(row);
      }
      const changed = rows.length !== cached.size || rows.some((row) => cached.get(row.summary.id) !== row);
      if (changed) await writeIndex(index, formatIndex(rows), deps.newId(), fs);
      return rows.map((row) => row.summary).sort((a, b) => b.updatedAt - a.updatedAt);
    },
    async read(id) {
      if (!isId(id)) return undefined;
      const events = await readEvents(id);
      return events.length === 0 ? undefined : events;
    },
    append: async (id, event) => writerOf(id).append(event),
    async remove(id) {
      const file = fileOf(id);
      await writers.get(id)?.close();
      writers.delete(id);
      const trash = path.join(deps.dir, 'trash');
      await fs.mkdir(trash, { recursive: true, mode: 0o700 });
      await fs.rename(file, path.join(trash, `${id}.${deps.clock.epochMs()}.jsonl`)).catch(ignoreMissing);
    },
    async dispose() {
      const closing = await Promise.allSettled([...writers.values()].map((writer) => writer.close()));
      writers.clear();
      const failed = closing.find((one) => one.status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}

type Stat = Pick<IndexRow, 'size' | 'mtimeMs'>;

interface Writer {
  append(event: DurableEvent): Promise<void>;
  close(): Promise<void>;
}

/** Holds the lease from the start of a turn to its end, so that turns of two windows never mix in one file. */
function createWriter(log: AppendLog, lease: Lease): Writer {
  /** Not handed to the log yet: the log keeps what it was given, this keeps what waits for the lease. */
  const held: DurableEvent[] = [];
  let turnOpen = false;
  let last: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (!(await lease.acquire())) throw new ConversationInUseError('This conversation is in use in another window.');
    try {
      const written = held.splice(0).map((event) => {
        if (event.type === 'turnStarted') turnOpen = true;
        if (event.type === 'turnEnded') turnOpen = false;
        return log.append(event, { sync: event.type === 'turnEnded' });
      });
      await Promise.all(written.length > 0 ? written : [log.flush()]);
    } finally {
      if (!turnOpen) await rest();
    }
  }

  async function rest(): Promise<void> {
    if (log.unwritten() === 0) await log.close();
    await lease.release();
  }

  function enqueue(step: () => Promise<void>): Promise<void> {
    const done = last.then(step, step);
    last = done;
    // Whoever appended is told; here the rejection only must not count as unhandled.
    done.catch(() => undefined);
    return done;
  }

  return {
    append(event) {
      held.push(event);
      return enqueue(write);
    },
    close: () =>
      enqueue(async () => {
        try {
          if (held.length > 0 || log.unwritten() > 0) await write();
          await log.close();
        } finally {
          await lease.release();
        }
      }),
  };
}

/** Ids are ours; one from a file name or a stored setting must not be able to leave the folder (E22). */
function isId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(id);
}

function checkedId(id: string): string {
  if (!isId(id)) throw new RangeError('Not the id of a conversation');
  return id;
}

function hasType(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'type' in record && typeof record.type === 'string';
}

async function conversationIds(dir: string, fs: StorageFs): Promise<string[]> {
  const files = (await fs.readdir(dir).catch(ignoreMissing)) ?? [];
  return files.flatMap((file) => (file.endsWith('.jsonl') && isId(file.slice(0, -6)) ? [file.slice(0, -6)] : []));
}

async function readText(file: string, fs: StorageFs): Promise<string> {
  return (await fs.readFile(file, 'utf8').catch(ignoreMissing)) ?? '';
}

function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** The list does not depend on its cache: a disk that takes no more still shows every conversation. */
async function writeIndex(file: string, text: string, id: string, fs: StorageFs): Promise<void> {
  const temporary = `${file}.${id}.tmp`;
  try {
    await fs.writeFile(temporary, text, { mode: 0o600 });
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => undefined);
    if (!['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EBUSY'].some((code) => hasCode(error, code))) throw error;
  }
}
