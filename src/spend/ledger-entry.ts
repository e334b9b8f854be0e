import * as z from 'zod/mini';
import type { Attempt, Surface } from '../shared/messages.ts';
import { costMicroUsd, counts } from './price.ts';

export const requestFields = {
  at: z.number().check(z.minimum(0), z.maximum(8.64e15)),
  model: z.string().check(z.maxLength(200)),
  surface: z.string().check(z.maxLength(40)),
  conversationId: z.optional(z.string()),
  turnId: z.optional(z.string()),
  promptTokens: z.number().check(z.int(), z.minimum(0)),
  completionTokens: z.number().check(z.int(), z.minimum(0)),
};

const entrySchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  ...requestFields,
  /** This is the billed number; it may be more than prompt and completion. */
  totalTokens: z.number().check(z.int(), z.minimum(0)),
  microUsd: z.number().check(z.int(), z.minimum(0)),
  estimated: z.boolean(),
  charge: z.enum(['yes', 'no', 'maybe']),
  outcome: z.string().check(z.maxLength(40)),
});
export type LedgerEntry = z.infer<typeof entrySchema>;

export function parseLedgerEntry(record: unknown): LedgerEntry | undefined {
  const parsed = entrySchema.safeParse(record);
  return parsed.success ? parsed.data : undefined;
}

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
