import { createEmitter, type Event } from '../base/emitter.ts';
import type { StateStore } from './view-memory.ts';

interface Compared {
  /** The conversation with the other model's answer. */
  other: string;
  otherModel: string;
}

/** Which conversations stand side by side, each with the answer of another model to the same prompt. Survives a reload. */
export interface Comparisons {
  of(conversationId: string): Compared | undefined;
  /** `origin`: the conversation that both begin like. */
  begin(origin: string, pair: readonly [{ id: string; model: string }, { id: string; model: string }]): void;
  /** For both conversations. */
  end(conversationId: string): void;
  /**
   * The conversations that have one `conversationLimitUsd` between them, this one among them: an origin and its copies,
   * also when the comparison is over, or else comparing would double what may be spent. Fork Conversation, which is about
   * one chat more, begins anew.
   */
  sharingLimit(conversationId: string): readonly string[];
  onDidChange: Event;
}

const name = 'svc.comparisons';
const sharedName = 'svc.sharedLimits';
/** So many conversations are remembered to share a limit, the newest. */
const maxShared = 500;

export function createComparisons(memento: StateStore): Comparisons {
  const listeners = createEmitter();
  /** By conversation: the first origin of all that share its limit. */
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
