import type { StorageFs } from '../storage/blob-store.ts';
import { createAccounts, type DayRange, localDay } from './accounts.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { createMonthFiles } from './month-files.ts';
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
  const listeners = new Set<() => void>();
  const files = createMonthFiles(deps, (entries) => {
    const added = entries.filter((entry) => accounts.count(entry));
    if (added.length > 0) tell();
  });

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    async record(entry) {
      if (!accounts.count(entry)) return;
      tell();
      await files.append(entry);
    },
    refresh: () => files.readCurrent(deps.clock.epochMs()),
    today: () => accounts.day(dayOf(deps.clock.epochMs())),
    async totals(range) {
      await files.readUnread(range);
      return accounts.range(range);
    },
    async byModel(range) {
      await files.readUnread(range);
      return accounts.byModel(range);
    },
    async conversation(id) {
      await files.readUnread();
      return accounts.conversation(id);
    },
    damaged: files.damaged,
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await files.close();
    },
  };
}
