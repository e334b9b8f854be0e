import type { Conversation } from '../conversation/conversation.ts';
import { asksQuestion, pendingApprovals } from '../shared/chat/chat-state.ts';

export interface Waiting {
  approvals: number;
  questions: number;
}

export function waitingIn(conversations: readonly Pick<Conversation, 'state'>[]): Waiting {
  const states = conversations.map((conversation) => conversation.state());
  return { approvals: states.flatMap(pendingApprovals).length, questions: states.filter(asksQuestion).length };
}
