import type { Conversation } from '../conversation/conversation.ts';
import { asksQuestion, pendingApprovals } from '../shared/chat/chat-state.ts';

/** Questions to the user, summed over several conversations. */
export interface Waiting {
  approvals: number;
  /** A conversation asks one thing besides consent at a time. */
  questions: number;
}

export function waitingIn(conversations: readonly Pick<Conversation, 'state'>[]): Waiting {
  const states = conversations.map((conversation) => conversation.state());
  return { approvals: states.flatMap(pendingApprovals).length, questions: states.filter(asksQuestion).length };
}
