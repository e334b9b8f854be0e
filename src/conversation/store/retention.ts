import { dayMs } from '../../base/clock.ts';
import type { ConversationStore } from './store.ts';

export const trashDays = 30;

export interface RetentionDeps {
  store: Pick<ConversationStore, 'list' | 'remove' | 'emptyTrash'>;
  retentionDays: number | undefined;
  nowMs: number;
  isOpen(id: string): boolean;
  onError(error: unknown): void;
}

/**
 * Moves conversations that nobody continued for `retentionDays` to the trash, except pinned and open ones, and
 * deletes permanently what was there for `trashDays`.
 */
export async function applyRetention(deps: RetentionDeps): Promise<void> {
  const { store, retentionDays, nowMs } = deps;
  await store.emptyTrash(nowMs - trashDays * dayMs);
  if (retentionDays === undefined) return;
  for (const { id, updatedAt, pinned } of await store.list()) {
    if (pinned || deps.isOpen(id) || updatedAt > nowMs - retentionDays * dayMs) continue;
    try {
      await store.remove(id);
    } catch (error) {
      deps.onError(error);
    }
  }
}
