import type { Charge } from '../shared/messages.ts';

/** A sum of ledger lines. Tokens and micro-dollars are of charged attempts only. */
export interface Totals {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  microUsd: number;
  /** Some part is an estimate or was perhaps not charged: shown as ≈. */
  estimated: boolean;
  /** Attempts that were sent. */
  requests: number;
  /** The part of `requests` that was not charged. */
  notCharged: number;
  /** The part of `requests` of which nobody says whether it was charged. */
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

/** One ledger line as an addend. */
export interface Line {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  microUsd: number;
  estimated: boolean;
  charge: Charge;
}

/** Adds a line or another sum to `totals`, in place: it runs once per line of a long ledger. */
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
