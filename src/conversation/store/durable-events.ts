import { eventTraits } from '../../shared/event-traits.ts';
import type { DurableEvent } from '../../shared/events.ts';
import type { Attachment, Attempt, Cost } from '../../shared/messages.ts';
import { strongerCharge, sumCost } from '../../spend/price.ts';

/**
 * Appends `event` to `events` in place. A partial is dropped once a newer one or the finished step contains it:
 * otherwise the partials of a long answer would grow with the square of its length.
 */
export function pushEvent(events: DurableEvent[], event: DurableEvent): void {
  if (event.type === 'stepPartial' || event.type === 'stepFinished') {
    const at = events.findLastIndex(
      (one) => one.type === 'turnStarted' || (one.type === 'stepPartial' && one.step === event.step),
    );
    const found = events[at];
    if (found?.type === 'stepPartial' && found.turnId === event.turnId) events.splice(at, 1);
  }
  events.push(event);
}

/**
 * Returns the events without what was rewound. Events about the conversation as a whole stay, and those for which
 * `stays` is true. A rewind to a missing message changes nothing.
 */
export function liveEvents(
  events: readonly DurableEvent[],
  stays: (event: DurableEvent) => boolean = () => false,
): readonly DurableEvent[] {
  if (!events.some((event) => event.type === 'rewound')) return events;
  let live: DurableEvent[] = [];
  for (const event of events) {
    live.push(event);
    if (event.type !== 'rewound') continue;
    const at = live.findIndex((one) => one.type === 'userMessage' && one.id === event.toMessageId);
    if (at >= 0) live = [...live.slice(0, at), ...live.slice(at).filter((one) => isAboutTheWhole(one) || stays(one))];
  }
  return live;
}

export function attachmentsIn(event: DurableEvent): readonly Attachment[] {
  if (event.type === 'userMessage') return event.attachments;
  return event.type === 'steered' ? event.messages.flatMap(({ attachments }) => attachments) : [];
}

export function imageHashes(event: DurableEvent): string[] {
  const images = event.type === 'toolFinished' ? event.images : attachmentsIn(event).map(({ image }) => image);
  return (images ?? []).flatMap((image) => image?.hash ?? []);
}

function isAboutTheWhole({ type }: DurableEvent): boolean {
  return eventTraits[type].of !== 'turn';
}

/**
 * Ends every turn that a crash or a reload interrupted, where the next message begins or at the end of the list, with
 * the cost of its finished steps. Its requests for consent expire. The function is idempotent and does not change
 * `events`.
 */
export function closeInterrupted(events: readonly DurableEvent[]): DurableEvent[] {
  const closed: DurableEvent[] = [];
  let open: OpenTurn | undefined;
  for (const event of events) {
    if (
      open !== undefined &&
      (event.type === 'userMessage' || event.type === 'turnStarted' || event.type === 'rewound')
    ) {
      closed.push(...endOf(open));
      open = undefined;
    }
    if (event.type === 'turnStarted')
      open = { turnId: event.turnId, at: event.at, attempts: [], unfinished: true, asking: [], calls: [] };
    else if (open !== undefined) open = followTurn(open, event);
    pushEvent(closed, event);
  }
  if (open !== undefined) closed.push(...endOf(open));
  return closed;
}

export function attemptsIn(event: DurableEvent): readonly Attempt[] {
  if (event.type === 'stepFinished' || event.type === 'summaryDropped' || event.type === 'subagentPaid') {
    return event.attempts;
  }
  return event.type === 'compacted' && event.step !== undefined ? (event.attempts ?? []) : [];
}

interface OpenTurn {
  turnId: string;
  at: number;
  attempts: Attempt[];
  unfinished: boolean;
  asking: readonly string[];
  calls: readonly OpenCall[];
}

interface OpenCall {
  callId: string;
  step: number;
  name: string;
  title: string;
}

function followTurn(turn: OpenTurn, event: DurableEvent): OpenTurn | undefined {
  if (!('turnId' in event) || event.turnId !== turn.turnId) return turn;
  switch (event.type) {
    case 'turnEnded':
      return undefined;
    case 'stepPartial':
      return { ...turn, unfinished: true };
    case 'waits':
      return { ...turn, unfinished: event.until === undefined };
    case 'asked': {
      if (event.kind !== 'approval') return turn;
      const { id, about } = event;
      return {
        ...turn,
        asking: [...turn.asking, id],
        calls: turn.calls.map((call) => (call.callId === id ? { ...call, title: about.title } : call)),
      };
    }
    case 'answered': {
      const asking = turn.asking.filter((id) => id !== event.id);
      // A call that was not allowed did nothing, whether or not its result could still be stored.
      const isOver = event.kind === 'approval' && event.value.decision !== 'allow';
      return { ...turn, asking, calls: isOver ? turn.calls.filter(({ callId }) => callId !== event.id) : turn.calls };
    }
    case 'toolFinished': {
      const calls = turn.calls.filter(({ callId }) => callId !== event.callId);
      return {
        ...turn,
        asking: turn.asking.filter((callId) => callId !== event.callId),
        calls,
        // What was under way then were requests of calls.
        unfinished: turn.unfinished && calls.length > 0,
      };
    }
    case 'compacted':
    case 'summaryDropped':
    case 'subagentPaid':
    case 'stepFinished': {
      const attempts = attemptsIn(event);
      const ends = attempts.map((attempt) => attempt.startedAt + attempt.durationMs);
      return {
        ...turn,
        at: Math.max(turn.at, ...ends),
        attempts: [...turn.attempts, ...attempts],
        unfinished: event.type === 'stepFinished' ? false : turn.unfinished || event.type === 'subagentPaid',
        ...(event.type === 'stepFinished' && { calls: callsOf(event) }),
      };
    }
    default:
      return turn;
  }
}

function callsOf({ step, toolCalls }: Extract<DurableEvent, { type: 'stepFinished' }>): OpenCall[] {
  return toolCalls.map(({ id, name }) => ({ callId: id, step, name, title: name }));
}

function endOf(turn: OpenTurn): DurableEvent[] {
  const { turnId, at } = turn;
  const sum = sumCost(turn.attempts);
  // The request under way was perhaps charged; what it used nobody knows, so the sum is a lower bound.
  const cost: Cost = turn.unfinished ? { ...sum, charge: strongerCharge(sum.charge, 'maybe'), estimated: true } : sum;
  return [
    ...turn.asking.map(
      (id): DurableEvent => ({ type: 'answered', turnId, id, kind: 'approval', value: { decision: 'expired' } }),
    ),
    ...(turn.asking.length === 0 ? turn.calls.map((call) => endOfCall(turnId, call)) : []),
    { type: 'turnEnded', turnId, at, outcome: 'interrupted', cost },
  ];
}

/** The call may have begun, so the result must not claim that it was not carried out. */
function endOfCall(turnId: string, call: OpenCall): DurableEvent {
  const forModel =
    'Interrupted: the editor closed while this call was running. It might have finished, partly finished, or not started. Check before you repeat it.';
  return { type: 'toolFinished', turnId, ...call, state: 'cancelled', forModel, durationMs: 0 };
}
