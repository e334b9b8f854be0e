import type { ChatEvent, DurableEvent } from './events.ts';

/** Holds for an event whatever its fields say. No member may be left out: what has a default is forgotten. */
interface Traits<Type extends ChatEvent['type']> {
  stored: Type extends DurableEvent['type'] ? true : false;
  /** Subject of the event. Going back to an earlier message leaves all but a turn's; a copy has none of `itself`. */
  of: 'turn' | 'conversation' | 'itself';
  /** The list of conversations shows something else: what runs, or a title. */
  lists: boolean;
  /** The next message sends something else. What the steps of a turn add is counted at its end. */
  prices: boolean;
  /** Something begins or ends waiting for the user. */
  asks: false | 'begins' | 'ends';
}

export const eventTraits: { readonly [Type in ChatEvent['type']]: Traits<Type> } = {
  created: { stored: true, of: 'itself', lists: false, prices: false, asks: false },
  titleChanged: { stored: true, of: 'conversation', lists: true, prices: false, asks: false },
  modelChanged: { stored: true, of: 'conversation', lists: false, prices: false, asks: false },
  pinChanged: { stored: true, of: 'itself', lists: false, prices: false, asks: false },
  budgetSet: { stored: true, of: 'itself', lists: false, prices: false, asks: false },
  worktreeChanged: { stored: true, of: 'itself', lists: true, prices: true, asks: false },
  toolsPicked: { stored: true, of: 'conversation', lists: false, prices: true, asks: false },
  forked: { stored: true, of: 'itself', lists: false, prices: false, asks: false },
  rewound: { stored: true, of: 'itself', lists: false, prices: true, asks: false },
  userMessage: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  turnStarted: { stored: true, of: 'turn', lists: true, prices: true, asks: false },
  steered: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  stepPartial: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  stepFinished: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  toolFinished: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  notice: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  approvalRequested: { stored: true, of: 'turn', lists: false, prices: false, asks: 'begins' },
  approvalAnswered: { stored: true, of: 'turn', lists: false, prices: false, asks: 'ends' },
  questionAsked: { stored: true, of: 'turn', lists: false, prices: false, asks: 'begins' },
  questionAnswered: { stored: true, of: 'turn', lists: false, prices: false, asks: 'ends' },
  planUpdated: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  checkpointTaken: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  compacted: { stored: true, of: 'turn', lists: false, prices: true, asks: false },
  summaryDropped: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  subagentPaid: { stored: true, of: 'turn', lists: false, prices: false, asks: false },
  turnEnded: { stored: true, of: 'turn', lists: true, prices: true, asks: false },
  requestSent: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  responseStarted: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  retrying: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  costAsked: { stored: false, of: 'turn', lists: false, prices: false, asks: 'begins' },
  costAnswered: { stored: false, of: 'turn', lists: false, prices: false, asks: 'ends' },
  textDelta: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  reasoningDelta: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  toolForming: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  toolStarted: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  toolOutput: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
  stopping: { stored: false, of: 'turn', lists: false, prices: false, asks: false },
};

export function isStored(event: ChatEvent): event is DurableEvent {
  return eventTraits[event.type].stored;
}
