import type { LedgerEntry } from './ledger-entry.ts';

/** Tokens and micro-dollars count charged attempts only. */
export interface Totals {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  microUsd: number;
  /** Some part is an estimate or was perhaps not charged, so the sum is shown with ≈. */
  estimated: boolean;
  requests: number;
  notCharged: number;
  possiblyCharged: number;
}

export function emptyTotals(): Totals {
  return {
    promptTokens: 0,
    completionTokens: 0,
    totalTokens: 0,
    microUsd: 0,
    estimated: false,
    requests: 0,
    notCharged: 0,
    possiblyCharged: 0,
  };
}

export type Line = Pick<
  LedgerEntry,
  'promptTokens' | 'completionTokens' | 'totalTokens' | 'microUsd' | 'estimated' | 'charge'
>;

export function addEntry(totals: Totals, more: Line | Totals): void {
  if ('charge' in more) {
    totals.requests += 1;
    if (more.charge === 'no') {
      totals.notCharged += 1;
      return;
    }
    if (more.charge === 'maybe') {
      totals.possiblyCharged += 1;
      totals.estimated = true;
    }
  } else {
    totals.requests += more.requests;
    totals.notCharged += more.notCharged;
    totals.possiblyCharged += more.possiblyCharged;
  }
  totals.promptTokens += more.promptTokens;
  totals.completionTokens += more.completionTokens;
  totals.totalTokens += more.totalTokens;
  totals.microUsd += more.microUsd;
  totals.estimated ||= more.estimated;
}
