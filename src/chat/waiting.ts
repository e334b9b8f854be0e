import type { Conversation } from '../conversation/conversation.ts';
import { pendingApprovals } from '../shared/chat/chat-state.ts';

/** Waits for the user, summed over several conversations. */
export interface Waiting {
  /** Calls that wait for consent. */
  approvals: number;
  /** Questions of the model, or about the price of going on. A turn asks one at a time. */
  questions: number;
}

export function waitingIn(conversations: readonly Pick<Conversation, 'state'>[]): Waiting {
  const states = conversations.map((conversation) => conversation.state());
  return {
    approvals: states.flatMap(pendingApprovals).length,
    questions: states.filter(({ running }) => running?.phase === 'question' || running?.phase === 'cost').length,
  };
}

export function waits(conversation: Pick<Conversation, 'state'>): boolean {
  const { approvals, questions } = waitingIn([conversation]);
  return approvals + questions > 0;
}
