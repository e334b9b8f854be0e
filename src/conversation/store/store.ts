import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { eraseCheckpoints } from '../../edits/checkpoints/erase-checkpoints.ts';
import { parseDurableEvent } from '../../shared/event-schema.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { openAppendLog } from '../../storage/append-log.ts';
import { createBlobStore } from '../../storage/blob-store.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import { createLease, type Lease } from '../../storage/lease.ts';
import { moveFile } from '../../storage/move-file.ts';
import { type ReadLogOptions, readLog } from '../../storage/read-log.ts';
import { type FileStat, statFiles } from '../../storage/stat-files.ts';
import { hasCode, ignoreMissing, type StorageFs } from '../../storage/storage-fs.ts';
import { eraseStorage, storagePaths } from '../../storage/storage-paths.ts';
import { watchFolder } from '../../storage/watch-folder.ts';
import { writeAtomically } from '../../storage/write-atomically.ts';
import { type ConversationSummary, formatIndex, type IndexRow, parseIndex, summarise } from '../summary.ts';
import { closeInterrupted, imageHashes } from './durable-events.ts';
import type { SearchHit } from './search.ts';
import { searchConversations } from './search.ts';
import { isRecord } from './transfer.ts';
import { createTrash } from './trash.ts';
import { ConversationInUseError, createWriter, type Writer } from './writer.ts';

export type { ConversationSummary } from '../summary.ts';
export { ConversationInUseError } from './writer.ts';

export interface RemovedConversation {
  summary: ConversationSummary;
  removedAtMs: number;
}

export interface ConversationStore {
  /**
   * Lists the newest first. While many files have to be read, as without the cache, `onSome` is called with the
   * newest ones: first with fifty, then each time with three times as many.
   */
  list(onSome?: (some: ConversationSummary[]) => void): Promise<ConversationSummary[]>;
  /** Resolves with every event, interrupted turns closed, or undefined when there is no such conversation. */
  read(id: string): Promise<DurableEvent[] | undefined>;
  /**
   * Reads a conversation that is to be shown and continued. Unlike `read`, it leaves a turn open that another window
   * runs now (`elsewhere`).
   */
  open(id: string): Promise<{ events: DurableEvent[]; elsewhere: boolean } | undefined>;
  inUseElsewhere(id: string): Promise<boolean>;
  changedElsewhere(id: string): Promise<boolean>;
  askToYield(id: string): Promise<void>;
  checkAsked(): Promise<void>;
  unsaved(id: string): number;
  saveAgain(): Promise<void>;
  /**
   * Resolves when the event is in the file, and at the end of a turn on the disk. When it rejects, the event stays in
   * memory and is written, in order, with the next one.
   */
  append(id: string, event: DurableEvent): Promise<void>;
  listCached(): Promise<ConversationSummary[]>;
  /**
   * Resolves with every record of the file unchanged, including records of later versions, or undefined when there is
   * no such conversation.
   */
  readRecords(id: string): Promise<unknown[] | undefined>;
  /** Stores a whole conversation under `id`, which must be free. Either all of it is stored or nothing. */
  create(id: string, records: readonly object[]): Promise<void>;
  has(id: string): Promise<boolean>;
  search(query: string, among: readonly ConversationSummary[], signal: AbortSignal): AsyncGenerator<SearchHit>;
  /**
   * Moves the file to `trash/`; nothing is deleted. Rejects with a `ConversationInUseError` while another window runs
   * a turn of it. A later write brings the file back.
   */
  remove(id: string): Promise<void>;
  listRemoved(): Promise<RemovedConversation[]>;
  /**
   * Restores the latest removed conversation of this id. Resolves with false when there is none, or the id is taken.
   */
  restore(id: string): Promise<boolean>;
  emptyTrash(beforeMs: number): Promise<number>;
  /** Permanently deletes a conversation that was removed, with all that belongs to it alone; `eraseAll` every one. */
  erase(id: string): Promise<void>;
  eraseAll(): Promise<void>;
  watch(onChange: () => void): () => void;
  watchUse(onChange: () => void): () => void;
  dispose(): Promise<void>;
}

export interface ConversationStoreDeps {
  dir: string;
  clock: { epochMs(): number; after(ms: number, run: () => void): () => void };
  newId(): string;
  // `later` counts the records of a later version, which stay in the file and are not shown.
  onDamage?(damage: { id: string; damaged: number; later: number }): void;
  onAsked?(id: string): void;
  images?: Pick<ImageStore, 'keep'>;
  fs?: StorageFs;
  ripgrep?(): Promise<string | undefined>;
}

const firstRows = 50;
const filesAtOnce = 10;

export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const fs = deps.fs ?? nodeFs;
  const dir = path.join(deps.dir, 'conversations');
  const index = path.join(dir, 'index.json');
  const fileOf = (id: string): string => path.join(dir, `${checkedId(id)}.jsonl`);
  const trash = createTrash(deps.dir, fs);
  const writers = new Map<string, Writer>();
  const leases = new Map<string, Lease>();
  const sizes = new Map<string, number>();

  const statOf = async (id: string): Promise<FileStat | undefined> => fs.stat(fileOf(id)).catch(ignoreMissing);
  const leaseOf = (id: string): Lease =>
    createLease(fileOf(id).replace(/jsonl$/, 'lease'), {
      ...deps.clock,
      newId: deps.newId,
      fs,
      onAsked: () => deps.onAsked?.(id),
    });
  const noteSize = async (id: string): Promise<void> => {
    const stat = await statOf(id);
    if (stat !== undefined) sizes.set(id, stat.size);
  };
  const inUseElsewhere = async (id: string): Promise<boolean> => (leases.get(id) ?? leaseOf(id)).heldByOther();
  const writerOf = (id: string): Writer => {
    const found = writers.get(id);
    if (found !== undefined) return found;
    const file = fileOf(id);
    const lease = leaseOf(id);
    const bringBack = async (): Promise<void> => {
      if ((await statOf(id)) === undefined) await trash.restore(id);
    };
    const writer = createWriter(openAppendLog(file, { fs, alone: true }), lease, bringBack, () => noteSize(id));
    writers.set(id, writer);
    leases.set(id, lease);
    return writer;
  };

  async function readEvents(id: string, elsewhere = false): Promise<DurableEvent[]> {
    const { events, damaged, later } = await readEventsIn(fileOf(id), { fs });
    if (damaged + later > 0) deps.onDamage?.({ id, damaged, later });
    return elsewhere ? events : closeInterrupted(events);
  }

  async function listRemoved(): Promise<RemovedConversation[]> {
    const blobs = createBlobStore(path.join(dir, 'blobs'), fs);
    const found: RemovedConversation[] = [];
    for (const { id, file, atMs } of await trash.list()) {
      const { events } = await readEventsIn(file, { fs, blobs }).catch(() => ({ events: [] }));
      if (events.length > 0) found.push({ summary: summarise(id, closeInterrupted(events), atMs), removedAtMs: atMs });
    }
    return found;
  }

  async function rowOf(id: string, stat: FileStat, cached: IndexRow | undefined): Promise<IndexRow | undefined> {
    const { size, mtimeMs } = stat;
    if (cached?.size === size && cached.mtimeMs === mtimeMs) return cached;
    const events = await readEvents(id);
    return events.length === 0 ? undefined : { size, mtimeMs, summary: summarise(id, events, mtimeMs) };
  }

  const cachedRows = async () => parseIndex((await fs.readFile(index, 'utf8').catch(ignoreMissing)) ?? '');

  async function list(onSome?: (some: ConversationSummary[]) => void): Promise<ConversationSummary[]> {
    const ids = await conversationIds(dir, fs);
    const cached = await cachedRows();
    // Asked all at once, read some at a time: with a lost index thousands of files would be open together.
    const stats = await statFiles(ids.map(fileOf));
    const files = ids.flatMap((id, at) => (stats[at] === undefined ? [] : [{ id, stat: stats[at] }]));
    files.sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs);
    const rows: IndexRow[] = [];
    const unreadable = new Set<IndexRow>();
    let read = 0;
    let showAt = firstRows;
    for (let at = 0; at < files.length; at += filesAtOnce) {
      const some = files.slice(at, at + filesAtOnce);
      const found = await Promise.all(
        some.map(({ id, stat }) =>
          rowOf(id, stat, cached.get(id)).catch(() => {
            const row = unreadableRow(id, stat);
            unreadable.add(row);
            return row;
          }),
        ),
      );
      rows.push(...found.filter((row) => row !== undefined));
      read += found.filter((row, offset) => row !== cached.get(some[offset]?.id ?? '')).length;
      if (read < showAt) continue;
      showAt *= 3;
      onSome?.(newestFirst(rows));
    }
    const known = rows.filter((row) => !unreadable.has(row));
    const changed = known.length !== cached.size || known.some((row) => cached.get(row.summary.id) !== row);
    if (changed) await writeIndex(index, formatIndex(known), fs);
    return newestFirst(rows);
  }

  return {
    list,
    listCached: async () => newestFirst([...(await cachedRows()).values()]),
    async read(id) {
      if (!isId(id)) return undefined;
      const events = await readEvents(id);
      return events.length === 0 ? undefined : events;
    },
    async open(id) {
      if (!isId(id)) return undefined;
      // In this order: what is written while it is read is seen as a change the next time.
      const elsewhere = await inUseElsewhere(id);
      await noteSize(id);
      const events = await readEvents(id, elsewhere);
      return events.length === 0 ? undefined : { events, elsewhere };
    },
    inUseElsewhere,
    async changedElsewhere(id) {
      // What this window is writing is in the file before its size is known here.
      await writers.get(id)?.settled();
      const stat = await statOf(id);
      return stat !== undefined && sizes.has(id) && sizes.get(id) !== stat.size;
    },
    askToYield: (id) => (leases.get(id) ?? leaseOf(id)).ask(),
    async checkAsked() {
      for (const [id, lease] of leases) if (await lease.wasAsked()) deps.onAsked?.(id);
    },
    unsaved: (id) => writers.get(id)?.unwritten() ?? 0,
    async saveAgain() {
      await Promise.all([...writers.values()].filter((writer) => writer.unwritten() > 0).map((one) => one.flush()));
    },
    async readRecords(id) {
      const { records } = await readLog(fileOf(id), { fs });
      return records.length === 0 ? undefined : records;
    },
    async create(id, records) {
      const file = fileOf(id);
      if ((await statOf(id)) !== undefined) throw new Error('There is a conversation with this id already.');
      const temporary = `${file}.${deps.newId()}.tmp`;
      const log = openAppendLog(temporary, { fs });
      try {
        const written = records.map((record, at) => log.append(record, { sync: at === records.length - 1 }));
        await Promise.all(written);
        await log.close();
        await moveFile(temporary, file, fs);
      } catch (error) {
        await fs.rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    has: async (id) => isId(id) && (await statOf(id)) !== undefined,
    search: (query, among, signal) =>
      searchConversations({ dir, read: readEvents, fileOf, fs, ripgrep: deps.ripgrep }, query, among, signal),
    async append(id, event) {
      // Both at once: what is appended next must not overtake this one.
      const written = writerOf(id).append(event);
      await Promise.all([written, ...imageHashes(event).map((hash) => deps.images?.keep(hash))]);
    },
    async remove(id) {
      fileOf(id);
      // Waits until what this window still has to write is written, so that all of it moves together.
      await writerOf(id).close();
      forget(id);
      const lease = leaseOf(id);
      if (!(await lease.acquire())) throw new ConversationInUseError('This conversation is in use in another window.');
      try {
        await trash.add(id, deps.clock.epochMs());
      } finally {
        await lease.release();
      }
    },
    listRemoved,
    restore: async (id) => isId(id) && (await trash.restore(id)),
    emptyTrash: (beforeMs) => trash.empty(beforeMs),
    async erase(id) {
      fileOf(id);
      await trash.empty(Number.POSITIVE_INFINITY, id);
    },
    async eraseAll() {
      await closeWriters();
      await eraseCheckpoints(path.join(deps.dir, 'checkpoints'), 'all', fs);
      await eraseStorage(deps.dir, storagePaths.machine, undefined, fs);
    },
    watch: (onChange) => watchFolder(dir, (name) => name.endsWith('.jsonl'), onChange, deps.clock.after),
    watchUse: (onChange) => watchFolder(dir, (name) => /\.(jsonl|lease|ask)$/.test(name), onChange, deps.clock.after),
    dispose: closeWriters,
  };

  function forget(id: string): void {
    writers.delete(id);
    leases.delete(id);
    sizes.delete(id);
  }

  async function closeWriters(): Promise<void> {
    const closing = await Promise.allSettled([...writers.values()].map((writer) => writer.close()));
    for (const id of [...writers.keys()]) forget(id);
    const failed = closing.find((one) => one.status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

/** Makes the row of a conversation that cannot be read, so that one bad file hides itself alone and can be removed. */
function unreadableRow(id: string, { size, mtimeMs }: FileStat): IndexRow {
  const title = l10n.t("Can't be read: {0}", `${id}.jsonl`);
  return { size, mtimeMs, summary: { ...summarise(id, [], mtimeMs), title } };
}

function newestFirst(rows: readonly IndexRow[]): ConversationSummary[] {
  return rows.map((row) => row.summary).sort((a, b) => b.updatedAt - a.updatedAt);
}

/** An id from a file name or a stored setting is checked, because it must not lead out of the folder. */
function isId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(id);
}

function checkedId(id: string): string {
  if (!isId(id)) throw new RangeError('Not the id of a conversation');
  return id;
}

/** Checks each record as it is read, because thousands at the end would keep this process busy without a pause. */
async function readEventsIn(
  file: string,
  options: ReadLogOptions,
): Promise<{ events: DurableEvent[]; damaged: number; later: number }> {
  const events: DurableEvent[] = [];
  let [later, foreign] = [0, 0];
  const onRecord = (record: unknown) => {
    const event = parseDurableEvent(record);
    if (event !== undefined) events.push(event);
    else if (isRecord(record)) later += 1;
    else foreign += 1;
  };
  const { damaged } = await readLog(file, { ...options, onRecord });
  return { events, damaged: damaged + foreign, later };
}

async function conversationIds(dir: string, fs: StorageFs): Promise<string[]> {
  const files = (await fs.readdir(dir).catch(ignoreMissing)) ?? [];
  return files.flatMap((file) => (file.endsWith('.jsonl') && isId(file.slice(0, -6)) ? [file.slice(0, -6)] : []));
}

async function writeIndex(file: string, text: string, fs: StorageFs): Promise<void> {
  try {
    await writeAtomically(file, text, fs);
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EBUSY'].some((code) => hasCode(error, code))) throw error;
  }
}
