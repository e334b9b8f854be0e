import type * as z from 'zod/mini';
import type * as schema from './event-schema.ts';
import type { DurableEvent } from './events.ts';

export interface ToolCall extends z.output<typeof schema.toolCall> {}

export type HistoryMessage =
  | { role: 'system'; text: string }
  | {
      role: 'user';
      text: string;
      images?: readonly HistoryImage[];
    }
  | {
      role: 'assistant';
      text: string;
      /** Reasoning is sent back only to models that demand it. */
      reasoning?: string;
      model: string;
      toolCalls: ToolCall[];
    }
  | { role: 'tool'; callId: string; name: string; text: string };

/**
 * Counts the tokens of one attempt or of a sum of attempts. They are whole numbers of at least 0, and `totalTokens`
 * is billed.
 */
export interface Usage extends z.output<typeof schema.usage> {}

export type Charge = z.output<typeof schema.charge>;

export type FinishReason = z.output<typeof schema.finishReason>;

export interface Attempt extends z.output<typeof schema.attempt> {}

export interface Cost extends z.output<typeof schema.cost> {}

export type Written = Pick<Extract<DurableEvent, { type: 'userMessage' }>, 'text' | 'typed'>;

/** The text of an attachment is stored, so that history never changes under it. */
export interface Attachment extends z.output<typeof schema.attachment> {}

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The bytes are never part of an event; they are stored once, under `hash`. */
export interface ImageRef extends z.output<typeof schema.imageRef> {}

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

export const maxQueued = 10;

/**
 * Limits a text from the panel, in UTF-16 code units. The panel reports a longer one before sending it, because the
 * host would drop it.
 */
export const maxTextLength = 2_000_000;

export const maxNames = 200;

export function joinTexts(above: string, below: string): string {
  if (above.trim() === '') return below;
  return below.trim() === '' ? above : `${above}\n\n${below}`;
}
