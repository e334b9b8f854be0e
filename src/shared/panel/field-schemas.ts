import * as z from 'zod/mini';
import { maxTextLength } from '../messages.ts';

export const id = z.string().check(z.minLength(1), z.maxLength(100));
export const text = z.string().check(z.maxLength(maxTextLength));
export const uri = z.string().check(z.minLength(1), z.maxLength(4096));
export const line = z.number().check(z.int(), z.minimum(1));

export const contextPickSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri, startLine: z.optional(line), endLine: z.optional(line) }),
  z.object({ kind: z.literal('folder'), uri }),
  z.object({ kind: z.literal('symbol'), uri, name: z.string().check(z.maxLength(500)), line }),
  z.object({
    kind: z.literal('problems'),
    uri: z.optional(uri),
    startLine: z.optional(line),
    endLine: z.optional(line),
  }),
  z.object({ kind: z.literal('changes'), staged: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('terminal') }),
  z.object({ kind: z.literal('conversation'), id }),
  z.object({ kind: z.literal('image') }),
  z.object({ kind: z.literal('selection') }),
]);
export type ContextPick = z.infer<typeof contextPickSchema>;
