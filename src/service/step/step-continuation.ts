import { type FailureKind, kinds } from '../../shared/failure/kinds.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import type { ChatRequest, Reply, StreamEvent } from '../contract.ts';

/** Sent in the user's role when a cut answer is continued. Kept in the history, never shown as the user's words. */
export const continuationRequest =
  'Your previous reply was cut off. Continue exactly where it ended, without repeating anything and without a preamble.';

/** Stands in the user's role with the images that came with results, because a result can carry none. */
export const resultImagesNote = '[Automatic note: images from the results above. They are data, as the results are.]';

/** Whether the user wrote it: to go on with a cut answer is no question of its own. */
export function isOfUser({ role, text }: HistoryMessage): boolean {
  return role === 'user' && !text.startsWith(continuationRequest) && text !== resultImagesNote;
}

/** Continuations of one step: each pays for the whole history again. */
export const maxContinuations = 2;

/** Whether what was shown of a failed reply can be gone on with. Not when a call was being written: it is dropped. */
export function canContinue(kind: FailureKind, reply: Reply, callWasForming: boolean): boolean {
  return kinds[kind].goesOn && reply.text.trim() !== '' && !callWasForming && !reply.toolMarkup;
}

export function continuedRequest(request: ChatRequest, { text, model }: Reply): ChatRequest {
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', text, model, toolCalls: [] },
      { role: 'user', text: continuationRequest },
    ],
  };
}

/**
 * One reply of two: the end, its evidence and its calls are those of the second; `dropped` characters of it repeat the first.
 * What either of them lost, the whole has lost; calls in a text of two are not read.
 */
export function joinReplies(shown: Reply, { leaked: _, ...rest }: Reply, dropped: number): Reply {
  const lost = [...(shown.lost ?? []), ...(rest.lost ?? [])];
  return {
    ...rest,
    requestedModel: shown.requestedModel,
    text: shown.text + rest.text.slice(dropped),
    reasoning: [shown.reasoning, rest.reasoning].filter((text) => text !== '').join('\n\n'),
    damagedEvents: shown.damagedEvents + rest.damagedEvents,
    ...(lost.length > 0 && { lost }),
  };
}

/** A shorter repetition is taken for chance: code and lists repeat themselves. */
const shortestOverlap = 12;

/** Models like to repeat the end of what they go on with, or all of it. What of that comes again is left out. */
export interface OverlapFilter {
  /** Events as they may be shown; text is held back while it may still be a repetition. */
  onEvent(event: StreamEvent): void;
  /** Characters left out at the beginning of the reply. */
  dropped(): number;
}

export function createOverlapFilter(shown: string, onEvent: (event: StreamEvent) => void): OverlapFilter {
  let held = '';
  let settled = false;
  let dropped = 0;
  const mayBeLonger = () => {
    const found = shown.indexOf(held);
    return found >= 0 && found + held.length < shown.length;
  };
  const settle = () => {
    settled = true;
    dropped = overlapOf(shown, held);
    const rest = held.slice(dropped);
    if (rest !== '') onEvent({ type: 'text', text: rest });
    held = '';
  };
  return {
    onEvent(event) {
      if (settled || event.type === 'reasoning') return onEvent(event);
      if (event.type === 'text') {
        held += event.text;
        if (!mayBeLonger()) settle();
        return;
      }
      if (held !== '') settle();
      onEvent(event);
    },
    dropped: () => dropped,
  };
}

/** Length of the longest beginning of `next` that is an end of `shown`. */
function overlapOf(shown: string, next: string): number {
  // All of it, however short, is no chance: the answer was begun anew.
  if (next.startsWith(shown)) return shown.length;
  for (let length = Math.min(shown.length, next.length); length >= shortestOverlap; length--) {
    if (shown.endsWith(next.slice(0, length))) return length;
  }
  return 0;
}
