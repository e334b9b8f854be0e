import type * as z from 'zod/mini';
import type * as schema from './event-schema.ts';
import type { DurableEvent } from './events.ts';

/** The vocabulary of a conversation: what is stored, what is sent to the model, what is counted. Plain JSON only. */

/** A complete call, as the model wrote it. */
export interface ToolCall extends z.output<typeof schema.toolCall> {}

/** One message of the history, model-neutral. `service/wire/normalise-history.ts` turns it into what one model accepts. */
export type HistoryMessage =
  | { role: 'system'; text: string }
  | {
      role: 'user';
      text: string;
      /** In the order in which they came; absent without any. The bytes are stored elsewhere, by `hash`. */
      images?: readonly HistoryImage[];
    }
  | {
      role: 'assistant';
      text: string;
      /** Reasoning as streamed by `model`; sent back only to models that demand it. */
      reasoning?: string;
      /** The id of the model that wrote it. */
      model: string;
      toolCalls: ToolCall[];
    }
  | { role: 'tool'; callId: string; name: string; text: string };

/** Token counts of one attempt or a sum of attempts. Whole numbers ≥ 0; `totalTokens` is what is billed. */
export interface Usage extends z.output<typeof schema.usage> {}

export type Charge = z.output<typeof schema.charge>;

/** Why a reply ended; foreign values are folded into these. `none`: the stream ended without saying. */
export type FinishReason = z.output<typeof schema.finishReason>;

/** One HTTP request to the service: the ledger's and the report's unit. */
export interface Attempt extends z.output<typeof schema.attempt> {}

/** For a turn, an answer or a conversation. Micro-dollars are integers. */
export interface Cost extends z.output<typeof schema.cost> {}

export type Written = Pick<Extract<DurableEvent, { type: 'userMessage' }>, 'text' | 'typed'>;

/** A file, range or text that the user attached; its text is stored so that history never changes under it. */
export interface Attachment extends z.output<typeof schema.attachment> {}

/** The forms of images that models take. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** A picture that was made ready to be sent. Its bytes never stand in an event: they are stored once, under `hash`. */
export interface ImageRef extends z.output<typeof schema.imageRef> {}

/** `label`: what the user knows it by. */
export interface HistoryImage extends ImageRef {
  label: string;
}

export const attachmentKinds = [
  'file',
  'folder',
  'symbol',
  'problems',
  'changes',
  'terminal',
  'conversation',
  'text',
  'image',
] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** Which part of the product a request was made for; the ledger's `surface`. */
export type Surface =
  | 'chat'
  | 'inline'
  | 'commit'
  | 'native-chat'
  | 'side-by-side'
  | 'completion'
  | 'review'
  | 'subagent'
  | 'git';

/** Messages that wait for the running turn at most; one more is refused. */
export const maxQueued = 10;

/**
 * How long a text may be that the panel hands over, in UTF-16 code units. The panel says so before it lets go of a longer
 * one: the host would drop it.
 */
export const maxTextLength = 2_000_000;

/** How many names of one answer the panel has looked up. */
export const maxNames = 200;
