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
  /** A new one unless given. */
  id?: string;
  attachments: Attachment[];
  model: string;
}

export interface Conversation {
  readonly id: string;
  /** A turn or a compaction is under way. */
  readonly running: boolean;
  /** Another window runs a turn of it: it can be read here, and is made anew when that has ended. */
  readonly readOnly: boolean;
  state(): ChatState;
  /** For the next turn; empty until one was chosen. */
  model(): string;
  setModel(id: string): void;
  /** Micro-dollars at which it stops. */
  setBudget(microUsd: number): void;
  /** Its tools work there from its next message on; undefined: in the workspace, and `patch` is the file of what it had changed. */
  setWorktree(worktree: Worktree | undefined, patch?: string): void;
  /** Tools of other extensions, from its next message on. */
  pickTools(names: readonly string[]): void;
  /** Called synchronously with each event or group of events, after they were folded into `state()`. */
  onDidEmit: Event<[events: readonly ChatEvent[]]>;
  /** When everything that happened so far is stored or has failed to be. */
  stored(): Promise<void>;
  /** Resolves when the turn is over, whatever its end. Rejects only when a turn is running. */
  send(message: Message): Promise<TurnSummary>;
  /** Asks the last message again. The answers it had stay visible and are not sent. */
  retry(): Promise<TurnSummary>;
  /** Goes on with an answer that was cut: its text is sent with a request to continue that is not shown. */
  continueTurn(): Promise<TurnSummary>;
  /** Goes on with a turn that a spending limit ended; the limits of a day and of a conversation do not hold for this one. */
  continueOverBudget(): Promise<TurnSummary>;
  /**
   * Sends a message in the place of an earlier one; without a change, the same again. What followed the earlier one is
   * neither shown nor sent any more and stays in the file. Stops what runs first. Rejects when there is no such message.
   */
  rerun(messageId: string, change?: Partial<Message>): Promise<TurnSummary>;
  /** As `rerun`, without sending anything. */
  deleteFrom(messageId: string): Promise<void>;
  /** A blank title is the derived one again. Nothing happens before there is a message. */
  rename(title: string): void;
  setPinned(pinned: boolean): void;
  /** The turn resolves `stopped` and keeps what it has. Does nothing when none runs. */
  stop(): void;
  /** Stops this call alone: the turn goes on with what came of it. Does nothing when no such call runs. */
  stopCall(callId: string): void;
  /** False when nothing of this kind waits under this id: it was answered already, or the turn was stopped. */
  answer(answer: Answered): boolean;
  /** Messages that are sent one by one when a turn has finished, with the model chosen then. */
  queue(): QueueState;
  /** With their attachments. */
  queuedMessages(): readonly QueuedMessage[];
  /**
   * Everything of the queue that a crash would lose, to be stored with the draft and given back as `queued` after a reload:
   * what waits, and what left it and is not yet stored in the conversation.
   */
  unstoredMessages(): readonly QueuedMessage[];
  onDidChangeQueue: Event;
  /**
   * Sent at once when no turn runs and nothing waits. Resolves when its turn is over; to nothing when it was taken out
   * again. `undefined` when the queue is full. `atNextStep`: for the running turn, after everything of its step.
   */
  enqueue(message: Message, atNextStep?: boolean): Promise<TurnSummary | undefined> | undefined;
  /**
   * `remove` and `edit` give the message that was taken out. `sendNow` stops a running turn first. `atNextStep` lets the
   * running turn have it after everything of its step, `later` after its end.
   */
  editQueue(id: string, action: 'remove' | 'edit' | 'sendNow' | 'atNextStep' | 'later'): QueuedMessage | undefined;
  /** By so many places towards the end, or the beginning when negative. */
  moveQueued(id: string, by: number): void;
  /** Ends a pause: goes on with the next message, or drops them all. */
  resumeQueue(action: 'resume' | 'discard'): void;
  /**
   * `run` gets the history that is to be shortened: all of it, or what stands before the message of
   * `keepFromTurnId`. What it returns is sent instead from then on; `undefined` leaves everything as it is. Resolves
   * whether something was compacted; rejects while a turn runs and with whatever `run` rejects with. `stop` aborts the
   * signal.
   */
  compact(run: Compact, keepFromTurnId?: string): Promise<boolean>;
  attempts(turnId: string): Attempt[];
  /**
   * Stops a running turn and lets its end be stored; what it was asking consent for expires. No listener is called any
   * more and nothing that waits in the queue is sent.
   */
  dispose(): void;
}

export interface ConversationDeps extends TurnsDeps {
  /** The stored events, in order; empty for a new conversation, which is stored from its first message on. */
  events: readonly DurableEvent[];
  /** Another window runs a turn of it now. */
  elsewhere?: boolean;
  /** Keeps what it could not store and stores it before the next one; rejects to say so. */
  append(event: DurableEvent): Promise<void>;
  /** Command lines that were allowed for good; without it none are and none can be. */
  alwaysAllowed?: AlwaysAllowed;
  /** `svc.tools.autoApprove`; without it nothing that needs consent is done unasked. */
  autoApprove?(): readonly AutoApproveRule[];
  workspace?: string;
  /** Messages that waited when the window was closed; they wait on, paused. */
  queued?: readonly QueuedMessage[];
  /** Once when storing begins to fail, not for every event; the reply itself is never lost by it. */
  onStorageError(error: unknown): void;
  /** Whatever ran has ended and nothing of the queue went on. */
  onIdle?(): void;
}

export function createConversation(deps: ConversationDeps): Conversation {
  const timeline = createTimeline(deps);
  const interactions = createInteractions();
  const consent = createConsent({ always: deps.alwaysAllowed, autoApprove: deps.autoApprove });
  const idleWaiters: (() => void)[] = [];
  const outbox = createOutbox(deps, timeline);
  const { queue } = outbox;
  let ends: Promise<TurnSummary> | undefined;
  const steering: TurnsDeps['steering'] = (turnId, step) => outbox.steer({ turnId, step, ends });
  const turns = createTurns({ ...deps, steering }, timeline, { consent, interactions }, (goesOn) => {
    queue.turnEnded(goesOn);
    sendNext();
    for (const waiter of idleWaiters.splice(0)) waiter();
    if (!turns.busy) deps.onIdle?.();
  });
  let disposed = false;

  function run(...turn: Parameters<typeof turns.run>): Promise<TurnSummary> {
    ends = turns.run(...turn);
    return ends;
  }

  /** The next message of the queue, unless something runs or the queue is paused. */
  function sendNext(): void {
    if (!turns.busy && !disposed && !deps.elsewhere) outbox.sendNext((message) => start(message));
  }

  /** `replaces`: the message in whose place this one is sent. */
  function start(
    { id = deps.newId(), text, typed, attachments, model }: Message,
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
    before.push({ type: 'userMessage', id, at: deps.clock.epochMs(), ...written, attachments });
    return run(before, model);
  }

  /** Asks again for the last message: from the start, or going on with its last answer. */
  async function again(how?: TurnKind): Promise<TurnSummary> {
    refuseWhileRunning();
    const last = liveEvents(timeline.events).findLast((event) => event.type === 'turnStarted');
    if (last === undefined) throw new Error('There is no message to answer.');
    return run([], timeline.state().model || last.model, how);
  }

  /** Stops what runs and waits for its end. */
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
    const { text, typed, attachments } = item;
    // Another text was typed anew.
    const written: Written = change.text === undefined ? { text, typed } : { text: change.text };
    return start({ ...written, attachments: [...attachments], model, ...change }, item);
  }

  function refuseReadOnly(): void {
    if (deps.elsewhere) throw new ConversationInUseError('This conversation is in use in another window.');
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
    setBudget(microUsd) {
      refuseReadOnly();
      const set: ChatEvent = { type: 'budgetSet', microUsd };
      if (timeline.events.length > 0) timeline.emit(set);
      else timeline.show([set]);
    },
    setWorktree(worktree, patch) {
      refuseReadOnly();
      const changed: ChatEvent = {
        type: 'worktreeChanged',
        ...(worktree && { worktree }),
        ...(patch !== undefined && { patch }),
      };
      if (timeline.events.length > 0) timeline.emit(changed);
      else timeline.show([changed]);
    },
    pickTools(names) {
      refuseReadOnly();
      const picked: ChatEvent = { type: 'toolsPicked', names: [...names] };
      if (timeline.events.length > 0) timeline.emit(picked);
      else timeline.show([picked]);
    },
    onDidEmit: timeline.onDidEmit,
    stored: timeline.settled,
    async send(message) {
      refuseWhileRunning();
      return start(message);
    },
    retry: () => again(),
    continueTurn: () => again({ continues: true }),
    continueOverBudget: () => again({ continues: true, overBudget: true }),
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
    queuedMessages: queue.messages,
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

/** The first events of a conversation; nothing is stored before there is a message. */
function beginning(
  deps: Pick<ConversationDeps, 'id' | 'clock' | 'workspace'>,
  { model, title: known, budgetMicroUsd, worktree, pickedTools }: ChatState,
  begun: boolean,
  title: string,
): DurableEvent[] {
  const titled: DurableEvent[] = title !== '' && known === '' ? [{ type: 'titleChanged', title }] : [];
  if (begun) return titled;
  const created: DurableEvent = { type: 'created', conversationId: deps.id, at: deps.clock.epochMs() };
  if (deps.workspace !== undefined) created.workspace = deps.workspace;
  const chosen: DurableEvent[] = model === '' ? [] : [{ type: 'modelChanged', model }];
  const capped: DurableEvent[] = budgetMicroUsd === undefined ? [] : [{ type: 'budgetSet', microUsd: budgetMicroUsd }];
  const placed: DurableEvent[] = worktree === undefined ? [] : [{ type: 'worktreeChanged', worktree }];
  const picked: DurableEvent[] = pickedTools === undefined ? [] : [{ type: 'toolsPicked', names: [...pickedTools] }];
  return [created, ...chosen, ...capped, ...placed, ...picked, ...titled];
}
