import type * as vscode from 'vscode';

interface Compared {
  /** The conversation with the other model's answer. */
  other: string;
  otherModel: string;
}

/** Which conversations stand side by side, each with the answer of another model to the same prompt (U15). Survives a reload. */
export interface Comparisons {
  of(conversationId: string): Compared | undefined;
  begin(pair: readonly [{ id: string; model: string }, { id: string; model: string }]): void;
  /** For both conversations. */
  end(conversationId: string): void;
  onDidChange(listener: () => void): () => void;
}

const name = 'svc.comparisons';

export function createComparisons(memento: vscode.Memento): Comparisons {
  const listeners = new Set<() => void>();
  let pairs = memento.get<Record<string, Compared>>(name) ?? {};
  const change = (next: Record<string, Compared>) => {
    pairs = next;
    void memento.update(name, Object.keys(pairs).length === 0 ? undefined : pairs);
    for (const listener of [...listeners]) listener();
  };
  return {
    of: (id) => (Object.hasOwn(pairs, id) ? pairs[id] : undefined),
    begin([one, other]) {
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
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
