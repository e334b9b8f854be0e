import type { EditOrigin } from './edit-origin.ts';

/** The user's decision on the edits of a call: all kept, all undone, or some of each. */
export type EditOutcome = 'kept' | 'undone' | 'partly';

/** One row of what is stored. */
export interface StoredOutcome {
  conversationId: string;
  turnId: string;
  callId: string;
  outcome: EditOutcome;
}

/** Decisions on edits, by the call that made them. Edits of no conversation are not remembered: nothing shows them. */
export interface EditOutcomes {
  add(origins: readonly EditOrigin[], decision: 'kept' | 'undone'): void;
  /** They are undecided again. */
  forget(origins: readonly EditOrigin[]): void;
  of(conversationId: string): readonly StoredOutcome[];
  all(): readonly StoredOutcome[];
}

/** Calls that were decided on last are kept, so many. */
const maxOutcomes = 5000;

export function createEditOutcomes(stored: readonly StoredOutcome[]): EditOutcomes {
  const outcomes = new Map(stored.map((row) => [keyOf(row), row]));
  return {
    add(origins, decision) {
      for (const { conversationId, turnId, callId } of origins) {
        if (conversationId === undefined || turnId === undefined) continue;
        const key = keyOf({ conversationId, turnId, callId });
        const known = outcomes.get(key)?.outcome ?? decision;
        outcomes.delete(key);
        outcomes.set(key, { conversationId, turnId, callId, outcome: known === decision ? decision : 'partly' });
        const [oldest] = outcomes.keys();
        if (outcomes.size > maxOutcomes && oldest !== undefined) outcomes.delete(oldest);
      }
    },
    forget(origins) {
      for (const origin of origins) outcomes.delete(keyOf(origin));
    },
    of: (conversationId) => [...outcomes.values()].filter((row) => row.conversationId === conversationId),
    all: () => [...outcomes.values()],
  };
}

function keyOf({ conversationId, turnId, callId }: EditOrigin): string {
  return JSON.stringify([conversationId, turnId, callId]);
}
