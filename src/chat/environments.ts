import type { TurnRunner } from './run-turn.ts';
import type { TurnContext } from './turn-context.ts';

/** Where turns run: what is offered to them, and the files that their tools see. */
export interface TurnEnvironment {
  turnContext: TurnContext;
  turns: TurnRunner;
}

/** Asked for each turn, because a conversation may change its world between two of them. */
export function environmentPerConversation(
  here: TurnEnvironment,
  environmentOf: (conversationId: string) => TurnEnvironment | undefined,
): { turnContext: Pick<TurnContext, 'toSent' | 'overhead'>; turns: TurnRunner } {
  const of = (conversationId: string) => environmentOf(conversationId) ?? here;
  return {
    turnContext: {
      toSent: here.turnContext.toSent,
      overhead: (id, history) => of(id).turnContext.overhead(id, history),
    },
    turns: {
      runFor: (owner) => (input, host) => of(owner.conversationId).turns.runFor(owner)(input, host),
      next: (input) => of(input.conversationId).turns.next(input),
      last: (id) => of(id).turns.last(id),
    },
  };
}
