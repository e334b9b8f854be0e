import { createInteractions } from '../../../src/conversation/interactions.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { About, Answer, Answered, Ask, InteractionKind } from '../../../src/shared/interaction.ts';

/** By kind. Without a function, or when it answers with `undefined`, the question waits until it is stopped. */
export type Answers = {
  readonly [Kind in InteractionKind]?: (
    about: About<Kind>,
  ) => Promise<Answer<Kind> | undefined> | Answer<Kind> | undefined;
};

/** A person who answers what a turn asks, once it was told. */
export function askWith(emit: (event: ChatEvent) => void, turnId: string, answers: Answers): Ask {
  const { askFor, answer } = createInteractions();
  return (kind, about, how) => {
    const reply = async () => {
      const value = await answers[kind]?.(about);
      if (value !== undefined) answer({ id: how.id, kind, value } as Answered);
    };
    const ask = askFor(turnId, (event) => {
      emit(event);
      if (event.type === 'asked') void reply();
    });
    return ask(kind, about, how);
  };
}

export const allowsOnce: Answers = { approval: () => ({ decision: 'allow', scope: 'once' }) };
