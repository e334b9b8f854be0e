import { createEmitter, type Event } from '../base/emitter.ts';
import type { StateStore } from './draft-store.ts';

interface Compared {
  other: string;
  otherModel: string;
}

/**
 * Stores which conversations are shown side by side, each with the answer of another model to the same prompt. It
 * survives a reload.
 */
export interface Comparisons {
  of(conversationId: string): Compared | undefined;
  begin(origin: string, pair: readonly [{ id: string; model: string }, { id: string; model: string }]): void;
  end(conversationId: string): void;
  /**
   * Returns the conversations that share one `conversationLimitUsd` with this one, itself included: an origin and its
   * copies, even when the comparison is over, because comparing would otherwise double the limit. A conversation that
   * Fork Conversation made has a limit of its own.
   */
  sharingLimit(conversationId: string): readonly string[];
  onDidChange: Event;
}

const name = 'svc.comparisons';
const sharedName = 'svc.sharedLimits';
const maxShared = 500;

export function createComparisons(memento: StateStore): Comparisons {
  const listeners = createEmitter();
  let shared = memento.get<Record<string, string>>(sharedName) ?? {};
  const firstOf = (id: string) => (Object.hasOwn(shared, id) ? shared[id] : undefined) ?? id;
  const share = (added: [id: string, first: string][]) => {
    shared = Object.fromEntries([...Object.entries(shared), ...added].slice(-maxShared));
    void memento.update(sharedName, shared);
  };
  let pairs = memento.get<Record<string, Compared>>(name) ?? {};
  const change = (next: Record<string, Compared>) => {
    pairs = next;
    void memento.update(name, Object.keys(pairs).length === 0 ? undefined : pairs);
    listeners.fire();
  };
  return {
    of: (id) => (Object.hasOwn(pairs, id) ? pairs[id] : undefined),
    begin(origin, [one, other]) {
      const first = firstOf(origin);
      share([origin, one.id, other.id].map((id) => [id, first]));
      change({
        ...pairs,
        [one.id]: { other: other.id, otherModel: other.model },
        [other.id]: { other: one.id, otherModel: one.model },
      });
    },
    end(id) {
      const { [id]: ended, ...others } = pairs;
      if (!ended) return;
      const { [ended.other]: _other, ...rest } = others;
      change(rest);
    },
    sharingLimit(id) {
      const first = firstOf(id);
      const others = Object.keys(shared).filter((each) => each !== id && shared[each] === first);
      return [id, ...others];
    },
    onDidChange: listeners.event,
  };
}
