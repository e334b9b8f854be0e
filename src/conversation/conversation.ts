import type { TurnInput, TurnResult } from '../agent/loop.ts';
import { isoTime } from '../service/iso-time.ts';
import { type ChatState, emptyChat, reduceChat } from '../shared/chat-state.ts';
import type { ChatEvent, DurableEvent, TurnOutcome } from '../shared/events.ts';
import type { Failure } from '../shared/failure.ts';
import type { Attachment, Attempt, HistoryMessage } from '../shared/messages.ts';
import { sumCost } from '../spend/price.ts';
import { closeInterrupted, pushEvent } from './durable-events.ts';
import { titleOf } from './summary.ts';
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
  const events: DurableEvent[] = closeInterrupted(deps.events);
  const listeners = new Set<(events: readonly ChatEvent[]) => void>();
  const store = createStoring(deps);
  let state = replay(deps.id, events);
  let abort: AbortController | undefined;

  function emit(...batch: ChatEvent[]): void {
    for (const event of batch) {
      if (!isDurable(event)) continue;
      pushEvent(events, event);
      store.append(event);
    }
    // A partial repeats what the deltas said; folding it would also take a call that is being written off the screen.
    show(batch.filter((event) => event.type !== 'stepPartial'));
  }

  function show(shown: readonly ChatEvent[]): void {
    if (shown.length === 0) return;
    for (const event of shown) state = reduceChat(state, event, deps.clock.epochMs());
    for (const listener of [...listeners]) {
      try {
        listener(shown);
      } catch (error) {
        // What a listener does wrong must not end the turn.
        deps.onBug(error);
      }
    }
  }

  /** The first events of a conversation; nothing is stored before there is a message. */
  function beginning(title: string): ChatEvent[] {
    if (events.length > 0) return state.title === '' && title !== '' ? [{ type: 'titleChanged', title }] : [];
    const begin: ChatEvent[] = [
      { type: 'created', conversationId: deps.id, at: deps.clock.epochMs(), workspace: deps.workspace },
    ];
    if (state.model !== '') begin.push({ type: 'modelChanged', model: state.model });
    return title === '' ? begin : [...begin, { type: 'titleChanged', title }];
  }

  function setModel(model: string): void {
    if (model === state.model) return;
    const changed: ChatEvent = { type: 'modelChanged', model };
    if (events.length > 0) emit(changed);
    else show([changed]);
  }

  async function run(before: ChatEvent[], model: string, continues?: true): Promise<TurnSummary> {
    const started: TurnStarted = { type: 'turnStarted', turnId: deps.newId(), at: deps.clock.epochMs(), model };
    if (continues) started.continues = true;
    const { turnId } = started;
    const controller = new AbortController();
    abort = controller;
    emit(...before, started);
    const result = await runSafely(turnId, model, controller.signal);
    abort = undefined;
    const { outcome, cost, failure } = result;
    emit({ type: 'turnEnded', turnId, at: deps.clock.epochMs(), outcome, cost, ...(failure && { failure }) });
    await store.settled();
    return { ...result, conversationId: deps.id, turnId, requestedModel: model, stopReason: outcome };
  }

  async function runSafely(turnId: string, model: string, signal: AbortSignal): Promise<TurnResult> {
    try {
      const history = deps.toHistory(historyEvents(events, turnId));
      return await deps.runTurn({ turnId, history, model, request: deps.request(), emit, signal });
    } catch (error) {
      deps.onBug(error);
      const message = error instanceof Error ? error.message : String(error);
      const failure: Failure = { kind: 'internal', message, model, at: isoTime(deps.clock.epochMs()) };
      return { outcome: 'failed', failure, cost: sumCost(attemptsOf(events, turnId)), text: '', model };
    }
  }

  /** Asks again for the last message: from the start, or going on with its last answer. */
  async function again(continues?: true): Promise<TurnSummary> {
    refuseWhileRunning();
    if (!events.some((event) => event.type === 'userMessage')) throw new Error('There is no message to answer.');
    const model = state.model || (events.findLast((event) => event.type === 'turnStarted')?.model ?? '');
    return run([], model, continues);
  }

  function refuseWhileRunning(): void {
    if (abort !== undefined) throw new Error('A turn is already running.');
  }

  return {
    id: deps.id,
    get running() {
      return abort !== undefined;
    },
    state: () => state,
    model: () => state.model,
    setModel,
    onEvents(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async send({ text, attachments, model }) {
      refuseWhileRunning();
      const labels = attachments.map((attachment) => attachment.label);
      const before = beginning(titleOf(text, labels));
      if (model !== state.model) before.push({ type: 'modelChanged', model });
      before.push({ type: 'userMessage', id: deps.newId(), at: deps.clock.epochMs(), text, attachments });
      return run(before, model);
    },
    retry: () => again(),
    continueTurn: () => again(true),
    stop() {
      const turnId = state.running?.turnId;
      if (abort === undefined || turnId === undefined || abort.signal.aborted) return;
      emit({ type: 'stopping', turnId });
      abort.abort();
    },
    attempts: (turnId) => attemptsOf(events, turnId),
    dispose() {
      listeners.clear();
      abort?.abort();
    },
  };
}

/** Hands events to the disk in order without ever holding up the turn. */
function createStoring(deps: Pick<ConversationDeps, 'append' | 'onStorageError'>) {
  let failing = false;
  const open = new Set<Promise<void>>();
  return {
    append(event: DurableEvent): void {
      const done = deps.append(event).then(
        () => {
          failing = false;
        },
        (error: unknown) => {
          if (!failing) deps.onStorageError(error);
          failing = true;
        },
      );
      open.add(done);
      void done.finally(() => open.delete(done));
    },
    /** When everything handed over so far is stored or has failed. */
    settled: async (): Promise<void> => void (await Promise.all(open)),
  };
}

function replay(id: string, events: readonly DurableEvent[]): ChatState {
  let state: ChatState = { ...emptyChat, conversationId: id };
  for (const event of events) state = reduceChat(state, event, 'at' in event ? event.at : 0);
  return state;
}

function attemptsOf(events: readonly DurableEvent[], turnId: string): Attempt[] {
  return events.flatMap((event) => (event.type === 'stepFinished' && event.turnId === turnId ? event.attempts : []));
}

function isDurable(event: ChatEvent): event is DurableEvent {
  switch (event.type) {
    case 'requestSent':
    case 'responseStarted':
    case 'retrying':
    case 'textDelta':
    case 'reasoningDelta':
    case 'toolForming':
    case 'toolStarted':
    case 'stopping':
      return false;
    default:
      return true;
  }
}
