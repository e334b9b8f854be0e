import type { Conversation } from '../conversation/conversation.ts';
import { pendingApprovals, waitsForUser } from '../shared/chat/chat-state.ts';
import type { CompactOffers } from './compact-offer.ts';

/** Waits for the user, summed over several conversations. */
export interface Waiting {
  /** Calls that wait for consent. */
  approvals: number;
  /** Questions of the model, about the price of going on, or before a message goes out. A conversation asks one at a time. */
  questions: number;
}

export type Offers = Pick<CompactOffers, 'shown'>;

export function waitingIn(conversations: readonly Pick<Conversation, 'id' | 'state'>[], offers: Offers): Waiting {
  const states = conversations.map((conversation) => conversation.state());
  const asked = states.filter(({ running }) => running?.phase === 'question' || running?.phase === 'cost');
  const offered = conversations.filter(({ id }) => offers.shown(id) !== undefined);
  return { approvals: states.flatMap(pendingApprovals).length, questions: asked.length + offered.length };
}

export function waits(conversation: Pick<Conversation, 'id' | 'state'>, offers: Offers): boolean {
  return waitsForUser(conversation.state()) || offers.shown(conversation.id) !== undefined;
}
