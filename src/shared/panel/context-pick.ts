import * as z from 'zod/mini';
import { id, line, uri } from './field-schemas.ts';

/** Something that can be attached to a message. The host reads it when it is chosen and asks where that is due. */
export const contextPickSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri, startLine: z.optional(line), endLine: z.optional(line) }),
  z.object({ kind: z.literal('folder'), uri }),
  z.object({ kind: z.literal('symbol'), uri, name: z.string().check(z.maxLength(500)), line }),
  /** Of some lines of one file, of the file, or of all that were checked. */
  z.object({
    kind: z.literal('problems'),
    uri: z.optional(uri),
    startLine: z.optional(line),
    endLine: z.optional(line),
  }),
  z.object({ kind: z.literal('changes'), staged: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('terminal') }),
  z.object({ kind: z.literal('conversation'), id }),
  /** What is selected in the editor. */
  z.object({ kind: z.literal('selection') }),
]);
export type ContextPick = z.infer<typeof contextPickSchema>;
