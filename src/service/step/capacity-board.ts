import * as z from 'zod/mini';
import { dayMs } from '../../base/clock.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import { median } from '../../base/median.ts';
import { isObject } from '../../base/parse-json.ts';
import type { Attempt } from '../../shared/messages.ts';
import { isCapacity } from './retry.ts';

const entrySchema = z.object({
  at: z.number(),
  outcome: z.enum(['answered', 'capacity', 'failed', 'empty']),
  waitMs: z.optional(z.number()),
  durationMs: z.number(),
  tokensPerSecond: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
});

export type BoardEntry = z.infer<typeof entrySchema>;

export interface CapacitySummary {
  last: BoardEntry;
  waitMs?: number;
  tokensPerSecond?: number;
  reasoningTokens?: number;
  refusals: number;
  count: number;
}

/** Knows each model's capacity as this machine has seen it in requests that were made anyway; nothing polls. */
export interface CapacityBoard {
  record(attempt: Attempt): void;
  summary(model: string): CapacitySummary | undefined;
  models(): string[];
  /**
   * Returns the order in which to try models when the user has set none: those with capacity and fast answers first,
   * else as listed.
   */
  rank(ids: readonly string[]): string[];
  reset(): void;
}

const entriesKept = 20;
export const maxOnBoard = 50;
const refusalMs = 15 * 60_000;

/** `stored` may come from any version: what does not fit is dropped, and nothing throws. */
export function createCapacityBoard(
  stored: unknown,
  save: (entries: Record<string, BoardEntry[]>) => void,
  epochMs: () => number,
): CapacityBoard {
  const byModel = readStored(stored);
  const entries = (model: string): readonly BoardEntry[] => byModel.get(model) ?? [];
  const changed = () => save(Object.fromEntries(byModel));
  const refusedLately = (model: string): number => {
    const since = epochMs() - refusalMs;
    return entries(model).filter(({ at, outcome }) => outcome === 'capacity' && at >= since).length;
  };
  return {
    record(attempt) {
      const entry = toEntry(attempt);
      if (entry === undefined) return;
      const kept = [...entries(attempt.model), entry].slice(-entriesKept);
      // Set anew, so that the model that was used longest ago comes first.
      byModel.delete(attempt.model);
      byModel.set(attempt.model, kept);
      dropOldest(byModel, maxOnBoard);
      changed();
    },
    summary(model) {
      const known = entries(model);
      const last = known.at(-1);
      if (last === undefined) return undefined;
      const since = epochMs() - dayMs;
      const answered = known.filter(({ outcome }) => outcome === 'answered');
      return {
        last,
        waitMs: median(known.map(({ waitMs }) => waitMs)),
        tokensPerSecond: median(known.map(({ tokensPerSecond }) => tokensPerSecond)),
        reasoningTokens: median(answered.map(({ reasoningTokens = 0 }) => reasoningTokens)),
        refusals: known.filter(({ at, outcome }) => outcome === 'capacity' && at >= since).length,
        count: known.length,
      };
    },
    models: () => [...byModel.keys()],
    rank(ids) {
      const waits = new Map(ids.map((id) => [id, median(entries(id).map(({ waitMs }) => waitMs))]));
      // Without a figure of its own a model counts as fast as the middle of the others and keeps its place among them.
      const middle = median([...waits.values()]) ?? 0;
      return ids.toSorted(
        (left, right) =>
          refusedLately(left) - refusedLately(right) || (waits.get(left) ?? middle) - (waits.get(right) ?? middle),
      );
    },
    reset() {
      byModel.clear();
      changed();
    },
  };
}

function toEntry(attempt: Attempt): BoardEntry | undefined {
  const { startedAt, outcome, failure, firstEventMs, durationMs, usage, reasoningTokens } = attempt;
  if (outcome === 'stopped') return undefined;
  const entry: BoardEntry = { at: startedAt, outcome: 'failed', durationMs };
  if (outcome === 'empty') entry.outcome = 'empty';
  if (failure !== undefined && isCapacity(failure)) entry.outcome = 'capacity';
  if (outcome !== 'complete') return entry;
  entry.outcome = 'answered';
  entry.waitMs = firstEventMs ?? durationMs;
  if (reasoningTokens !== undefined) entry.reasoningTokens = reasoningTokens;
  const seconds = (durationMs - entry.waitMs) / 1000;
  // A reply in one piece, or a very short one, has no speed.
  if (usage !== undefined && !usage.estimated && seconds >= 0.2 && usage.completionTokens > 0) {
    entry.tokensPerSecond = Math.round((usage.completionTokens / seconds) * 10) / 10;
  }
  return entry;
}

function readStored(stored: unknown): Map<string, BoardEntry[]> {
  const models = isObject(stored) ? Object.entries(stored).slice(0, maxOnBoard) : [];
  const read = models.map(([model, list]) => {
    const entries = Array.isArray(list) ? list.filter((one) => entrySchema.safeParse(one).success) : [];
    return [model, entries.slice(-entriesKept)] as const;
  });
  return new Map(read.filter(([, entries]) => entries.length > 0));
}
