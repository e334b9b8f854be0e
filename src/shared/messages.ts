/** The vocabulary of a conversation: what is stored, what is sent to the model, what is counted. Plain JSON only. */

/** A complete call, as the model wrote it. `arguments` is the raw text: it may be invalid JSON. */
export interface ToolCall {
  /** Our own id (`c1`, `c2` … unique within the conversation), never the service's. */
  id: string;
  name: string;
  arguments: string;
}

/** One message of the history, model-neutral. `service/wire/normalise-history.ts` turns it into what one model accepts. */
export type HistoryMessage =
  | { role: 'system'; text: string }
  | {
      role: 'user';
      text: string;
      /** What it came with, in order; absent without any. The bytes are kept elsewhere, by `hash`. */
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
export interface Usage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** True when any part is our estimate, or when what the service reported does not add up (shown as ≈). */
  estimated: boolean;
}

/** What a failed, stopped or finished attempt means for money: `chargeOf` decides. `maybe`: nobody says. */
export type Charge = 'yes' | 'no' | 'maybe';

/** Why a reply ended; foreign values are folded into these. `none`: the stream ended without saying. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'error' | 'none';

/** One HTTP request to the service: the ledger's and the report's unit. */
export interface Attempt {
  /** Local unique id; the ledger ignores a second line with the same one. */
  requestId: string;
  model: string;
  /** Epoch milliseconds. */
  startedAt: number;
  durationMs: number;
  /** Milliseconds to the first parsed event. */
  firstEventMs?: number;
  status?: number;
  outcome: 'complete' | 'incomplete' | 'stopped' | 'failed' | 'empty';
  failure?: import('./failure/failure.ts').Failure;
  usage?: Usage;
  /** The prompt as the service counted it, where that can be believed; what estimates learn from. */
  countedPrompt?: number;
  charge: Charge;
  /** How many images it carried; absent without any. */
  images?: number;
}

/** What a turn, an answer or a conversation cost. Micro-dollars are integers. */
export interface Cost {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  microUsd: number;
  estimated: boolean;
  charge: Charge;
  /** Attempts that were sent, charged or not. */
  requests: number;
}

/** What one message says. */
export interface Written {
  /** As it is sent. */
  text: string;
  /** As it was typed, when that is a command that stands for the text. It is what is shown and edited. */
  typed?: string;
}

/** A file, range or text that the user attached; its text is stored so that history never changes under it. */
export interface Attachment {
  id: string;
  /** `src/a.ts:10-24` */
  label: string;
  /** URI of the source, when there is one. */
  uri?: string;
  startLine?: number;
  endLine?: number;
  languageId?: string;
  text: string;
  /** What it was made of; absent: a file or a range of it, as before kinds were kept. */
  kind?: AttachmentKind;
  /** Of kind `image`, whose `text` is empty. */
  image?: ImageRef;
}

/** The forms of images that models take. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** A picture that was made ready to be sent. Its bytes never stand in an event: they are stored once, under `hash`. */
export interface ImageRef {
  /** SHA-256 of its data URL, in hex. */
  hash: string;
  mediaType: ImageType;
  /** In pixels, as it is sent. */
  width: number;
  height: number;
  bytes: number;
}

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
export type Surface = 'chat' | 'inline' | 'commit' | 'native-chat' | 'side-by-side';

/** Messages that wait for the running turn at most; one more is refused. */
export const maxQueued = 10;

/**
 * How long a text may be that the panel hands over, in UTF-16 code units. The panel says so before it lets go of a longer
 * one: the host would drop it.
 */
export const maxTextLength = 2_000_000;

/** How many names of one answer the panel has looked up. */
export const mostNames = 200;
