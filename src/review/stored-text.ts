import * as z from 'zod/mini';
import { type EditOrigin, sameOrigin } from './edit-origin.ts';
import { type Change, isMark, type Row } from './rows.ts';
import type { UndecidedText } from './undecided-text.ts';

export const storedOrigin = z.object({
  conversationId: z.optional(z.string()),
  turnId: z.optional(z.string()),
  callId: z.string(),
});
/** Edits as numbers of `origins`. */
const storedChange = z.object({ by: z.optional(z.number()), over: z.array(z.number()) });
export const storedText = z.object({
  origins: z.array(storedOrigin),
  rows: z.array(
    z.union([
      z.string(),
      z.object({ text: z.string(), added: z.optional(storedChange), removed: z.optional(storedChange) }),
    ]),
  ),
});
/** An `UndecidedText` as JSON holds it: each edit is named once. */
export type StoredText = z.infer<typeof storedText>;

export function toStored({ rows }: UndecidedText): StoredText {
  const origins: EditOrigin[] = [];
  const numberOf = (origin: EditOrigin) => {
    const known = origins.findIndex((one) => sameOrigin(one, origin));
    return known >= 0 ? known : origins.push(origin) - 1;
  };
  const change = ({ by, over }: Change) => ({ ...(by && { by: numberOf(by) }), over: over.map(numberOf) });
  return {
    rows: rows.map((row) =>
      isMark(row)
        ? {
            text: row.text,
            ...(row.added && { added: change(row.added) }),
            ...(row.removed && { removed: change(row.removed) }),
          }
        : row,
    ),
    origins,
  };
}

/** Throws for a number that no edit has. */
export function fromStored({ origins, rows }: StoredText): UndecidedText {
  const originAt = (at: number): EditOrigin => {
    const origin = origins[at];
    if (origin === undefined) throw new RangeError(`No edit has the number ${at}`);
    return toOrigin(origin);
  };
  const change = ({ by, over }: z.infer<typeof storedChange>): Change => ({
    ...(by !== undefined && { by: originAt(by) }),
    over: over.map(originAt),
  });
  return {
    rows: rows.map((row): Row => {
      if (typeof row === 'string') return row;
      const { text, added, removed } = row;
      return { text, ...(added && { added: change(added) }), ...(removed && { removed: change(removed) }) };
    }),
  };
}

/** Without the fields that are absent: a schema leaves them in as undefined. */
export function toOrigin({ conversationId, turnId, callId }: z.infer<typeof storedOrigin>): EditOrigin {
  return { ...(conversationId !== undefined && { conversationId }), ...(turnId !== undefined && { turnId }), callId };
}
