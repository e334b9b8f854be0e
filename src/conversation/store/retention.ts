import { dayMs } from '../../base/clock.ts';
import type { ConversationStore } from './store.ts';

export const trashDays = 30;

export interface RetentionDeps {
  store: Pick<ConversationStore, 'list' | 'has' | 'remove' | 'listRemoved' | 'emptyTrash'>;
  retentionDays: number | undefined;
  nowMs: number;
  isOpen(id: string): boolean;
  /** The conversations that no view of this workspace shows, and of which it still has unsent texts. */
  textsLeft(): readonly string[];
  forgetTexts(ids: ReadonlySet<string>): void;
  onError(error: unknown): void;
}

/**
 * Moves conversations that nobody continued for `retentionDays` to the trash, except pinned and open ones, and
 * deletes permanently what was there for `trashDays`. What this workspace has of erased conversations goes as well,
 * wherever they were erased.
 */
export async function applyRetention(deps: RetentionDeps): Promise<void> {
  const { store, retentionDays, nowMs } = deps;
  await store.emptyTrash(nowMs - trashDays * dayMs);
  const gone = new Set<string>();
  for (const id of deps.textsLeft()) if (!deps.isOpen(id) && !(await store.has(id))) gone.add(id);
  if (gone.size > 0) {
    const removed = await store.listRemoved();
    for (const { summary } of removed) gone.delete(summary.id);
    // Where nothing is stored at all, the disk may only be away.
    const isThere = removed.length > 0 || (await store.list()).length > 0;
    if (isThere && gone.size > 0) deps.forgetTexts(gone);
  }
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
