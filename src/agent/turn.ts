import type { Clock } from '../base/clock.ts';
import type { ChatRequest, ServiceClient, StreamEvent } from '../service/contract.ts';
import type { ChatEvent, ErrorsLeft, TurnOutcome } from '../shared/events.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { Ask } from '../shared/interaction.ts';
import type { Attempt, Cost, HistoryMessage } from '../shared/messages.ts';
import type { Consent } from './consent.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { Tool, ToolAccess } from './tool.ts';

export interface LoopDeps {
  /** The metered client: budget before, ledger after. */
  client: Pick<ServiceClient, 'stream'>;
  /** Empty in a workspace that is not trusted. */
  tools: readonly Tool[];
  /** All that the mode of the turn lets a call do; without it everything. */
  access?: readonly ToolAccess[];
  /** Anew for each request: what was touched meanwhile decides which instructions are in force. Only grows within a turn. */
  systemPrompt(history: readonly HistoryMessage[]): string;
  /** A sentence for the user when others are in force than for the request before. */
  rulesNote?(history: readonly HistoryMessage[]): string | undefined;
  /** Absent: only calls in our own words are understood. */
  dialect?: Dialect;
  clock: Clock;
  /** Requests of one turn at most. */
  maxSteps(): number;
  /** Asked after the calls of a reply: a tool has said that nothing follows, so no further request is needed. */
  isDone?(): boolean;
  /** Unique within the conversation, `^[a-zA-Z0-9_-]{1,40}$`. */
  newCallId(): string;
  /**
   * Leaves out what `model` can do without, and what is beyond `room` (tokens of the messages, estimated); says how many tokens that
   * saved. Without it all messages are sent. Must not change them.
   */
  economise?(
    messages: readonly HistoryMessage[],
    model: string,
    room?: number,
  ): { messages: readonly HistoryMessage[]; saved: { tokens: number } };
  /** Absent: what a reply changed is not looked at. */
  checks?: EditChecks;
  /** How a turn stays within what the model takes; without it a request that is too long ends the turn. */
  window?: RequestWindow;
  log(line: string): void;
}

/** Tells of errors that appeared since a reply began to change files. */
export interface EditChecks {
  /** Called before the first change; what it gives is called once after the last. Gives a text for the model, empty when all is well. */
  begin(): (signal: AbortSignal) => Promise<string>;
  /** For a reply that changes nothing: what a checker has said that was too late for the reply before; empty when there is nothing. */
  late(signal: AbortSignal): Promise<string>;
  /** At the end of the turn: the errors that were not there before its first change; undefined when there is none. */
  left(signal: AbortSignal): Promise<ErrorsLeft | undefined>;
}

export interface TurnInput {
  turnId: string;
  /** Everything before this turn and the user's message, without a system message. */
  history: readonly HistoryMessage[];
  model: string;
  request: Pick<ChatRequest, 'maxTokens' | 'temperature' | 'topP' | 'seed' | 'stop' | 'surface'>;
  /** Synchronous; must not throw. */
  emit(event: ChatEvent): void;
  signal: AbortSignal;
  /** Who is asked about what a tool is about to do; without it every call that needs consent is refused. */
  person?: { consent: Consent; ask: Ask };
  /**
   * Words of the user that wait for the next step, as the message that the model gets after everything of `step`. They are
   * stored when this resolves, and come out once.
   */
  steering?(step: number): Promise<HistoryMessage | undefined>;
  /** Aborted when the user stops this call alone. */
  callSignal?(callId: string): AbortSignal;
  /** Continue Once: the limits of a day and of a conversation do not hold for this turn. */
  overBudget?: boolean;
}

export interface TurnResult {
  outcome: TurnOutcome;
  /** With `failed`, and with `limit` when the spend limit was it. */
  failure?: Failure;
  cost: Cost;
  /** The answer: the text of the last step that wrote any. */
  text: string;
  /** The model that answered last. */
  model: string;
}

/** Keeps the loop within what a model takes. */
export interface RequestWindow {
  /** Tokens of a request, and those beyond which it comes too near to what its model is known to take; no bound where nothing is known. */
  size(request: ChatRequest): { tokens: number; max?: number };
  /** Writes the summary that stands for `history`. Never rejects. `onEvent` hears of its requests as of any others. */
  summarise(
    history: readonly HistoryMessage[],
    model: string,
    listening: { signal: AbortSignal; onEvent(event: StreamEvent): void },
  ): Promise<TurnSummaryResult>;
}

/** Nothing is written when the summary would not be shorter, was cut, stopped, or failed. */
export interface TurnSummaryResult {
  written?: TurnSummaryText;
  failure?: Failure;
  /** There whatever became of the summary. */
  attempts: Attempt[];
}

interface TurnSummaryText {
  summary: string;
  /** The summary as the message that is sent. */
  message: HistoryMessage;
  tokensBefore: number;
  tokensAfter: number;
}
