import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { dayMs } from '../base/clock.ts';
import { createSerial } from '../base/serial.ts';
import { type AppendLog, openAppendLog } from '../storage/append-log.ts';
import { readLog } from '../storage/read-log.ts';
import { ignoreMissing, type StorageFs } from '../storage/storage-fs.ts';
import { cutOf, type DayRange } from './days.ts';
import { createIdSet } from './id-set.ts';
import { type LedgerEntry, parseLedgerEntry } from './ledger-entry.ts';
import { createMonthSums, getOrAdd, type MonthSums } from './month-sums.ts';
import { type Mark, markAt, readSums, writeSums } from './sums-file.ts';

/**
 * The files `ledger-YYYY-MM.jsonl` are the truth. Each is read from where the last reading ended, also that of an
 * earlier session, whose sums are in `ledger-YYYY-MM.sums`.
 */
export interface MonthFiles {
  append(entry: LedgerEntry): Promise<void>;
  readCurrent(now: number): Promise<void>;
  readUnread(range?: DayRange): Promise<void>;
  sums(): MonthSums[];
  has(entry: LedgerEntry): boolean;
  eachEntry(range: DayRange, take: (entry: LedgerEntry) => void): Promise<void>;
  damaged(): number;
  close(): Promise<void>;
}

export interface MonthFilesDeps {
  dir: string;
  fs?: StorageFs;
  dayOf(epochMs: number): string;
  onNew(): void;
}

interface ReadState {
  mark: Mark;
  sums: MonthSums;
  damaged: number;
  savedOffset: number;
}

interface Month extends ReadState {
  name: string;
  file: string;
  log: AppendLog;
  read: boolean;
  appended: boolean;
  seen: Seen;
}

const saveEveryBytes = 512 * 1024;

interface Seen {
  size: number;
  mtimeMs: number;
  ino: number;
}

const nothing: Seen = { size: 0, mtimeMs: 0, ino: 0 };

export function createMonthFiles({ dir, dayOf, onNew, ...deps }: MonthFilesDeps): MonthFiles {
  const fs = deps.fs ?? nodeFs;
  const months = new Map<string, Month>();
  // Two readers would start at the same offset and count damage twice.
  const oneByOne = createSerial();

  const monthOf = (name: string): Month => {
    const file = path.join(dir, `ledger-${name}.jsonl`);
    return getOrAdd(months, name, () => ({
      name,
      file,
      log: openAppendLog(file, { fs }),
      ...fresh(),
      read: false,
      appended: false,
      seen: nothing,
    }));
  };

  async function readMonth(month: Month): Promise<void> {
    const seen = await look(month.file);
    // Nothing was written since, so a refresh costs one `stat` of each file.
    if (month.read && isDeepStrictEqual(seen, month.seen)) return;
    const needsIds = (mark: Mark): boolean => month.appended || seen.size > mark.offset;
    const state = (await known(month, needsIds)) ?? (await restore(month, needsIds)) ?? fresh();
    const added = await readNew(month.file, state);
    // Put in place when it is complete: sums that are made again must not be seen half-way.
    Object.assign(month, state, { read: true, seen });
    if (added) onNew();
    if (month.mark.offset - month.savedOffset >= saveEveryBytes) await save(month);
  }

  async function known(month: Month, needsIds: (mark: Mark) => boolean): Promise<ReadState | undefined> {
    if (month.sums.ids() === undefined && needsIds(month.mark)) return undefined;
    return (await beginsWith(month.file, month.mark)) ? month : undefined;
  }

  async function restore(month: Month, needsIds: (mark: Mark) => boolean): Promise<ReadState | undefined> {
    const stored = await readSums(sumsFile(month), cutOf(month.name, dayOf), needsIds, fs);
    if (stored === undefined || !(await beginsWith(month.file, stored.mark))) return undefined;
    return { ...stored, savedOffset: stored.mark.offset };
  }

  async function beginsWith(file: string, mark: Mark): Promise<boolean> {
    return mark.offset > 0 && (await markAt(file, mark.offset, fs))?.tail === mark.tail;
  }

  async function look(file: string): Promise<Seen> {
    const stat = await fs.stat(file).catch(ignoreMissing);
    return stat === undefined ? nothing : { size: stat.size, mtimeMs: stat.mtimeMs, ino: stat.ino };
  }

  async function readNew(file: string, state: ReadState): Promise<boolean> {
    let added = false;
    let foreign = 0;
    const { nextOffset, damaged } = await readLog(file, {
      fs,
      from: state.mark.offset,
      onRecord: (record) => {
        const entry = parseLedgerEntry(record);
        if (entry === undefined) foreign += 1;
        else if (state.sums.add(entry, dayOf(entry.at))) added = true;
      },
    });
    state.damaged += damaged + foreign;
    if (nextOffset !== state.mark.offset) state.mark = (await markAt(file, nextOffset, fs)) ?? state.mark;
    return added;
  }

  async function save(month: Month): Promise<void> {
    try {
      await writeSums(sumsFile(month), cutOf(month.name, dayOf), month, fs);
      month.savedOffset = month.mark.offset;
    } catch {
      // A full disk, for one. The lines are there, and the next reading tries again.
      return;
    }
  }

  const readMonths = (pick: () => Month[] | Promise<Month[]>): Promise<void> =>
    oneByOne(async () => {
      let failed: PromiseSettledResult<void> | undefined;
      // Not all at once: their lines would keep this process busy without a pause.
      for (const month of await pick()) {
        const [result] = await Promise.allSettled([readMonth(month)]);
        if (result.status === 'rejected') failed ??= result;
      }
      if (failed?.status === 'rejected') throw failed.reason;
    });

  async function inRange(range?: DayRange): Promise<Month[]> {
    // A local day reaches at most 14 hours into the neighboring UTC month.
    const from = range === undefined ? '' : utcMonth(Date.parse(range.from) - dayMs);
    const to = range === undefined ? '~' : utcMonth(Date.parse(range.to) + 2 * dayMs);
    return (await monthNames(dir, fs)).filter((name) => name >= from && name <= to).map(monthOf);
  }

  return {
    append(entry) {
      const month = monthOf(utcMonth(entry.at));
      month.appended = true;
      return month.log.append(entry, { sync: true });
    },
    readCurrent: (now) =>
      readMonths(() => {
        const current = [utcMonth(now - dayMs), utcMonth(now)].map(monthOf);
        return [...new Set([...current, ...[...months.values()].filter((month) => month.read)])];
      }),
    readUnread: (range) => readMonths(async () => (await inRange(range)).filter((month) => !month.read)),
    sums: () => [...months.values()].map((month) => month.sums),
    has: (entry) => months.get(utcMonth(entry.at))?.sums.has(entry.id) ?? false,
    async eachEntry(range, take) {
      for (const { file } of await inRange(range)) {
        const ids = createIdSet();
        const onRecord = (record: unknown): void => {
          const entry = parseLedgerEntry(record);
          if (entry === undefined || !ids.add(entry.id)) return;
          const day = dayOf(entry.at);
          if (day >= range.from && day <= range.to) take(entry);
        };
        await readLog(file, { fs, onRecord });
      }
    },
    damaged: () => [...months.values()].reduce((sum, month) => sum + month.damaged, 0),
    async close() {
      // After what is being read, whatever came of it.
      await oneByOne(() => Promise.all([...months.values()].map((month) => month.log.close())));
    },
  };
}

function fresh(): ReadState {
  return { mark: { offset: 0, tail: 0 }, sums: createMonthSums(), damaged: 0, savedOffset: 0 };
}

function sumsFile({ file }: Month): string {
  return file.replace(/\.jsonl$/, '.sums');
}

function utcMonth(epochMs: number): string {
  // Windows in different time zones must agree on where a line goes.
  return new Date(epochMs).toISOString().slice(0, 7);
}

async function monthNames(dir: string, fs: StorageFs): Promise<string[]> {
  const files = (await fs.readdir(dir).catch(ignoreMissing)) ?? [];
  return files.flatMap((file) => /^ledger-(\d{4}-\d{2})\.jsonl$/.exec(file)?.[1] ?? []).sort();
}
