import { isoTime } from '../base/iso-time.ts';
import type { LedgerEntry } from './ledger-entry.ts';

/** Times carry the offset of this machine's zone; `usd` is exact to the micro-dollar. */
const columns: readonly [name: string, value: (entry: LedgerEntry) => string | number | boolean][] = [
  ['time', (entry) => isoTime(entry.at)],
  ['model', (entry) => entry.model],
  ['surface', (entry) => entry.surface],
  ['conversation', (entry) => entry.conversationId ?? ''],
  ['turn', (entry) => entry.turnId ?? ''],
  ['prompt_tokens', (entry) => entry.promptTokens],
  ['completion_tokens', (entry) => entry.completionTokens],
  ['total_tokens', (entry) => entry.totalTokens],
  ['usd', (entry) => (entry.microUsd / 1e6).toFixed(6)],
  ['estimated', (entry) => entry.estimated],
  ['charged', (entry) => entry.charge],
  ['outcome', (entry) => entry.outcome],
  ['request', (entry) => entry.id],
];

export const csvHeader = toLine(columns.map(([name]) => name));

export function csvLine(entry: LedgerEntry): string {
  return toLine(columns.map(([, value]) => String(value(entry))));
}

function toLine(fields: readonly string[]): string {
  return `${fields.map(field).join(',')}\r\n`;
}

/** A spreadsheet must not read a name as a formula, so text that begins like one gets an apostrophe in front. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
