import type { DayRange } from './days.ts';
import { createIdSet, type IdSet } from './id-set.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { addEntry, emptyTotals, type Totals } from './totals.ts';

export interface SpendRow {
  day: string;
  model: string;
  surface: string;
  totals: Totals;
}

export interface MonthSums {
  /** Returns false and changes nothing for an id that was added before. */
  add(entry: LedgerEntry, day: string): boolean;
  has(id: string): boolean;
  rows(range: DayRange): SpendRow[];
  conversations(): Map<string, Totals>;
  /** Returns undefined for stored sums that were read without ids; nothing can be added to those. */
  ids(): IdSet | undefined;
}

export interface StoredSums {
  rows: readonly SpendRow[];
  conversations(): Map<string, Totals>;
  ids?: IdSet;
}

export function createMonthSums(stored?: StoredSums): MonthSums {
  const ids = stored === undefined ? createIdSet() : stored.ids;
  const rows = [...(stored?.rows ?? [])];
  let days: Map<string, Map<string, Map<string, SpendRow>>> | undefined;
  let conversations: Map<string, Totals> | undefined;

  function surfacesOf(day: string, model: string): Map<string, SpendRow> {
    if (days === undefined) {
      days = new Map();
      for (const row of rows) surfacesOf(row.day, row.model).set(row.surface, row);
    }
    const models = getOrAdd(days, day, () => new Map<string, Map<string, SpendRow>>());
    return getOrAdd(models, model, () => new Map<string, SpendRow>());
  }

  const addRow = (day: string, model: string, surface: string): SpendRow => {
    const row = { day, model, surface, totals: emptyTotals() };
    rows.push(row);
    return row;
  };

  const allConversations = (): Map<string, Totals> => {
    conversations ??= stored?.conversations() ?? new Map<string, Totals>();
    return conversations;
  };

  return {
    add(entry, day) {
      if (ids === undefined) throw new Error('Sums without ids take no more lines');
      if (!ids.add(entry.id)) return false;
      const { model, surface, conversationId } = entry;
      const row = getOrAdd(surfacesOf(day, model), surface, () => addRow(day, model, surface));
      addEntry(row.totals, entry);
      if (conversationId !== undefined) addEntry(getOrAdd(allConversations(), conversationId, emptyTotals), entry);
      return true;
    },
    has: (id) => ids?.has(id) ?? false,
    rows: (range) => rows.filter(({ day }) => day >= range.from && day <= range.to),
    conversations: allConversations,
    ids: () => ids,
  };
}

export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
