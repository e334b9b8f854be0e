import type { TurnRunner } from './run-turn.ts';
import type { TurnContext } from './turn-context.ts';

export interface TurnEnvironment {
  turnContext: TurnContext;
  turns: TurnRunner;
}

/** Asks for the environment at each turn, because a conversation may change it between two of them. */
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
