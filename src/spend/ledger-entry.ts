import type { Attempt, Charge, Surface } from '../shared/messages.ts';
import { costMicroUsd, counts } from './price.ts';

export interface LedgerEntry {
  id: string;
  at: number;
  model: string;
  surface: string;
  conversationId?: string | undefined;
  turnId?: string | undefined;
  promptTokens: number;
  completionTokens: number;
  // This is the billed number; it may be more than prompt and completion.
  totalTokens: number;
  microUsd: number;
  estimated: boolean;
  charge: Charge;
  outcome: string;
}

export function parseLedgerEntry(record: unknown): LedgerEntry | undefined {
  // By hand, because a schema takes several times as long over a million lines.
  if (typeof record !== 'object' || record === null) return undefined;
  const entry = record as Record<keyof LedgerEntry, unknown>;
  const { id, at, conversationId, turnId, charge } = entry;
  const fits =
    isText(id, 200) &&
    id !== '' &&
    typeof at === 'number' &&
    at >= 0 &&
    at <= latest &&
    isText(entry.model, 200) &&
    isText(entry.surface, 40) &&
    isText(entry.outcome, 40) &&
    (conversationId === undefined || typeof conversationId === 'string') &&
    (turnId === undefined || typeof turnId === 'string') &&
    isCount(entry.promptTokens) &&
    isCount(entry.completionTokens) &&
    isCount(entry.totalTokens) &&
    isCount(entry.microUsd) &&
    typeof entry.estimated === 'boolean' &&
    (charge === 'yes' || charge === 'no' || charge === 'maybe');
  return fits ? (record as LedgerEntry) : undefined;
}

const latest = 8.64e15;
const isText = (value: unknown, max: number) => typeof value === 'string' && value.length <= max;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

export interface MeterContext {
  surface: Surface;
  conversationId?: string;
  turnId?: string;
}

/** An attempt that is not charged has zero tokens and a price of zero. */
export function toLedgerEntry(attempt: Attempt, context: MeterContext): LedgerEntry {
  const usage = counts(attempt) ? attempt.usage : undefined;
  return {
    id: attempt.requestId,
    at: attempt.startedAt,
    model: attempt.model,
    ...context,
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
    totalTokens: usage?.totalTokens ?? 0,
    microUsd: costMicroUsd(usage?.totalTokens ?? 0),
    estimated: counts(attempt) && (usage?.estimated ?? true),
    charge: attempt.charge,
    outcome: attempt.outcome,
  };
}
