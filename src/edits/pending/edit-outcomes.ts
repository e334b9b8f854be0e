import { type EditOrigin, sameCall } from './edit-origin.ts';

export type EditOutcome = 'kept' | 'undone' | 'partly';

export interface StoredOutcome {
  conversationId: string;
  turnId: string;
  callId: string;
  outcome: EditOutcome;
  kept?: readonly number[];
  undone?: readonly number[];
}

export interface DecidedParts {
  kept: number;
  undone: number;
  open: number;
}

export function partsOf(row: StoredOutcome, pending: readonly EditOrigin[]): DecidedParts {
  const open = pending.filter((origin) => origin.block !== undefined && sameCall(origin, row));
  return {
    kept: row.kept?.length ?? 0,
    undone: row.undone?.length ?? 0,
    open: new Set(open.map(({ block }) => block)).size,
  };
}

/**
 * Remembers decisions by the call that made the edits. Edits without a conversation are not remembered, because
 * nothing shows them.
 */
export interface EditOutcomes {
  add(origins: readonly EditOrigin[], decision: 'kept' | 'undone'): void;
  forget(origins: readonly EditOrigin[]): void;
  of(conversationId: string): readonly StoredOutcome[];
  all(): readonly StoredOutcome[];
}

const maxOutcomes = 5000;

export function createEditOutcomes(stored: readonly StoredOutcome[]): EditOutcomes {
  const outcomes = new Map(stored.map((row) => [keyOf(row), row]));
  return {
    add(origins, decision) {
      for (const { conversationId, turnId, callId, block } of origins) {
        if (conversationId === undefined || turnId === undefined) continue;
        const key = keyOf({ conversationId, turnId, callId });
        const known = outcomes.get(key);
        const other = decision === 'kept' ? 'undone' : 'kept';
        const outcome = known === undefined || known.outcome === decision ? decision : 'partly';
        outcomes.delete(key);
        outcomes.set(key, {
          conversationId,
          turnId,
          callId,
          outcome,
          ...blocks(decision, [...(known?.[decision] ?? []), ...(block === undefined ? [] : [block])]),
          ...blocks(other, known?.[other]?.filter((one) => one !== block) ?? []),
        });
        const [oldest] = outcomes.keys();
        if (outcomes.size > maxOutcomes && oldest !== undefined) outcomes.delete(oldest);
      }
    },
    forget(origins) {
      for (const origin of origins) {
        const known = outcomes.get(keyOf(origin));
        if (known === undefined) continue;
        outcomes.delete(keyOf(origin));
        const { undone: _, ...rest } = known;
        // What was kept stays kept.
        if (known.kept !== undefined) outcomes.set(keyOf(origin), { ...rest, outcome: 'kept' });
      }
    },
    of: (conversationId) => [...outcomes.values()].filter((row) => row.conversationId === conversationId),
    all: () => [...outcomes.values()],
  };
}

function blocks(decision: 'kept' | 'undone', all: readonly number[]): Pick<StoredOutcome, 'kept' | 'undone'> {
  return all.length === 0 ? {} : { [decision]: [...new Set(all)] };
}

function keyOf({ conversationId, turnId, callId }: EditOrigin): string {
  return JSON.stringify([conversationId, turnId, callId]);
}
