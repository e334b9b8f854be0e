import * as z from 'zod/mini';
import type { DurableEvent } from '../shared/events.ts';
import { liveEvents } from './durable-events.ts';

/** One row of the list of conversations. */
export interface ConversationSummary {
  id: string;
  title: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Where it was begun (E05: an attribute, never a key). */
  workspace?: string;
  model: string;
  messages: number;
  totalTokens: number;
  microUsd: number;
  pinned: boolean;
  /** The conversation it was copied from (F6). */
  forkedFrom?: string;
}

const summarySchema = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  workspace: z.optional(z.string()),
  model: z.string(),
  messages: z.number(),
  totalTokens: z.number(),
  microUsd: z.number(),
  pinned: z.boolean(),
  forkedFrom: z.optional(z.string()),
});

/** The list's cache (E03): file size and time say whether a row still holds. It may be deleted at any time. */
const indexSchema = z.object({
  version: z.literal(2),
  rows: z.array(z.object({ size: z.number(), mtimeMs: z.number(), summary: summarySchema })),
});
export type IndexRow = z.infer<typeof indexSchema>['rows'][number];

/** An index that is not one is an empty one. */
export function parseIndex(text: string): Map<string, IndexRow> {
  try {
    const parsed = indexSchema.safeParse(JSON.parse(text));
    return new Map((parsed.success ? parsed.data.rows : []).map((row) => [row.summary.id, row]));
  } catch {
    // Half an index, or none: it is made anew from the files.
    return new Map();
  }
}

export function formatIndex(rows: readonly IndexRow[]): string {
  return JSON.stringify({ version: 2, rows } satisfies { version: 2; rows: readonly IndexRow[] });
}

/** `fallbackAt` is used for a conversation whose events carry no time. */
export function summarise(id: string, events: readonly DurableEvent[], fallbackAt: number): ConversationSummary {
  const summary: ConversationSummary = {
    id,
    title: '',
    createdAt: 0,
    updatedAt: 0,
    model: '',
    messages: 0,
    totalTokens: 0,
    microUsd: 0,
    pinned: false,
  };
  let titledByUser = false;
  for (const event of events) {
    if ('at' in event) {
      summary.createdAt ||= event.at;
      summary.updatedAt = Math.max(summary.updatedAt, event.at);
    }
    if (event.type === 'created') summary.workspace = event.workspace;
    else if (event.type === 'titleChanged') {
      if (event.by === 'user' || !titledByUser) summary.title = event.title;
      titledByUser ||= event.by === 'user';
    } else if (event.type === 'pinChanged') summary.pinned = event.pinned;
    else if (event.type === 'modelChanged') summary.model = event.model;
    else if (event.type === 'forked') {
      // What was copied was paid for there.
      summary.forkedFrom = event.from;
      summary.totalTokens = 0;
      summary.microUsd = 0;
    } else if (event.type === 'turnEnded') {
      summary.totalTokens += event.cost.totalTokens;
      summary.microUsd += event.cost.microUsd;
    }
  }
  return {
    ...summary,
    messages: liveEvents(events).filter((event) => event.type === 'userMessage').length,
    createdAt: summary.createdAt || fallbackAt,
    updatedAt: summary.updatedAt || fallbackAt,
  };
}

/** The first line of the first message that has one, at most 80 characters; else what was attached. */
export function titleOf(text: string, attachmentLabels: readonly string[]): string {
  const line =
    text
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ??
    attachmentLabels[0] ??
    '';
  const characters = [...line.toWellFormed()];
  return characters.length <= 80 ? line.toWellFormed() : `${characters.slice(0, 79).join('')}…`;
}
