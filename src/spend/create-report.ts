import type { NamedSum, SpendDay, SpendReport, SpendSum } from '../shared/panel/spend-report.ts';
import { daysOf, lastDays } from './days.ts';
import type { Ledger } from './ledger.ts';
import { getOrAdd, type SpendRow } from './month-sums.ts';
import { addEntry, emptyTotals, type Totals } from './totals.ts';

export interface ReportDeps {
  ledger: Pick<Ledger, 'refresh' | 'rows' | 'conversations' | 'currentDay' | 'damaged'>;
  days: number;
  locale: string;
  nameOfModel(id: string): string;
  nameOfSurface(surface: string): string;
  titles: ReadonlyMap<string, string>;
  nameOfDeleted: string;
  dailyLimitUsd?: number;
}

const maxConversations = 20;

export async function createReport(deps: ReportDeps): Promise<SpendReport> {
  const { ledger } = deps;
  await ledger.refresh();
  const today = ledger.currentDay();
  const rows = await ledger.rows(lastDays(today, Math.max(deps.days, 30)));
  const shown = daysOf(lastDays(today, deps.days));
  const shownRows = rows.filter((row) => row.day >= (shown[0] ?? today));
  const models = dearestFirst(groupBy(shownRows, (row) => row.model));
  const since = (count: number): SpendSum => sumOf(rows.filter((row) => row.day >= lastDays(today, count).from));
  return {
    locale: deps.locale,
    days: shown.map((day) => dayOf(day, shownRows, [...models.keys()], deps.nameOfModel)),
    today: since(1),
    week: since(7),
    month: since(30),
    total: sumOf(shownRows),
    models: named(models, deps.nameOfModel),
    surfaces: named(dearestFirst(groupBy(shownRows, (row) => row.surface)), deps.nameOfSurface),
    conversations: await dearestConversations(deps),
    dailyLimitMicroUsd: deps.dailyLimitUsd === undefined ? undefined : Math.round(deps.dailyLimitUsd * 1e6),
    damaged: ledger.damaged(),
  };
}

function dayOf(
  day: string,
  rows: readonly SpendRow[],
  order: readonly string[],
  nameOf: (id: string) => string,
): SpendDay {
  const ofDay = rows.filter((row) => row.day === day);
  const models = groupBy(ofDay, (row) => row.model);
  const sorted = order.flatMap((id) => {
    const totals = models.get(id);
    return totals === undefined ? [] : [[id, totals] as const];
  });
  return { day, ...sumOf(ofDay), models: named(sorted, nameOf) };
}

async function dearestConversations(deps: ReportDeps): Promise<SpendReport['conversations']> {
  const all = [...(await deps.ledger.conversations())].sort(([, a], [, b]) => b.microUsd - a.microUsd);
  return all.slice(0, maxConversations).map(([id, totals]) => ({
    id,
    exists: deps.titles.has(id),
    name: deps.titles.get(id) ?? deps.nameOfDeleted,
    ...toSum(totals),
  }));
}

function groupBy(rows: readonly SpendRow[], keyOf: (row: SpendRow) => string): Map<string, Totals> {
  const groups = new Map<string, Totals>();
  for (const row of rows) addEntry(getOrAdd(groups, keyOf(row), emptyTotals), row.totals);
  return groups;
}

function dearestFirst(groups: ReadonlyMap<string, Totals>): Map<string, Totals> {
  return new Map([...groups].sort(([a, x], [b, y]) => y.microUsd - x.microUsd || (a < b ? -1 : 1)));
}

function named(groups: Iterable<readonly [string, Totals]>, nameOf: (key: string) => string): NamedSum[] {
  return [...groups].map(([key, totals]) => ({ name: nameOf(key), ...toSum(totals) }));
}

function sumOf(rows: readonly SpendRow[]): SpendSum {
  const total = emptyTotals();
  for (const row of rows) addEntry(total, row.totals);
  return toSum(total);
}

function toSum({ totalTokens: _, ...sum }: Totals): SpendSum {
  return sum;
}
