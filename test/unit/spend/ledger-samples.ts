import type { Attempt } from '../../../src/shared/messages.ts';
import type { LedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';

/** A ledger line whose price follows from its tokens. */
export function ledgerEntry(change: Partial<LedgerEntry> = {}): LedgerEntry {
  const totalTokens = change.totalTokens ?? 1000;
  return {
    id: 'a1',
    at: Date.UTC(2026, 10, 20, 12),
    model: 'svc/glm-5.3',
    surface: 'chat',
    promptTokens: totalTokens,
    completionTokens: 0,
    totalTokens,
    microUsd: costMicroUsd(totalTokens),
    estimated: false,
    charge: 'yes',
    outcome: 'complete',
    ...change,
  };
}

export function sampleAttempt(change: Partial<Attempt> = {}): Attempt {
  return {
    requestId: 'r1',
    model: 'svc/glm-5.3',
    startedAt: Date.UTC(2026, 10, 20, 12),
    durationMs: 1200,
    status: 200,
    outcome: 'complete',
    charge: 'yes',
    usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1000, estimated: false },
    countedPrompt: 900,
    ...change,
  };
}
