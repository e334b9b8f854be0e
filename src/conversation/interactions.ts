import type { ChatEvent } from '../shared/events.ts';
import type { Answer, Answered, Ask, Asked, InteractionKind } from '../shared/interaction.ts';

export interface Interactions {
  askFor(turnId: string | undefined, emit: (event: ChatEvent) => void): Ask;
  answer(answer: Answered): boolean;
  /** Ends every request for consent as expired. After a reload, an expired call never runs by itself. */
  expire(): void;
}

const expired: Answer<'approval'> = { decision: 'expired' };

export function createInteractions(): Interactions {
  const open = new Map<string, { kind: InteractionKind; settle(value: unknown): void }>();
  const wait = <Kind extends InteractionKind>(kind: Kind, id: string, signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<Answer<Kind> | undefined>();
    const settled = new AbortController();
    const entry = {
      kind,
      settle(value: unknown) {
        settled.abort();
        if (open.get(id) === entry) open.delete(id);
        // `answer` compared the kinds.
        resolve(value as Answer<Kind> | undefined);
      },
    };
    signal.addEventListener('abort', () => entry.settle(undefined), { once: true, signal: settled.signal });
    open.set(id, entry);
    return promise;
  };
  return {
    askFor:
      (turnId, emit) =>
      async (kind, about, { id, step, signal }) => {
        if (signal.aborted) return undefined;
        // Whoever hears of the question may answer at once, so it waits first.
        const waiting = wait(kind, id, signal);
        const turn = turnId === undefined ? {} : { turnId };
        emit({
          type: 'asked',
          ...turn,
          ...(turnId !== undefined && { step }),
          ...({ id, kind, about } as Asked),
        } as ChatEvent);
        const value = await waiting;
        if (value !== undefined) emit({ type: 'answered', ...turn, ...({ id, kind, value } as Answered) } as ChatEvent);
        return value;
      },
    answer({ id, kind, value }) {
      const found = open.get(id);
      if (found?.kind !== kind) return false;
      found.settle(value);
      return true;
    },
    expire() {
      for (const { kind, settle } of [...open.values()]) if (kind === 'approval') settle(expired);
    },
  };
}
