import * as z from 'zod/mini';
import { type EditOrigin, originKey } from './edit-origin.ts';
import type { PendingText } from './hunks.ts';
import { type Change, isMark, type Mark } from './rows.ts';

export const storedOrigin = z.object({
  conversationId: z.optional(z.string()),
  turnId: z.optional(z.string()),
  callId: z.string(),
  block: z.optional(z.number()),
});
/** Edits are indexes of `origins`, so that each edit is named once. */
const storedChange = z.object({ by: z.optional(z.number()), over: z.array(z.number()) });
const storedMark = z.object({ text: z.string(), added: z.optional(storedChange), removed: z.optional(storedChange) });
export const storedText = z.object({
  origins: z.array(storedOrigin),
  rows: z.array(z.union([z.string(), storedMark])),
  taken: z.optional(z.array(storedMark)),
  copied: z.optional(z.array(z.object({ text: z.string(), of: z.array(z.number()) }))),
});
export type StoredText = z.infer<typeof storedText>;

export function toStored({ rows, clipboard }: PendingText): StoredText {
  const origins: EditOrigin[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (origin: EditOrigin) => {
    const key = originKey(origin);
    const number = numbers.get(key) ?? origins.push(origin) - 1;
    numbers.set(key, number);
    return number;
  };
  const change = ({ by, over }: Change) => ({ ...(by && { by: numberOf(by) }), over: over.map(numberOf) });
  const mark = ({ text, added, removed }: Mark) => ({
    text,
    ...(added && { added: change(added) }),
    ...(removed && { removed: change(removed) }),
  });
  return {
    rows: rows.map((row) => (isMark(row) ? mark(row) : row)),
    ...(clipboard && {
      taken: clipboard.taken.map(({ row }) => mark(row)),
      copied: clipboard.copied.map(({ text, of }) => ({ text, of: of.map(numberOf) })),
    }),
    origins,
  };
}

/** Throws for an index that no edit has. */
export function fromStored({ origins, rows, taken = [], copied = [] }: StoredText): PendingText {
  const originAt = (at: number): EditOrigin => {
    const origin = origins[at];
    if (origin === undefined) throw new RangeError(`No edit has the number ${at}`);
    return origin;
  };
  const change = ({ by, over }: z.infer<typeof storedChange>): Change => ({
    ...(by !== undefined && { by: originAt(by) }),
    over: over.map(originAt),
  });
  const mark = ({ text, added, removed }: z.infer<typeof storedMark>): Mark => ({
    text,
    ...(added && { added: change(added) }),
    ...(removed && { removed: change(removed) }),
  });
  const clipboard = {
    taken: taken.map((one) => ({ row: mark(one), along: { above: [], below: [] } })),
    copied: copied.map(({ text, of }) => ({ text, of: of.map(originAt) })),
  };
  return {
    rows: rows.map((row) => (typeof row === 'string' ? row : mark(row))),
    ...(taken.length + copied.length > 0 && { clipboard }),
  };
}
