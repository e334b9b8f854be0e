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
 * Told to the host for the page that takes this one's place after a reload or a crash. What VS Code keeps for a page
 * may be older, or not there at all.
 */
export const pageStateSchema = z.object({
  conversationId: z.string().check(z.maxLength(100)),
  atMs: z.number(),
  /** Where the view stands: `offsetPx` below the top of the message with this index. Absent while it follows the newest text. */
  place: z.optional(z.object({ message: z.number().check(z.int(), z.minimum(0)), offsetPx: z.number() })),
  /** Banners that the user closed. */
  dismissed: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(200)),
  /** Cards and folds that are not as they are at first. */
  toggled: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(1000)),
  /** The earlier message that the composer holds, with what was being written before. */
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
