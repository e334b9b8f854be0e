import type { Offer } from '../offer.ts';
import type { TurnRunner } from '../run-turn.ts';

/** Where turns run: what is offered to them, and the files that their tools see. */
export interface World {
  offer: Offer;
  turns: TurnRunner;
}

/** Asked for each turn, because a conversation may change its world between two of them. */
export function dividedWorlds(
  here: World,
  worldOf: (conversationId: string) => World | undefined,
): { offer: Pick<Offer, 'toSent' | 'overhead'>; turns: TurnRunner } {
  const of = (conversationId: string) => worldOf(conversationId) ?? here;
  return {
    offer: {
      toSent: here.offer.toSent,
      overhead: (id, history) => of(id).offer.overhead(id, history),
    },
    turns: {
      runFor: (owner) => (input, talk) => of(owner.conversationId).turns.runFor(owner)(input, talk),
      next: (input) => of(input.conversationId).turns.next(input),
      last: (id) => of(id).turns.last(id),
    },
  };
}
