import { createEmitter, type Event } from '../base/emitter.ts';
import type { StorageFs } from '../storage/storage-fs.ts';
import { type DayRange, localDay, rememberDay } from './days.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { createMonthFiles } from './month-files.ts';
import { getOrAdd, type SpendRow } from './month-sums.ts';
import { createReservations, type Reservations } from './reservations.ts';
import { addEntry, emptyTotals, type Totals } from './totals.ts';

export interface Ledger {
  /**
   * Counts the entry at once and writes it; an id that is known is ignored. Rejects when the line is not in the file:
   * the sum keeps it, and the line is written with the next one.
   */
  record(entry: LedgerEntry): Promise<void>;
  /**
   * Reads what this and other windows wrote since the last time, and enters the requests of windows that died. It
   * must be called once before the first total.
   */
  refresh(): Promise<void>;
  reserve: Reservations['open'];
  underWay: Reservations['underWay'];
  alone: Reservations['alone'];
  /** Sums since midnight in the user's time zone, but only what `record` and `refresh` have seen. */
  today(): Totals;
  currentDay(): string;
  totals(range: DayRange): Promise<Totals>;
  rows(range: DayRange): Promise<SpendRow[]>;
  byModel(range: DayRange): Promise<ReadonlyMap<string, Totals>>;
  bySurface(range: DayRange): Promise<ReadonlyMap<string, Totals>>;
  conversation(id: string): Promise<Totals>;
  conversations(): Promise<ReadonlyMap<string, Totals>>;
  /** Passes on each attempt of a range that is in the files, once. Months come in order, lines as they were written. */
  eachEntry(range: DayRange, take: (entry: LedgerEntry) => void): Promise<void>;
  damaged(): number;
  onDidChange: Event;
  close(): Promise<void>;
}

export interface LedgerDeps {
  dir: string;
  clock: { epochMs(): number };
  fs?: StorageFs;
  /** Returns the day of an instant as `YYYY-MM-DD`, by default in the time zone of this machine. */
  dayOf?(epochMs: number): string;
}

const maxUnread = 256;

export function createLedger(deps: LedgerDeps): Ledger {
  const dayOf = rememberDay(deps.dayOf ?? localDay);
  const listeners = createEmitter();
  /**
   * Holds entries that were recorded here and may not be in a file yet. Sums of files contain only what the files
   * contain.
   */
  const own = new Map<string, LedgerEntry>();
  let readingBack = false;
  const files = createMonthFiles({ dir: deps.dir, fs: deps.fs, dayOf, onNew: listeners.fire });

  const reservations = createReservations(deps);

  const unread = (): LedgerEntry[] => [...own.values()].filter((entry) => !files.has(entry));

  async function refresh(): Promise<void> {
    await files.readCurrent(deps.clock.epochMs());
    for (const [id, entry] of own) if (files.has(entry)) own.delete(id);
    for (const { entry, forget } of await reservations.left()) {
      await record(entry);
      await forget();
    }
  }

  async function record(entry: LedgerEntry): Promise<void> {
    if (own.has(entry.id) || files.has(entry)) return;
    own.set(entry.id, entry);
    listeners.fire();
    await files.append(entry);
    readBack();
  }

  function readBack(): void {
    if (own.size <= maxUnread || readingBack) return;
    readingBack = true;
    const done = (): void => {
      readingBack = false;
    };
    // What cannot be read back stays in memory and counts from there.
    refresh().then(done, done);
  }

  function each(range: DayRange, take: (row: Omit<SpendRow, 'totals'>, more: Totals | LedgerEntry) => void): void {
    for (const sums of files.sums()) for (const row of sums.rows(range)) take(row, row.totals);
    for (const entry of unread()) {
      const day = dayOf(entry.at);
      if (day >= range.from && day <= range.to) take({ day, model: entry.model, surface: entry.surface }, entry);
    }
  }

  function groupBy(range: DayRange, keyOf: (row: Omit<SpendRow, 'totals'>) => string): Map<string, Totals> {
    const groups = new Map<string, Totals>();
    each(range, (row, more) => addEntry(getOrAdd(groups, keyOf(row), emptyTotals), more));
    return groups;
  }

  function sum(range: DayRange): Totals {
    const total = emptyTotals();
    each(range, (_, more) => addEntry(total, more));
    return total;
  }

  function sumRows(range: DayRange): SpendRow[] {
    const days = new Map<string, SpendRow[]>();
    each(range, ({ day, model, surface }, more) => {
      const rows = getOrAdd(days, day, (): SpendRow[] => []);
      let row = rows.find((one) => one.model === model && one.surface === surface);
      if (row === undefined) {
        row = { day, model, surface, totals: emptyTotals() };
        rows.push(row);
      }
      addEntry(row.totals, more);
    });
    return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, rows]) => rows);
  }

  const afterReading = async <T>(range: DayRange | undefined, answer: () => T): Promise<T> => {
    await files.readUnread(range);
    return answer();
  };

  const currentDay = (): string => dayOf(deps.clock.epochMs());

  return {
    record,
    refresh,
    reserve: reservations.open,
    underWay: reservations.underWay,
    alone: reservations.alone,
    today: () => sum({ from: currentDay(), to: currentDay() }),
    currentDay,
    totals: (range) => afterReading(range, () => sum(range)),
    rows: (range) => afterReading(range, () => sumRows(range)),
    byModel: (range) => afterReading(range, () => groupBy(range, (row) => row.model)),
    bySurface: (range) => afterReading(range, () => groupBy(range, (row) => row.surface)),
    conversation: (id) =>
      afterReading(undefined, () => {
        const total = emptyTotals();
        for (const sums of files.sums()) addEntry(total, sums.conversations().get(id) ?? emptyTotals());
        for (const entry of unread()) if (entry.conversationId === id) addEntry(total, entry);
        return total;
      }),
    conversations: () =>
      afterReading(undefined, () => {
        const all = new Map<string, Totals>();
        const add = (id: string, more: Totals | LedgerEntry): void => addEntry(getOrAdd(all, id, emptyTotals), more);
        for (const sums of files.sums()) for (const [id, totals] of sums.conversations()) add(id, totals);
        for (const entry of unread()) if (entry.conversationId !== undefined) add(entry.conversationId, entry);
        return all;
      }),
    eachEntry: files.eachEntry,
    damaged: files.damaged,
    onDidChange: listeners.event,
    async close() {
      listeners.clear();
      await files.close();
      await reservations.settled();
    },
  };
}
