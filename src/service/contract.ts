import type { Notice } from '../shared/events.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { CostQuestion, RetryWait, WaitSkip } from '../shared/interaction.ts';
import type { Attempt, FinishReason, HistoryMessage, Surface, Usage } from '../shared/messages.ts';

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  isExternal?: true;
}

export interface ChatRequest {
  model: string;
  messages: readonly HistoryMessage[];
  tools?: readonly ToolDefinition[];
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stop?: readonly string[];
  surface: Surface;
  // No other model takes over, whatever the settings say.
  ownModel?: true;
  expects?: ReplyExpectation;
}

export interface ReplyExpectation {
  of: string;
  tokens: number;
  /** The answer is made of calls; otherwise a reply of calls alone is a step on the way to it. */
  inCalls?: true;
}

/**
 * A question to the user. Nothing is sent before the price is agreed to, and without an answer nothing is; a wait ends by itself
 * with `over`, an answer cuts it short, and once it is over an answer does nothing.
 */
export type StreamQuestion =
  | { type: 'asked'; kind: 'cost'; about: CostQuestion; answer(goOn?: boolean): void }
  | { type: 'asked'; kind: 'wait'; about: RetryWait; over: AbortSignal; answer(how?: WaitSkip): void };

/** Events come in order of time. They are synchronous, so a slow listener slows the stream. */
export type StreamEvent =
  | { type: 'requestSent'; requestId: string; model: string; at: number }
  | { type: 'responseStarted'; model: string }
  | StreamQuestion
  | { type: 'notice'; notice: Notice }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Previews a call that is being written. A call must never be run from this event. */
  | { type: 'toolForming'; key: string; name: string; argumentsDelta: string }
  /** Comes once per request that was sent, whatever became of it, and is the ledger's only source. */
  | { type: 'attemptEnded'; attempt: Attempt };

/** The name is cleaned, while the arguments are raw text that the caller must parse strictly. */
export interface ReplyCall {
  name: string;
  arguments: string;
}

export interface Reply {
  requestedModel: string;
  model: string;
  reportedModel?: string;
  text: string;
  reasoning: string;
  /**
   * The list is empty without terminal evidence and after a filter or an error. With `finish: 'length'` the last call
   * may be cut, and none may be run.
   */
  toolCalls: ReplyCall[];
  finish: FinishReason;
  /**
   * `finish` means that a finish reason came, `inferred` that something else proved the end, such as `[DONE]`, and
   * `none` that the reply is incomplete.
   */
  evidence: 'finish' | 'inferred' | 'none';
  /** Counts malformed events that were skipped. With one or more, nothing may be written to disk from this reply. */
  damagedEvents: number;
  lost?: string[];
  /** Says that something came: events of a reply, or those of which nothing could be read. */
  arrived?: 'events' | 'unread';
  /** A call was lost: it was written as text, or it was announced and did not come. */
  toolMarkup: boolean;
  /**
   * Holds all hidden markup when it consists of whole calls and nothing follows them. It is absent when the reply
   * also has regular calls.
   */
  leaked?: {
    place: 'text' | 'reasoning';
    text: string;
    calls: (ReplyCall & { source: string })[];
  };
  usage?: Usage;
  countedPrompt?: number;
  countedCompletion?: number;
}

/** `failed` and `stopped` keep what was received. `attempts` has one entry per request that was sent, in order. */
export type StreamResult =
  | { outcome: 'done'; reply: Reply; attempts: Attempt[] }
  | { outcome: 'stopped'; reply: Reply; attempts: Attempt[] }
  | { outcome: 'failed'; reply: Reply; failure: Failure; attempts: Attempt[] };

export interface ServiceModel {
  id: string;
  name: string;
}

export type ModelList = { ok: true; models: ServiceModel[] } | { ok: false; failure: Failure };

/** `unknown` means that the service could not be asked; `failure` says why. */
export type KeyCheck = { state: 'accepted' } | { state: 'rejected' } | { state: 'unknown'; failure: Failure };

/** Called before every further attempt of a step with the request that it would send. A failure ends the step. */
export type Admit = (request: ChatRequest) => Promise<Failure | undefined>;

type Send = (
  request: ChatRequest,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
  /** The caller has already admitted the first attempt. */
  admit?: Admit,
) => Promise<StreamResult>;

/** Never throws and never rejects for anything the service or the network does. */
export interface ServiceClient {
  /** Streams unless this model is known not to. Both ways give the same events. */
  stream: Send;
  complete: Send;
  /** Costs nothing. Asks the address in use unless another is given. */
  listModels(signal: AbortSignal, address?: string): Promise<ModelList>;
  checkKey(key: string, signal: AbortSignal): Promise<KeyCheck>;
}
