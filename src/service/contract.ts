import type { Notice } from '../shared/events.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { CostQuestion, RetryWait, WaitSkip } from '../shared/interaction.ts';
import type { Attempt, FinishReason, HistoryMessage, Surface, Usage } from '../shared/messages.ts';

/** The service as the rest of the product sees it. Nothing above this folder knows the wire format. */

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON schema object: `type`, `properties`, `required`. */
  parameters: Record<string, unknown>;
}

/** One step: what to ask of which model. Unset optional fields are not sent. */
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
}

/**
 * A question to the user. Nothing is sent before the price is agreed to, and without an answer nothing is; a wait ends by itself
 * with `over`, an answer cuts it short, and once it is over an answer does nothing.
 */
export type StreamQuestion =
  | { type: 'asked'; kind: 'cost'; about: CostQuestion; answer(goOn?: boolean): void }
  | { type: 'asked'; kind: 'wait'; about: RetryWait; over: AbortSignal; answer(how?: WaitSkip): void };

/** In order of time. Synchronous: a slow listener slows the stream. */
export type StreamEvent =
  | { type: 'requestSent'; requestId: string; model: string; at: number }
  /** Response headers of a 200 have arrived. */
  | { type: 'responseStarted'; model: string }
  | StreamQuestion
  | { type: 'notice'; notice: Notice }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Preview of a call being written. Never run from this. */
  | { type: 'toolForming'; key: string; name: string; argumentsDelta: string }
  /** Once per request that was sent, whatever its end; the ledger's only source. */
  | { type: 'attemptEnded'; attempt: Attempt };

/** A call as folded at the end of the stream: name cleaned, arguments raw text (strict parsing is the caller's). */
export interface ReplyCall {
  name: string;
  arguments: string;
}

export interface Reply {
  requestedModel: string;
  /** The model that was asked in the attempt that produced this. */
  model: string;
  /** `model` as the reply names it, when it differs. */
  reportedModel?: string;
  text: string;
  reasoning: string;
  /**
   * Empty without terminal evidence and after a filter or an error. With `finish: 'length'` the last one may be
   * cut, and none may be run.
   */
  toolCalls: ReplyCall[];
  finish: FinishReason;
  /** `finish`: a finish reason came; `inferred`: only `[DONE]`; `none`: neither, so the reply is incomplete. */
  evidence: 'finish' | 'inferred' | 'none';
  /** Malformed events that were skipped; with one or more nothing may be written to disk from this reply. */
  damagedEvents: number;
  /** The damaged events, as they came, whose words are missing where the text says so; absent when none are. */
  lost?: string[];
  /** Tool-call markup was found in the text and hidden. */
  toolMarkup: boolean;
  /** All of that markup, when it consists of whole calls and nothing follows them; absent beside calls in their place. */
  leaked?: {
    place: 'text' | 'reasoning';
    text: string;
    calls: (ReplyCall & { /** As it stands there. */ source: string })[];
  };
  usage?: Usage;
  /** Prompt tokens as the service named them. */
  countedPrompt?: number;
  /** Tokens of the reply as the service named them. */
  countedCompletion?: number;
}

/** `failed` and `stopped` keep what was received. `attempts` in order, one per request sent. */
export type StreamResult =
  | { outcome: 'done'; reply: Reply; attempts: Attempt[] }
  | { outcome: 'stopped'; reply: Reply; attempts: Attempt[] }
  | { outcome: 'failed'; reply: Reply; failure: Failure; attempts: Attempt[] };

export interface ServiceModel {
  id: string;
  name: string;
}

export type ModelList = { ok: true; models: ServiceModel[] } | { ok: false; failure: Failure };

/** `unknown`: the service could not be asked; `failure` says why. */
export type KeyCheck = { state: 'accepted' } | { state: 'rejected' } | { state: 'unknown'; failure: Failure };

/** Asked before every further attempt of a step, with what it would send; a failure ends the step. */
export type Admit = (request: ChatRequest) => Promise<Failure | undefined>;

type Send = (
  request: ChatRequest,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
  /** The first attempt has been admitted by whoever calls. */
  admit?: Admit,
) => Promise<StreamResult>;

/** Never throws and never rejects for anything the service or the network does. */
export interface ServiceClient {
  /** Streams where the model is known to, else asks for the whole reply; both give the same events. */
  stream: Send;
  /** Never streams; for short jobs. */
  complete: Send;
  /** Free. Of the address in use unless another is given. */
  listModels(signal: AbortSignal, address?: string): Promise<ModelList>;
  checkKey(key: string, signal: AbortSignal): Promise<KeyCheck>;
}
