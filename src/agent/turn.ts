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
  client: Pick<ServiceClient, 'stream'>;
  /** The list is empty in a workspace that is not trusted. */
  tools: readonly Tool[];
  access?: readonly ToolAccess[];
  /**
   * Is called anew for each request, because the files touched meanwhile decide which instructions are in force. The
   * text only grows within a turn.
   */
  systemPrompt(history: readonly HistoryMessage[]): string;
  rulesNote?(history: readonly HistoryMessage[]): string | undefined;
  dialect?: Dialect;
  clock: Clock;
  maxSteps(): number;
  isDone?(): boolean;
  newCallId(): string;
  /**
   * Leaves out what `model` can do without, and what exceeds `room` (estimated tokens of the messages). Without it
   * all messages are sent. It must not change them.
   */
  economise?(
    messages: readonly HistoryMessage[],
    model: string,
    room?: number,
  ): { messages: readonly HistoryMessage[]; saved: { tokens: number } };
  checks?: EditChecks;
  window?: RequestWindow;
  log(line: string): void;
}

export interface EditChecks {
  /**
   * Must be called before the first change of a reply, and the returned function once after the last. That resolves
   * with a text for the model about new errors, empty when there are none.
   */
  begin(): (signal: AbortSignal) => Promise<string>;
  late(signal: AbortSignal): Promise<string>;
  left(signal: AbortSignal): Promise<ErrorsLeft | undefined>;
}

export interface TurnInput {
  turnId: string;
  history: readonly HistoryMessage[];
  model: string;
  request: Pick<ChatRequest, 'maxTokens' | 'temperature' | 'topP' | 'seed' | 'stop' | 'surface' | 'ownModel'>;
  /** Must be synchronous and must not throw. */
  emit(event: ChatEvent): void;
  signal: AbortSignal;
  /** Without a person, every call that needs consent is refused. */
  person?: { consent: Consent; ask: Ask };
  /**
   * Resolves with what the user said to the running turn, as the message that the model gets after everything of
   * `step`. It is stored when this resolves, and returned once.
   */
  steering?(step: number): Promise<HistoryMessage | undefined>;
  callSignal?(callId: string): AbortSignal;
  /** Continue Once sets this: the limits of a day and of a conversation do not hold for this turn. */
  overBudget?: boolean;
  /** Resolves with true once a request that found no model with room may be sent again. */
  roomAfter?(failure: Failure, step: number): Promise<boolean>;
  /** No request of the turn is sent that would cost more than this, with what the message has cost before. */
  limit?: { microUsd: number; spentMicroUsd: number } | undefined;
}

export interface TurnResult {
  outcome: TurnOutcome;
  failure?: Failure;
  cost: Cost;
  text: string;
  model: string;
}

export interface RequestWindow {
  /**
   * `max` is the size beyond which a request comes too near to the model's known limit; it is absent where nothing is
   * known.
   */
  size(request: ChatRequest): { tokens: number; max?: number };
  /** Writes the summary that stands for `history`. Never rejects. `onEvent` receives the events of its requests. */
  summarise(
    history: readonly HistoryMessage[],
    model: string,
    listening: { signal: AbortSignal; onEvent(event: StreamEvent): void },
  ): Promise<TurnSummaryResult>;
}

/** No summary is written when it would not be shorter, or was cut, stopped, or failed. Attempts are always there. */
export interface TurnSummaryResult {
  written?: TurnSummaryText;
  failure?: Failure;
  attempts: Attempt[];
}

interface TurnSummaryText {
  summary: string;
  message: HistoryMessage;
  tokensBefore: number;
  tokensAfter: number;
}
