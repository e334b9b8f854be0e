import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type AppendLog, openAppendLog } from '../storage/append-log.ts';
import { isMissing, type StorageFs } from '../storage/blob-store.ts';
import { readLog } from '../storage/read-log.ts';
import { createAccounts, type DayRange, getOrAdd, localDay } from './accounts.ts';
import { type LedgerEntry, parseLedgerEntry } from './ledger-entry.ts';
import type { Totals } from './totals.ts';

export interface Ledger {
  /**
   * Counts the entry at once and writes it. An id that is known is ignored. Rejects when the line is not in the file:
   * the sum keeps it, and the line goes out with the next one (E15).
   */
  record(entry: LedgerEntry): Promise<void>;
  /** Reads what this and other windows wrote since the last time; call once before the first total. */
  refresh(): Promise<void>;
  /** Since midnight in the user's time zone. Only what `record` and `refresh` have seen. */
  today(): Totals;
  totals(range: DayRange): Promise<Totals>;
  byModel(range: DayRange): Promise<ReadonlyMap<string, Totals>>;
  /** Everything ever spent on one conversation. */
  conversation(id: string): Promise<Totals>;
  /** Lines that could not be read; they stay in the file (E01). */
  damaged(): number;
  onDidChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface LedgerDeps {
  dir: string;
  clock: { epochMs(): number };
  fs?: StorageFs;
  /** The day an instant falls on, `YYYY-MM-DD`; by default in the time zone of this machine. */
  dayOf?(epochMs: number): string;
}

/** U12: one ledger for every surface, in one append-only file per month. */
export function createLedger(deps: LedgerDeps): Ledger {
  const dayOf = deps.dayOf ?? localDay;
  const accounts = createAccounts(dayOf);
  const months = new Map<string, Month>();
  const listeners = new Set<() => void>();
  let damaged = 0;
  let reading: Promise<unknown> = Promise.resolve();

  const monthOf = (name: string): Month => {
    const file = path.join(deps.dir, `ledger-${name}.jsonl`);
    return getOrAdd(months, name, () => ({ file, log: openAppendLog(file, { fs: deps.fs }), offset: 0, read: false }));
  };

  async function readMonth(month: Month): Promise<boolean> {
    const contents = await readLog(month.file, { fs: deps.fs, from: month.offset });
    month.offset = contents.nextOffset;
    month.read = true;
    damaged += contents.damaged;
    let changed = false;
    for (const record of contents.records) {
      const entry = parseLedgerEntry(record);
      if (entry === undefined) damaged += 1;
      else changed = accounts.count(entry) || changed;
    }
    return changed;
  }

  /** One reader at a time: two would start at the same offset and count damage twice. */
  function readMonths(pick: () => Month[] | Promise<Month[]>): Promise<void> {
    const run = async (): Promise<void> => {
      let changed = false;
      for (const month of await pick()) changed = (await readMonth(month)) || changed;
      if (changed) tell();
    };
    const done = reading.then(run, run);
    // Whoever asked is told; here the rejection only must not count as unhandled.
    reading = done.catch(() => undefined);
    return done;
  }

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  /** A local day reaches at most 14 hours into the neighbouring UTC month. */
  const currentMonths = (): Month[] => {
    const now = deps.clock.epochMs();
    return [...new Set([utcMonth(now - dayMs), utcMonth(now)])].map(monthOf);
  };

  async function unreadMonths(from: string, to: string): Promise<Month[]> {
    const names = await monthNames(deps.dir);
    return names
      .filter((name) => name >= from && name <= to)
      .map(monthOf)
      .filter((month) => !month.read);
  }

  const ensureRange = (range: DayRange): Promise<void> => {
    const from = utcMonth(Date.parse(range.from) - dayMs);
    const to = utcMonth(Date.parse(range.to) + 2 * dayMs);
    return readMonths(() => unreadMonths(from, to));
  };

  return {
    async record(entry) {
      if (!accounts.count(entry)) return;
      tell();
      await monthOf(utcMonth(entry.at)).log.append(entry);
    },
    refresh: () =>
      readMonths(() => [...new Set([...currentMonths(), ...[...months.values()].filter((month) => month.read)])]),
    today: () => accounts.day(dayOf(deps.clock.epochMs())),
    async totals(range) {
      await ensureRange(range);
      return accounts.range(range);
    },
    async byModel(range) {
      await ensureRange(range);
      return accounts.byModel(range);
    },
    async conversation(id) {
      await readMonths(() => unreadMonths('', '~'));
      return accounts.conversation(id);
    },
    damaged: () => damaged,
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await Promise.all([...months.values()].map((month) => month.log.close()));
    },
  };
}

interface Month {
  file: string;
  log: AppendLog;
  /** Bytes of the file that were counted. */
  offset: number;
  read: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

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
