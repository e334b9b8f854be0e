import * as z from 'zod/mini';
import { maxTextLength } from '../messages.ts';

/** Fields that several messages of the panel have, with what each may hold at most. */
export const id = z.string().check(z.minLength(1), z.maxLength(100));
export const text = z.string().check(z.maxLength(maxTextLength));
export const uri = z.string().check(z.minLength(1), z.maxLength(4096));
export const line = z.number().check(z.int(), z.minimum(1));

/** Something that can be attached to a message. The host reads it when it is chosen and asks where that is due. */
export const contextPickSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri, startLine: z.optional(line), endLine: z.optional(line) }),
  z.object({ kind: z.literal('folder'), uri }),
  z.object({ kind: z.literal('symbol'), uri, name: z.string().check(z.maxLength(500)), line }),
  /** Problems in some lines of one file, in the file, or in all files that were checked. */
  z.object({
    kind: z.literal('problems'),
    uri: z.optional(uri),
    startLine: z.optional(line),
    endLine: z.optional(line),
  }),
  z.object({ kind: z.literal('changes'), staged: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('terminal') }),
  z.object({ kind: z.literal('conversation'), id }),
  /** An image file that is chosen in a dialog. */
  z.object({ kind: z.literal('image') }),
  /** The editor's selection. */
  z.object({ kind: z.literal('selection') }),
]);
export type ContextPick = z.infer<typeof contextPickSchema>;
