import type { ChatEvent, DurableEvent } from './events.ts';
import { interactionKinds } from './interaction.ts';

/**
 * Holds for an event whatever its fields say. No member is optional, because a default would be forgotten for a new
 * event.
 */
interface Traits<Type extends ChatEvent['type']> {
  stored: Type extends DurableEvent['type'] ? true : false;
  /**
   * When the user goes back to an earlier message, only a `turn`'s events are undone. A copy of the conversation has
   * none of `itself`.
   */
  of: 'turn' | 'conversation' | 'itself';
  lists: boolean;
  prices: boolean;
}

export const eventTraits: { readonly [Type in ChatEvent['type']]: Traits<Type> } = {
  created: { stored: true, of: 'itself', lists: false, prices: false },
  titleChanged: { stored: true, of: 'conversation', lists: true, prices: false },
  modelChanged: { stored: true, of: 'conversation', lists: false, prices: false },
  pinChanged: { stored: true, of: 'itself', lists: false, prices: false },
  budgetSet: { stored: true, of: 'itself', lists: false, prices: false },
  worktreeChanged: { stored: true, of: 'itself', lists: true, prices: true },
  toolsPicked: { stored: true, of: 'conversation', lists: false, prices: true },
  forked: { stored: true, of: 'itself', lists: false, prices: false },
  rewound: { stored: true, of: 'itself', lists: false, prices: true },
  userMessage: { stored: true, of: 'turn', lists: false, prices: false },
  turnStarted: { stored: true, of: 'turn', lists: true, prices: true },
  waits: { stored: true, of: 'turn', lists: false, prices: false },
  steered: { stored: true, of: 'turn', lists: false, prices: false },
  stepPartial: { stored: true, of: 'turn', lists: false, prices: false },
  stepFinished: { stored: true, of: 'turn', lists: false, prices: false },
  toolFinished: { stored: true, of: 'turn', lists: false, prices: false },
  notice: { stored: true, of: 'turn', lists: false, prices: false },
  asked: { stored: true, of: 'turn', lists: false, prices: false },
  answered: { stored: true, of: 'turn', lists: false, prices: false },
  planUpdated: { stored: true, of: 'turn', lists: false, prices: false },
  checkpointTaken: { stored: true, of: 'turn', lists: false, prices: false },
  compacted: { stored: true, of: 'turn', lists: false, prices: true },
  summaryDropped: { stored: true, of: 'turn', lists: false, prices: false },
  subagentPaid: { stored: true, of: 'turn', lists: false, prices: false },
  turnEnded: { stored: true, of: 'turn', lists: true, prices: true },
  requestSent: { stored: false, of: 'turn', lists: false, prices: false },
  responseStarted: { stored: false, of: 'turn', lists: false, prices: false },
  textDelta: { stored: false, of: 'turn', lists: false, prices: false },
  reasoningDelta: { stored: false, of: 'turn', lists: false, prices: false },
  toolForming: { stored: false, of: 'turn', lists: false, prices: false },
  toolStarted: { stored: false, of: 'turn', lists: false, prices: false },
  toolOutput: { stored: false, of: 'turn', lists: false, prices: false },
  stopping: { stored: false, of: 'turn', lists: false, prices: false },
};

export function isStored(event: ChatEvent): event is DurableEvent {
  if (event.type === 'asked' || event.type === 'answered') return interactionKinds[event.kind].stored;
  return eventTraits[event.type].stored;
}

export function waiting(event: ChatEvent): 'begins' | 'ends' | undefined {
  if (event.type !== 'asked' && event.type !== 'answered') return undefined;
  if (!interactionKinds[event.kind].waitsForUser) return undefined;
  return event.type === 'asked' ? 'begins' : 'ends';
}
