import * as z from 'zod/mini';
import { imageTypes } from '../messages.ts';
import { id, text } from './field-schemas.ts';

const imageSchema = z.object({
  hash: z.string(),
  mediaType: z.enum(imageTypes),
  width: z.number(),
  height: z.number(),
  bytes: z.number(),
});

/**
 * The page reports this state to the host for its replacement after a reload or a crash. What VS Code keeps for a
 * page may be older, or missing.
 */
export const pageStateSchema = z.object({
  conversationId: z.string().check(z.maxLength(100)),
  atMs: z.number(),
  place: z.optional(z.object({ message: z.number().check(z.int(), z.minimum(0)), offsetPx: z.number() })),
  dismissed: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(200)),
  toggled: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(1000)),
  editing: z.optional(
    z.object({
      messageId: id,
      attachments: z
        .array(z.object({ id, label: z.string(), image: z.optional(imageSchema) }))
        .check(z.maxLength(1000)),
      earlierDraft: text,
    }),
  ),
});
export type PageState = z.infer<typeof pageStateSchema>;
