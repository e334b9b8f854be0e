import { dayMs } from '../../base/clock.ts';
import type { ConversationStore } from './store.ts';

/** For so long a deleted conversation can be had back. */
export const trashDays = 30;

export interface RetentionDeps {
  store: Pick<ConversationStore, 'list' | 'remove' | 'emptyTrash'>;
  /** Undefined: conversations are kept for ever. */
  retentionDays: number | undefined;
  nowMs: number;
  /** Shown or running in this window. */
  isOpen(id: string): boolean;
  /** One that could not be moved stays and is tried next time. */
  onError(error: unknown): void;
}

/**
 * Moves conversations that nobody went on with for `retentionDays` to the trash, except pinned and open ones, and deletes
 * for good what has been in the trash for `trashDays`. Resolves to the ids that were moved.
 */
export async function applyRetention(deps: RetentionDeps): Promise<string[]> {
  const { store, retentionDays, nowMs } = deps;
  await store.emptyTrash(nowMs - trashDays * dayMs);
  if (retentionDays === undefined) return [];
  const moved: string[] = [];
  for (const { id, updatedAt, pinned } of await store.list()) {
    if (pinned || deps.isOpen(id) || updatedAt > nowMs - retentionDays * dayMs) continue;
    try {
      await store.remove(id);
      moved.push(id);
    } catch (error) {
      deps.onError(error);
    }
  }
  return moved;
}
