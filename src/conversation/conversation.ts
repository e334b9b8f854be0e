import { type AlwaysAllowed, type AutoApproveRule, createConsent } from '../agent/consent.ts';
import type { Event } from '../base/emitter.ts';
import type { ChatState, UserItem } from '../shared/chat/chat-state.ts';
import type { ChatEvent, DurableEvent, Worktree } from '../shared/events.ts';
import type { Answered } from '../shared/interaction.ts';
import type { Attachment, Attempt, Written } from '../shared/messages.ts';
import { createInteractions } from './interactions.ts';
import { createOutbox } from './outbox.ts';
import type { QueuedMessage, QueueState } from './queue.ts';
import { liveEvents } from './store/durable-events.ts';
import { ConversationInUseError } from './store/writer.ts';
import { titleOf } from './summary.ts';
import { createTimeline } from './timeline.ts';
import { longestWaitMs, waitsUntil } from './turns/capacity-wait.ts';
import {
  attemptsOf,
  type Compact,
  createTurns,
  type TurnKind,
  type TurnSummary,
  type TurnsDeps,
} from './turns/turns.ts';

export type { Compaction, TurnSummary } from './turns/turns.ts';

export interface Message extends Written {
  id?: string;
  attachments: Attachment[];
  model: string;
  limitMicroUsd?: number;
}

export interface Conversation {
  readonly id: string;
  readonly running: boolean;
  /**
   * Is true while another window runs a turn of this conversation: it can be read here, and is created anew when that
   * has ended.
   */
  readonly readOnly: boolean;
  state(): ChatState;
  model(): string;
  setModel(id: string): void;
  setBudget(microUsd: number, run?: ChatState['budgetRun']): void;
  /**
   * From the next message on the conversation's tools work in this worktree, or in the workspace with undefined;
   * `patch` is then the file with the changes of the worktree that was left.
   */
  setWorktree(worktree: Worktree | undefined, patch?: string): void;
  pickTools(names: readonly string[]): void;
  /** Is called synchronously with each event or group of events, after `state()` includes them. */
  onDidEmit: Event<[events: readonly ChatEvent[]]>;
  /** Resolves when everything that happened so far is stored or has failed to be. */
  stored(): Promise<unknown>;
  /** Resolves when the turn is over, whatever its end. Rejects only when a turn is running. */
  send(message: Message): Promise<TurnSummary>;
  /** Asks the last message again. Its earlier answers stay visible and are not sent. */
  retry(): Promise<TurnSummary>;
  /** Continues an answer that was cut. Its text is sent with a request to continue that is not shown. */
  continueTurn(): Promise<TurnSummary>;
  /** Continues a turn that a spending limit ended. The limits of a day and a conversation do not hold for this one. */
  continueOverBudget(): Promise<TurnSummary>;
  continueUpTo(limitMicroUsd: number): Promise<TurnSummary>;
  waitAndRun(): Promise<TurnSummary>;
  /** Goes on with a wait that a reload ended. Does nothing where a request may be under way or was perhaps sent. */
  resumeWait(): 'resumed' | 'perhaps-sent' | 'over';
  /**
   * Sends a message in place of an earlier one, or the same again without a change. What followed is neither shown
   * nor sent any more and stays in the file. It stops a running turn first, and rejects when there is no such
   * message.
   */
  rerun(messageId: string, change?: Partial<Message>): Promise<TurnSummary>;
  deleteFrom(messageId: string): Promise<void>;
  /** A blank title restores the derived one. Nothing happens before there is a message. */
  rename(title: string): void;
  setPinned(pinned: boolean): void;
  /** The turn resolves as `stopped` and keeps what it has. Nothing happens when none runs. */
  stop(): void;
  /** Stops this call alone; the turn goes on with its partial result. Nothing happens when no such call runs. */
  stopCall(callId: string): void;
  /** Returns false when nothing of this kind waits under this id: it was answered already, or the turn was stopped. */
  answer(answer: Answered): boolean;
  queue(): QueueState;
  /**
   * Returns what a crash would lose of the queue: messages that wait, and those that left it and are not yet stored
   * in the conversation. The caller stores them with the draft and passes them as `queued` after a reload.
   */
  unstoredMessages(): readonly QueuedMessage[];
  onDidChangeQueue: Event;
  /**
   * Sends at once when no turn runs and nothing waits. Returns undefined when the queue is full. Resolves when the
   * message's turn is over, with undefined when it was taken out again. With `atNextStep` the running turn gets it
   * after everything of its step.
   */
  enqueue(message: Message, atNextStep?: boolean): Promise<TurnSummary | undefined> | undefined;
  /**
   * `remove` and `edit` return the message that was taken out. `sendNow` stops a running turn first. With
   * `atNextStep` the running turn gets it after everything of its step, with `later` it waits for the end.
   */
  editQueue(id: string, action: 'remove' | 'edit' | 'sendNow' | 'atNextStep' | 'later'): QueuedMessage | undefined;
  moveQueued(id: string, by: number): void;
  resumeQueue(action: 'resume' | 'discard'): void;
  /**
   * `run` gets the history to be shortened: all of it, or what precedes the message of `keepFromTurnId`. Its result
   * is sent instead from then on; undefined changes nothing. Resolves with whether something was compacted. Rejects
   * while a turn runs, and with whatever `run` rejects with. `stop` aborts the signal.
   */
  compact(run: Compact, keepFromTurnId?: string): Promise<boolean>;
  attempts(turnId: string): Attempt[];
  /**
   * Stops a running turn and lets its end be stored; its requests for consent expire. No listener is called any more
   * and nothing in the queue is sent.
   */
  dispose(): void;
}

export interface ConversationDeps extends TurnsDeps {
  /**
   * These are the stored events in order. The list is empty for a new conversation, which is stored from its first
   * message on.
   */
  events: readonly DurableEvent[];
  elsewhere?: boolean;
  /** Must keep what could not be stored and store it before the next event; rejects to report it. */
  append(event: DurableEvent): Promise<void>;
  alwaysAllowed?: AlwaysAllowed;
  autoApprove?(): readonly AutoApproveRule[];
  workspace?: string;
  /** These messages waited when the window was closed. They stay in the queue, paused. */
  queued?: readonly QueuedMessage[];
  /** Is called once when storing begins to fail, not for every event. The reply itself is never lost by that. */
  onStorageError(error: unknown): void;
  onIdle?(): void;
}

export function createConversation(deps: ConversationDeps): Conversation {
  const timeline = createTimeline(deps);
  const interactions = createInteractions();
  const consent = createConsent({ always: deps.alwaysAllowed, autoApprove: deps.autoApprove });
  const idleWaiters: (() => void)[] = [];
  const outbox = createOutbox(deps, timeline);
  const { queue } = outbox;
  const turns = createTurns({ ...deps, steering: outbox.steer }, timeline, { consent, interactions }, (goesOn) => {
    queue.turnEnded(goesOn);
    sendNext();
    for (const waiter of idleWaiters.splice(0)) waiter();
    if (!turns.busy) deps.onIdle?.();
  });
  let disposed = false;

  function sendNext(): void {
    if (!turns.busy && !disposed && !deps.elsewhere) outbox.sendNext((message) => start(message));
  }

  function start(
    { id = deps.newId(), text, typed, attachments, model, limitMicroUsd }: Message,
    replaces?: UserItem,
  ): Promise<TurnSummary> {
    const state = timeline.state();
    const title = titleOf(text, labelsOf(attachments));
    const retitles = replaces !== undefined && !state.titledByUser && replaces === firstMessage(state);
    const known = retitles ? { ...state, title: '' } : state;
    const before: ChatEvent[] = beginning(deps, known, timeline.events.length > 0, title);
    if (replaces) before.unshift({ type: 'rewound', toMessageId: replaces.id, at: deps.clock.epochMs() });
    if (model !== timeline.state().model) before.push({ type: 'modelChanged', model });
    const written: Written = typed === undefined ? { text } : { text, typed };
    const limit = limitMicroUsd === undefined ? {} : { limitMicroUsd };
    before.push({ type: 'userMessage', id, at: deps.clock.epochMs(), ...written, attachments, ...limit });
    return turns.run(before, model);
  }

  async function again(how?: TurnKind): Promise<TurnSummary> {
    refuseWhileRunning();
    const events = liveEvents(timeline.events);
    const last = events.findLast((event) => event.type === 'turnStarted');
    if (last === undefined) throw new Error('There is no message to answer.');
    const chain = events.slice(events.findLastIndex((event) => event.type === 'turnStarted' && !event.continues));
    const hasBegun = chain.some(
      (event) =>
        event.type === 'steered' ||
        (event.type === 'stepPartial' && event.text !== '') ||
        (event.type === 'stepFinished' && (event.text !== '' || event.toolCalls.length > 0)),
    );
    // Of an answer without a word, nothing can be continued.
    const { continues: _continues, ...anew } = how ?? {};
    return turns.run([], timeline.state().model || last.model, hasBegun ? how : anew);
  }

  async function untilIdle(): Promise<void> {
    while (turns.busy) {
      turns.stop();
      turns.abort();
      await new Promise<void>((resolve) => idleWaiters.push(resolve));
    }
    if (disposed) throw new Error('The conversation was closed.');
  }

  function messageWith(id: string): UserItem {
    const item = timeline.state().items.find((one) => one.kind === 'user' && one.id === id);
    if (item?.kind !== 'user') throw new Error('There is no such message.');
    return item;
  }

  async function rerun(messageId: string, change: Partial<Message> = {}): Promise<TurnSummary> {
    refuseReadOnly();
    await untilIdle();
    const item = messageWith(messageId);
    const model = timeline.state().model || modelOf(timeline.events);
    const { text, typed, attachments, limitMicroUsd } = item;
    // Another text was typed anew.
    const written: Written = change.text === undefined ? { text, typed } : { text: change.text };
    return start({ ...written, attachments: [...attachments], model, limitMicroUsd, ...change }, item);
  }

  function refuseReadOnly(): void {
    if (deps.elsewhere) throw new ConversationInUseError('This conversation is in use in another window.');
  }

  /** A conversation is stored with its first message; what is set before goes with that. */
  function setUp(event: ChatEvent): void {
    refuseReadOnly();
    if (timeline.events.length > 0) timeline.emit(event);
    else timeline.show([event]);
  }

  function refuseWhileRunning(): void {
    if (turns.busy) throw new Error('A turn is already running.');
    refuseReadOnly();
  }

  return {
    id: deps.id,
    get running() {
      return turns.busy;
    },
    readOnly: deps.elsewhere === true,
    state: timeline.state,
    model: () => timeline.state().model,
    setModel(model) {
      const changed: ChatEvent = { type: 'modelChanged', model };
      if (model === timeline.state().model) return;
      if (timeline.events.length > 0 && !deps.elsewhere) timeline.emit(changed);
      else timeline.show([changed]);
    },
    setBudget: (microUsd, run) =>
      setUp({
        type: 'budgetSet',
        microUsd,
        ...(run && { run: { steps: run.steps, stepTokens: run.stepTokens } }),
      }),
    setWorktree: (worktree, patch) =>
      setUp({ type: 'worktreeChanged', ...(worktree && { worktree }), ...(patch !== undefined && { patch }) }),
    pickTools: (names) => setUp({ type: 'toolsPicked', names: [...names] }),
    onDidEmit: timeline.onDidEmit,
    stored: timeline.settled,
    async send(message) {
      refuseWhileRunning();
      return start(message);
    },
    retry: () => again(),
    continueTurn: () => again({ continues: true }),
    continueOverBudget: () => again({ continues: true, overBudget: true }),
    continueUpTo: (limitMicroUsd) => again({ continues: true, limitMicroUsd }),
    waitAndRun: () => again({ continues: true, waitsUntil: deps.clock.epochMs() + longestWaitMs }),
    resumeWait() {
      const until = turns.busy || deps.elsewhere ? undefined : waitsUntil(timeline.events);
      if (until === 'perhaps-sent') return until;
      if (until === undefined || until <= deps.clock.epochMs()) return 'over';
      again({ continues: true, waitsUntil: until }).catch(deps.onBug);
      return 'resumed';
    },
    rerun,
    async deleteFrom(messageId) {
      refuseReadOnly();
      await untilIdle();
      const { id } = messageWith(messageId);
      timeline.emit({ type: 'rewound', toMessageId: id, at: deps.clock.epochMs(), deleted: true });
    },
    rename(title) {
      refuseReadOnly();
      const first = firstMessage(timeline.state());
      if (first === undefined) return;
      const derived = titleOf(first.text, labelsOf(first.attachments));
      timeline.emit({ type: 'titleChanged', title: titleOf(title, []) || derived, by: 'user' });
    },
    setPinned(pinned) {
      refuseReadOnly();
      if (timeline.events.length > 0) timeline.emit({ type: 'pinChanged', pinned });
    },
    stop: turns.stop,
    stopCall: turns.stopCall,
    answer: interactions.answer,
    queue: queue.state,
    unstoredMessages: queue.unstored,
    onDidChangeQueue: queue.onDidChange,
    enqueue(message, atNextStep) {
      if (deps.elsewhere) return undefined;
      const answered = outbox.add(message, atNextStep);
      sendNext();
      return answered;
    },
    editQueue(id, action) {
      if (action === 'remove' || action === 'edit') return outbox.remove(id);
      if (action !== 'sendNow') queue.setAtNextStep(id, action === 'atNextStep');
      else if (queue.sendNext(id)) {
        turns.stop();
        sendNext();
      }
      return undefined;
    },
    moveQueued: queue.move,
    resumeQueue(action) {
      if (action === 'discard') outbox.discard();
      else queue.resume();
      sendNext();
    },
    async compact(write, keepFromTurnId) {
      refuseWhileRunning();
      return turns.compact(write, keepFromTurnId);
    },
    attempts: (turnId) => attemptsOf(timeline.events, turnId),
    dispose() {
      disposed = true;
      outbox.close();
      timeline.removeListeners();
      interactions.expire();
      turns.abort();
    },
  };
}

function labelsOf(attachments: readonly Attachment[]): string[] {
  return attachments.map((attachment) => attachment.label);
}

function firstMessage(state: ChatState): UserItem | undefined {
  const first = state.items.find((item) => item.kind === 'user');
  return first?.kind === 'user' ? first : undefined;
}

function modelOf(events: readonly DurableEvent[]): string {
  const last = events.findLast((event) => event.type === 'turnStarted');
  return last?.type === 'turnStarted' ? last.model : '';
}

function beginning(
  deps: Pick<ConversationDeps, 'id' | 'clock' | 'workspace'>,
  { model, title: known, budgetMicroUsd, budgetRun, worktree, pickedTools }: ChatState,
  begun: boolean,
  title: string,
): DurableEvent[] {
  const titled: DurableEvent[] = title !== '' && known === '' ? [{ type: 'titleChanged', title }] : [];
  if (begun) return titled;
  const created: DurableEvent = { type: 'created', conversationId: deps.id, at: deps.clock.epochMs() };
  if (deps.workspace !== undefined) created.workspace = deps.workspace;
  const chosen: DurableEvent[] = model === '' ? [] : [{ type: 'modelChanged', model }];
  const capped: DurableEvent[] =
    budgetMicroUsd === undefined
      ? []
      : [{ type: 'budgetSet', microUsd: budgetMicroUsd, ...(budgetRun && { run: budgetRun }) }];
  const placed: DurableEvent[] = worktree === undefined ? [] : [{ type: 'worktreeChanged', worktree }];
  const picked: DurableEvent[] = pickedTools === undefined ? [] : [{ type: 'toolsPicked', names: [...pickedTools] }];
  return [created, ...chosen, ...capped, ...placed, ...picked, ...titled];
}
