import type { Consent } from '../../agent/consent.ts';
import type { TurnInput, TurnResult } from '../../agent/turn.ts';
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/iso-time.ts';
import { messageOf } from '../../base/message-of.ts';
import { type ChatState, messageSpend } from '../../shared/chat/chat-state.ts';
import type { ChatEvent, CheckpointTaken, DurableEvent, TurnOutcome } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Ask } from '../../shared/interaction.ts';
import type { Attempt, HistoryMessage } from '../../shared/messages.ts';
import { noCost, sumCost } from '../../spend/price.ts';
import type { Interactions } from '../interactions.ts';
import { attemptsIn, liveEvents } from '../store/durable-events.ts';
import type { Timeline } from '../timeline.ts';
import { createCapacityWait } from './capacity-wait.ts';
import { createPersonTime } from './person-time.ts';
import { historyEvents, messageIndexOfTurn, type TurnStarted } from './turn-chains.ts';

export interface TurnSummary extends TurnResult {
  conversationId: string;
  turnId: string;
  requestedModel: string;
  stopReason: TurnOutcome;
}

export interface Compaction {
  summary: string;
  tokensBefore: number;
  tokensAfter: number;
  attempts?: Attempt[];
}

export type Compact = (history: HistoryMessage[], signal: AbortSignal, ask: Ask) => Promise<Compaction | undefined>;

export interface TurnHost {
  state(): ChatState;
  checkpointTaken(event: CheckpointTaken): void;
}

/** Runs the agent loop. It must not throw; if it does, the turn fails as `internal`. */
export type RunTurn = (input: TurnInput, host: TurnHost) => Promise<TurnResult>;

export interface TurnsDeps {
  id: string;
  runTurn: RunTurn;
  toHistory(events: readonly DurableEvent[]): HistoryMessage[];
  request(): TurnInput['request'];
  /** Resolves with what the user said to the running turn; `ends` resolves with the end of this turn. */
  steering?(turnId: string, step: number, ends: Promise<TurnSummary>): Promise<HistoryMessage | undefined>;
  clock: Pick<Clock, 'epochMs'> & Partial<Pick<Clock, 'sleep'>>;
  newId(): string;
  onBug(error: unknown): void;
}

export interface TurnKind {
  continues?: true;
  overBudget?: true;
  limitMicroUsd?: number;
  waitsUntil?: number;
}

export interface Turns {
  readonly busy: boolean;
  /** `before` are the events that lead to the turn. Never rejects. */
  run(before: readonly ChatEvent[], model: string, how?: TurnKind): Promise<TurnSummary>;
  compact(compact: Compact, keepFromTurnId?: string): Promise<boolean>;
  stopCall(callId: string): void;
  stop(): void;
  abort(): void;
}

/** `onIdle` is called after the last event of whatever ran. `goesOn` is false when the user should decide first. */
export function createTurns(
  deps: TurnsDeps,
  timeline: Timeline,
  asking: { consent: Consent; interactions: Interactions },
  onIdle: (goesOn: boolean) => void,
): Turns {
  const host: TurnHost = { state: timeline.state, checkpointTaken: (event) => timeline.emit(event) };
  let abort: AbortController | undefined;
  let calls = new Map<string, AbortController>();

  async function run(before: readonly ChatEvent[], model: string, how: TurnKind = {}): Promise<TurnSummary> {
    const started: TurnStarted = { type: 'turnStarted', turnId: deps.newId(), at: deps.clock.epochMs(), model };
    if (how.continues) started.continues = true;
    if (how.limitMicroUsd !== undefined) started.limitMicroUsd = how.limitMicroUsd;
    const { turnId } = started;
    abort = new AbortController();
    const { signal } = abort;
    let refused = false;
    const personTime = createPersonTime(deps.clock);
    const emit = (event: ChatEvent): void => {
      personTime.follow(event);
      refused ||= event.type === 'answered' && event.kind === 'approval' && event.value.decision !== 'allow';
      timeline.emit(event);
    };
    timeline.emit(...before, started);
    const { limitMicroUsd, microUsd: spentMicroUsd } = messageSpend(timeline.state());
    const limit = limitMicroUsd === undefined ? undefined : { microUsd: limitMicroUsd, spentMicroUsd };
    const { promise: ends, resolve } = Promise.withResolvers<TurnSummary>();
    const steering: TurnInput['steering'] = async (step) => deps.steering?.(turnId, step, ends);
    calls = new Map();
    const callSignal = (callId: string) => {
      const call = new AbortController();
      calls.set(callId, call);
      return call.signal;
    };
    const person = { consent: asking.consent, ask: asking.interactions.askFor(turnId, emit) };
    const { epochMs, sleep } = deps.clock;
    const room =
      how.waitsUntil !== undefined && sleep !== undefined
        ? createCapacityWait({
            ...{ clock: { epochMs, sleep }, turnId, until: how.waitsUntil, signal, emit },
            ...{ ask: person.ask, settled: timeline.settled },
          })
        : undefined;
    const listen = { steering, callSignal, person, ...(room && { roomAfter: room.roomAfter }) };
    const input = { turnId, model, signal, emit, ...listen, overBudget: how.overBudget, limit };
    const result = await (room === undefined || (await room.asks()) ? runSafely(input) : notStored(model));
    abort = undefined;
    const { cost, failure } = result;
    // A window that closes while nothing is under way leaves a turn that the next one goes on with.
    const outcome = signal.reason === closing && room?.pauses() ? 'interrupted' : result.outcome;
    const waitedMs = personTime.ms();
    timeline.emit({
      ...{ type: 'turnEnded', turnId, at: deps.clock.epochMs(), outcome, cost },
      ...(failure && outcome !== 'interrupted' && { failure }),
      ...(waitedMs > 0 && { waitedMs }),
    });
    onIdle(outcome === 'finished' && !refused);
    await timeline.settled();
    resolve({ ...result, conversationId: deps.id, turnId, requestedModel: model, stopReason: outcome });
    return ends;
  }

  async function runSafely(input: Omit<TurnInput, 'history' | 'request'>): Promise<TurnResult> {
    const { turnId, model } = input;
    try {
      const history = deps.toHistory(historyEvents(timeline.events, turnId));
      return await deps.runTurn({ ...input, history, request: deps.request() }, host);
    } catch (error) {
      deps.onBug(error);
      const message = messageOf(error);
      const failure: Failure = { kind: 'internal', message, model, at: isoTime(deps.clock.epochMs()) };
      return { outcome: 'failed', failure, cost: sumCost(attemptsOf(timeline.events, turnId)), text: '', model };
    }
  }

  function notStored(model: string): TurnResult {
    const failure: Failure = { kind: 'storage', message: '', model, at: isoTime(deps.clock.epochMs()) };
    return { outcome: 'failed', failure, cost: noCost, text: '', model };
  }

  async function compact(make: Compact, keepFromTurnId?: string): Promise<boolean> {
    const events = liveEvents(timeline.events);
    const keepFrom = keepFromTurnId === undefined ? undefined : messageIndexOfTurn(events, keepFromTurnId);
    const history = deps.toHistory(historyEvents(events.slice(0, keepFrom)));
    if (history.length === 0) return false;
    abort = new AbortController();
    const { signal } = abort;
    let compaction: Compaction | undefined;
    try {
      compaction = await make(history, signal, asking.interactions.askFor(undefined, timeline.emit));
    } catch (error) {
      abort = undefined;
      onIdle(false);
      throw error;
    } finally {
      withdraw();
    }
    abort = undefined;
    const done = compaction !== undefined && !signal.aborted;
    if (compaction !== undefined && done) {
      const turnId = (keepFrom === undefined ? undefined : keepFromTurnId) ?? deps.newId();
      timeline.emit({ type: 'compacted', turnId, ...compaction });
    }
    onIdle(done);
    await timeline.settled();
    return done;
  }

  /** Closes the question in the state; a turn's end does that for the questions of the turn. */
  function withdraw(): void {
    const { asked } = timeline.state();
    if (asked !== undefined) timeline.emit({ type: 'answered', id: asked.id, kind: asked.kind, value: false });
  }

  return {
    get busy() {
      return abort !== undefined;
    },
    run,
    compact,
    stopCall: (callId) => calls.get(callId)?.abort(),
    stop() {
      if (abort === undefined || abort.signal.aborted) return;
      const turnId = timeline.state().running?.turnId;
      if (turnId !== undefined) timeline.emit({ type: 'stopping', turnId });
      abort.abort();
    },
    abort: () => abort?.abort(closing),
  };
}

const closing = 'closing';

export function attemptsOf(events: readonly DurableEvent[], turnId: string): Attempt[] {
  return events.flatMap((event) => ('turnId' in event && event.turnId === turnId ? attemptsIn(event) : []));
}
