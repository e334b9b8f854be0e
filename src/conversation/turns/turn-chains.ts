import { continuationRequest } from '../../service/step/step-continuation.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { liveEvents } from '../store/durable-events.ts';

export type TurnStarted = Extract<DurableEvent, { type: 'turnStarted' }> & {
  continues?: true;
};

/**
 * A message may be answered by several turns: a retry after a failure, or a continuation of a cut answer. All are
 * shown, but the model must get one conversation. A chain is a turn with the turns that continued it; each message is
 * sent with one of its chains.
 */
interface Chain {
  turnIds: string[];
  answered: boolean;
}

/**
 * Returns the events from which the history for the model is made. Every message has its last chain that answered
 * something, so failed and empty answers that were retried are left out. The chain of `currentTurnId`, the turn to be
 * sent, is always taken. Continued turns get their `continuationRequest` as a message. Notes about later changes and
 * what the user said to a running turn always stay, because they are sent only once.
 */
export function historyEvents(stored: readonly DurableEvent[], currentTurnId?: string): DurableEvent[] {
  const events = liveEvents(stored, isLaterChanges);
  const kept = keptTurns(events, currentTurnId);
  const { summary, rest } = afterCompaction(events);
  const history: DurableEvent[] = summary === undefined ? [] : [summary];
  for (const event of rest) {
    if (event.type === 'compacted') continue;
    if ('turnId' in event && !kept.has(event.turnId) && !isSaidOnce(event)) continue;
    if (event.type === 'turnStarted' && continues(event)) {
      history.push({ type: 'userMessage', id: event.turnId, at: event.at, text: continuationRequest, attachments: [] });
    }
    history.push(event);
  }
  return history;
}

export const summaryHeading = 'Summary of the conversation so far:';

/**
 * Returns the last compaction's summary, which is sent as a first message, and the events that it left: everything
 * after it and, when it names a turn, that turn's message and everything since. A message asked again after the
 * compaction is sent unchanged.
 */
function afterCompaction(events: readonly DurableEvent[]): { summary?: DurableEvent; rest: readonly DurableEvent[] } {
  const index = events.findLastIndex((event) => event.type === 'compacted');
  const event = events[index];
  if (event?.type !== 'compacted') return { rest: events };
  const text = `${summaryHeading}\n\n${event.summary}`;
  const summary: DurableEvent = { type: 'userMessage', id: event.turnId, at: 0, text, attachments: [] };
  const kept = event.step === undefined ? messageIndexOfTurn(events, event.turnId) : undefined;
  if (kept !== undefined) return { summary, rest: events.slice(kept) };
  const rest = events.slice(firstKept(events, event) ?? index + 1);
  if (rest.some((one) => one.type === 'userMessage')) return { summary, rest };
  const asked = events.findLast((one) => one.type === 'userMessage');
  return { summary, rest: asked === undefined ? rest : [asked, ...rest] };
}

function firstKept(
  events: readonly DurableEvent[],
  { turnId, step }: Extract<DurableEvent, { type: 'compacted' }>,
): number | undefined {
  if (step === undefined) return undefined;
  const index = events.findIndex(
    (event) =>
      'turnId' in event &&
      event.turnId === turnId &&
      (((event.type === 'stepFinished' || event.type === 'stepPartial') && event.step >= step) ||
        (event.type === 'steered' && event.step >= step - 1)),
  );
  return index < 0 ? undefined : index;
}

export function messageIndexOfTurn(events: readonly DurableEvent[], turnId: string): number | undefined {
  const turn = events.findIndex((event) => event.type === 'turnStarted' && event.turnId === turnId);
  const message = events.slice(0, Math.max(0, turn)).findLastIndex((event) => event.type === 'userMessage');
  return message < 0 ? undefined : message;
}

function keptTurns(events: readonly DurableEvent[], currentTurnId: string | undefined): Set<string> {
  const kept = new Set<string>();
  let chains: Chain[] = [];
  const keepOne = (): void => {
    const chosen =
      chains.find((chain) => currentTurnId !== undefined && chain.turnIds.includes(currentTurnId)) ??
      chains.findLast((chain) => chain.answered) ??
      chains.at(-1);
    for (const turnId of chosen?.turnIds ?? []) kept.add(turnId);
    chains = [];
  };
  for (const event of events) {
    if (event.type === 'userMessage') keepOne();
    else if (event.type === 'turnStarted') {
      const chain = continues(event) ? chains.at(-1) : undefined;
      if (chain === undefined) chains.push({ turnIds: [event.turnId], answered: false });
      else chain.turnIds.push(event.turnId);
    } else if (event.type === 'stepFinished' || event.type === 'stepPartial') {
      const chain = chains.find((one) => one.turnIds.includes(event.turnId));
      const hasCalls = event.type === 'stepFinished' && event.toolCalls.length > 0;
      if (chain !== undefined && (event.text.trim() !== '' || hasCalls)) chain.answered = true;
    }
  }
  keepOne();
  return kept;
}

function isLaterChanges(event: DurableEvent): boolean {
  return event.type === 'notice' && event.notice.kind === 'later-changes';
}

function isSaidOnce(event: DurableEvent): boolean {
  return event.type === 'steered' || isLaterChanges(event);
}

function continues(event: TurnStarted): boolean {
  return event.continues === true;
}
