import type { TurnInput, TurnResult } from '../agent/loop.ts';
import { isoTime } from '../service/iso-time.ts';
import type { ChatState } from '../shared/chat-state.ts';
import type { ChatEvent, DurableEvent, TurnOutcome } from '../shared/events.ts';
import type { Failure } from '../shared/failure.ts';
import type { Attachment, Attempt, HistoryMessage } from '../shared/messages.ts';
import { sumCost } from '../spend/price.ts';
import { titleOf } from './summary.ts';
import { createTimeline } from './timeline.ts';
import { historyEvents, type TurnStarted } from './turn-chains.ts';

export interface TurnSummary extends TurnResult {
  conversationId: string;
  turnId: string;
  requestedModel: string;
  /** The same as `outcome`, under the name that callers outside know. */
  stopReason: TurnOutcome;
}

export interface Conversation {
  readonly id: string;
  readonly running: boolean;
  state(): ChatState;
  /** For the next turn; empty until one was chosen. */
  model(): string;
  setModel(id: string): void;
  /** Called synchronously with each event or group of events, after they were folded into `state()`. */
  onEvents(listener: (events: readonly ChatEvent[]) => void): () => void;
  /** Resolves when the turn is over, whatever its end. Rejects only when a turn is running. */
  send(input: { text: string; attachments: Attachment[]; model: string }): Promise<TurnSummary>;
  /** Asks the last message again. The answers it had stay visible and are not sent. */
  retry(): Promise<TurnSummary>;
  /** Goes on with an answer that was cut: its text is sent with a request to continue that is not shown. */
  continueTurn(): Promise<TurnSummary>;
  /** The turn resolves `stopped` and keeps what it has. Does nothing when none runs. */
  stop(): void;
  attempts(turnId: string): Attempt[];
  /** Stops a running turn and lets its end be stored; no listener is called any more. */
  dispose(): void;
}

export interface ConversationDeps {
  id: string;
  /** What was stored, in order; empty for a new conversation, which is stored from its first message on. */
  events: readonly DurableEvent[];
  /** Keeps what it could not store and stores it before the next one; rejects to say so. */
  append(event: DurableEvent): Promise<void>;
  /** The agent loop. It must not throw; if it does, the turn fails as `internal`. */
  runTurn(input: TurnInput): Promise<TurnResult>;
  toHistory(events: readonly DurableEvent[]): HistoryMessage[];
  request(): TurnInput['request'];
  clock: { epochMs(): number };
  newId(): string;
  workspace?: string;
  /** Once when storing begins to fail, not for every event; the reply itself is never lost by it (E15). */
  onStorageError(error: unknown): void;
  /** A bug: something threw that must not. For the log. */
  onBug(error: unknown): void;
}

export function createConversation(deps: ConversationDeps): Conversation {
  const timeline = createTimeline(deps);
  let abort: AbortController | undefined;

  async function run(before: readonly ChatEvent[], model: string, continues?: true): Promise<TurnSummary> {
    const started: TurnStarted = { type: 'turnStarted', turnId: deps.newId(), at: deps.clock.epochMs(), model };
    if (continues) started.continues = true;
    const { turnId } = started;
    abort = new AbortController();
    const { signal } = abort;
    timeline.emit(...before, started);
    const result = await runSafely(turnId, model, signal);
    abort = undefined;
    const { outcome, cost, failure } = result;
    timeline.emit({ type: 'turnEnded', turnId, at: deps.clock.epochMs(), outcome, cost, ...(failure && { failure }) });
    await timeline.settled();
    return { ...result, conversationId: deps.id, turnId, requestedModel: model, stopReason: outcome };
  }

  async function runSafely(turnId: string, model: string, signal: AbortSignal): Promise<TurnResult> {
    try {
      const history = deps.toHistory(historyEvents(timeline.events, turnId));
      const request = deps.request();
      return await deps.runTurn({ turnId, history, model, request, emit: (event) => timeline.emit(event), signal });
    } catch (error) {
      deps.onBug(error);
      const message = error instanceof Error ? error.message : String(error);
      const failure: Failure = { kind: 'internal', message, model, at: isoTime(deps.clock.epochMs()) };
      return { outcome: 'failed', failure, cost: sumCost(attemptsOf(timeline.events, turnId)), text: '', model };
    }
  }

  /** Asks again for the last message: from the start, or going on with its last answer. */
  async function again(continues?: true): Promise<TurnSummary> {
    refuseWhileRunning();
    const lastTurn = timeline.events.findLast((event) => event.type === 'turnStarted');
    if (lastTurn === undefined) throw new Error('There is no message to answer.');
    return run([], timeline.state().model || lastTurn.model, continues);
  }

  function refuseWhileRunning(): void {
    if (abort !== undefined) throw new Error('A turn is already running.');
  }

  return {
    id: deps.id,
    get running() {
      return abort !== undefined;
    },
    state: timeline.state,
    model: () => timeline.state().model,
    setModel(model) {
      const changed: ChatEvent = { type: 'modelChanged', model };
      if (model === timeline.state().model) return;
      if (timeline.events.length > 0) timeline.emit(changed);
      else timeline.show([changed]);
    },
    onEvents: timeline.onEvents,
    async send({ text, attachments, model }) {
      refuseWhileRunning();
      const title = titleOf(
        text,
        attachments.map((attachment) => attachment.label),
      );
      const before = beginning(deps, timeline.state(), timeline.events.length > 0, title);
      if (model !== timeline.state().model) before.push({ type: 'modelChanged', model });
      before.push({ type: 'userMessage', id: deps.newId(), at: deps.clock.epochMs(), text, attachments });
      return run(before, model);
    },
    retry: () => again(),
    continueTurn: () => again(true),
    stop() {
      const turnId = timeline.state().running?.turnId;
      if (abort === undefined || turnId === undefined || abort.signal.aborted) return;
      timeline.emit({ type: 'stopping', turnId });
      abort.abort();
    },
    attempts: (turnId) => attemptsOf(timeline.events, turnId),
    dispose() {
      timeline.removeListeners();
      abort?.abort();
    },
  };
}

/** The first events of a conversation; nothing is stored before there is a message. */
function beginning(
  deps: Pick<ConversationDeps, 'id' | 'clock' | 'workspace'>,
  { model, title: known }: ChatState,
  begun: boolean,
  title: string,
): DurableEvent[] {
  const titled: DurableEvent[] = title !== '' && known === '' ? [{ type: 'titleChanged', title }] : [];
  if (begun) return titled;
  const created: DurableEvent = { type: 'created', conversationId: deps.id, at: deps.clock.epochMs() };
  if (deps.workspace !== undefined) created.workspace = deps.workspace;
  const chosen: DurableEvent[] = model === '' ? [] : [{ type: 'modelChanged', model }];
  return [created, ...chosen, ...titled];
}

function attemptsOf(events: readonly DurableEvent[], turnId: string): Attempt[] {
  return events.flatMap((event) => (event.type === 'stepFinished' && event.turnId === turnId ? event.attempts : []));
}
