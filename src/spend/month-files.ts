import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type AppendLog, openAppendLog } from '../storage/append-log.ts';
import { isMissing, type StorageFs } from '../storage/blob-store.ts';
import { readLog } from '../storage/read-log.ts';
import { type DayRange, getOrAdd } from './accounts.ts';
import { type LedgerEntry, parseLedgerEntry } from './ledger-entry.ts';

/** The ledger's files, `ledger-YYYY-MM.jsonl`. Each is read from where the last reading ended. */
export interface MonthFiles {
  append(entry: LedgerEntry): Promise<void>;
  /** The month of `now`, and every other that was read before. */
  readCurrent(now: number): Promise<void>;
  /** The months of a range, or all, that were not read yet. */
  readUnread(range?: DayRange): Promise<void>;
  damaged(): number;
  close(): Promise<void>;
}

interface Month {
  file: string;
  log: AppendLog;
  /** Bytes of the file that were read. */
  offset: number;
  read: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** `onEntries` is called once per reading with what was new in the files. */
export function createMonthFiles(
  { dir, fs }: { dir: string; fs?: StorageFs },
  onEntries: (entries: readonly LedgerEntry[]) => void,
): MonthFiles {
  const months = new Map<string, Month>();
  let damaged = 0;
  let reading: Promise<void> = Promise.resolve();

  const monthOf = (name: string): Month => {
    const file = path.join(dir, `ledger-${name}.jsonl`);
    return getOrAdd(months, name, () => ({ file, log: openAppendLog(file, { fs }), offset: 0, read: false }));
  };

  async function readMonth(month: Month): Promise<LedgerEntry[]> {
    const contents = await readLog(month.file, { fs, from: month.offset });
    month.offset = contents.nextOffset;
    month.read = true;
    const entries = contents.records.map(parseLedgerEntry).filter((entry) => entry !== undefined);
    damaged += contents.damaged + contents.records.length - entries.length;
    return entries;
  }

  /** One reader at a time: two would start at the same offset and count damage twice. */
  function readMonths(pick: () => Month[] | Promise<Month[]>): Promise<void> {
    const run = async (): Promise<void> => {
      for (const month of await pick()) onEntries(await readMonth(month));
    };
    const done = reading.then(run, run);
    // Whoever asked is told; here the rejection only must not count as unhandled.
    reading = done.catch(() => undefined);
    return done;
  }

  async function unread(from: string, to: string): Promise<Month[]> {
    const names = (await monthNames(dir)).filter((name) => name >= from && name <= to);
    return names.map(monthOf).filter((month) => !month.read);
  }

  return {
    append: (entry) => monthOf(utcMonth(entry.at)).log.append(entry),
    readCurrent: (now) =>
      readMonths(() => {
        // A local day reaches at most 14 hours into the neighbouring UTC month.
        const current = [utcMonth(now - dayMs), utcMonth(now)].map(monthOf);
        return [...new Set([...current, ...[...months.values()].filter((month) => month.read)])];
      }),
    readUnread: (range) =>
      readMonths(() =>
        range === undefined
          ? unread('', '~')
          : unread(utcMonth(Date.parse(range.from) - dayMs), utcMonth(Date.parse(range.to) + 2 * dayMs)),
      ),
    damaged: () => damaged,
    close: async () => void (await Promise.all([...months.values()].map((month) => month.log.close()))),
  };
}

/** Files are cut by UTC month: windows in different time zones must agree on where a line goes. */
function utcMonth(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 7);
}

async function monthNames(dir: string): Promise<string[]> {
  try {
    const files = await readdir(dir);
    return files.flatMap((file) => /^ledger-(\d{4}-\d{2})\.jsonl$/.exec(file)?.[1] ?? []).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
