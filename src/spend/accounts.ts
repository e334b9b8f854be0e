import type { LedgerEntry } from './ledger-entry.ts';
import { addEntry, emptyTotals, type Totals } from './totals.ts';

/** Whole local days, `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The ledger's sums, kept per day and model and per conversation, so that a long ledger costs little memory. */
export interface Accounts {
  /** False for an id that was counted before (E17). */
  count(entry: LedgerEntry): boolean;
  day(day: string): Totals;
  range(range: DayRange): Totals;
  byModel(range: DayRange): ReadonlyMap<string, Totals>;
  conversation(id: string): Totals;
}

export function createAccounts(dayOf: (epochMs: number) => string): Accounts {
  const quickDayOf = rememberDay(dayOf);
  const seen = new Set<string>();
  const byDay = new Map<string, Map<string, Totals>>();
  const byConversation = new Map<string, Totals>();

  const byModel = (range: DayRange): Map<string, Totals> => {
    const models = new Map<string, Totals>();
    for (const [day, totals] of byDay) {
      if (day < range.from || day > range.to) continue;
      for (const [model, one] of totals) addEntry(getOrAdd(models, model, emptyTotals), one);
    }
    return models;
  };

  return {
    count(entry) {
      if (seen.has(entry.id)) return false;
      seen.add(entry.id);
      const models = getOrAdd(byDay, quickDayOf(entry.at), () => new Map<string, Totals>());
      addEntry(getOrAdd(models, entry.model, emptyTotals), entry);
      if (entry.conversationId !== undefined) {
        addEntry(getOrAdd(byConversation, entry.conversationId, emptyTotals), entry);
      }
      return true;
    },
    day: (day) => sum(byDay.get(day)),
    range: (range) => sum(byModel(range)),
    byModel,
    conversation: (id) => ({ ...(byConversation.get(id) ?? emptyTotals()) }),
  };
}

function sum(models: ReadonlyMap<string, Totals> = new Map()): Totals {
  const total = emptyTotals();
  for (const one of models.values()) addEntry(total, one);
  return total;
}

const quarterMs = 15 * 60 * 1000;

/** Remembers the last quarter of an hour: no day of any time zone ends within one, and lines come in order of time (P15). */
function rememberDay(dayOf: (epochMs: number) => string): (epochMs: number) => string {
  let quarter = Number.NaN;
  let day = '';
  return (epochMs) => {
    const asked = Math.floor(epochMs / quarterMs);
    if (asked !== quarter) {
      quarter = asked;
      day = dayOf(epochMs);
    }
    return day;
  };
}

/** The day in the time zone of this machine. */
export function localDay(epochMs: number): string {
  const date = new Date(epochMs);
  const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
