import { createEmitter, type Event } from '../../base/emitter.ts';
import { messageOf } from '../../base/message-of.ts';
import { hasCode } from '../../storage/storage-fs.ts';
import type { ConversationStore } from './store.ts';
import { ConversationInUseError } from './writer.ts';

export interface SaveProblem {
  reason: 'full' | 'read-only' | 'in-use' | 'other';
  detail: string;
}

export interface Saving {
  failed(id: string, error: unknown): void;
  stored(id: string): void;
  problem(id: string): SaveProblem | undefined;
  onDidChange: Event;
  retry(): Promise<void>;
  dispose(): void;
}

export interface SavingDeps {
  store: Pick<ConversationStore, 'unsaved' | 'saveAgain'>;
  after(ms: number, run: () => void): () => void;
}

const retryEveryMs = 15_000;

export function createSaving({ store, after }: SavingDeps): Saving {
  const listeners = createEmitter();
  const problems = new Map<string, SaveProblem>();
  let cancel: (() => void) | undefined;

  function retryLater(): void {
    if (problems.size === 0 || cancel !== undefined) return;
    cancel = after(retryEveryMs, () => void retry());
  }

  async function retry(): Promise<void> {
    cancel?.();
    cancel = undefined;
    // Whatever fails is still unsaved, and that is what is shown.
    await store.saveAgain().catch(() => undefined);
    for (const id of [...problems.keys()]) if (store.unsaved(id) === 0) problems.delete(id);
    listeners.fire();
    retryLater();
  }

  return {
    failed(id, error) {
      problems.set(id, problemOf(error));
      listeners.fire();
      retryLater();
    },
    stored(id) {
      if (store.unsaved(id) > 0 || !problems.delete(id)) return;
      listeners.fire();
    },
    problem: (id) => problems.get(id),
    onDidChange: listeners.event,
    retry,
    dispose: () => cancel?.(),
  };
}

function problemOf(error: unknown): SaveProblem {
  const detail = messageOf(error);
  const hasOneOf = (codes: readonly string[]) => codes.some((code) => hasCode(error, code));
  if (error instanceof ConversationInUseError) return { reason: 'in-use', detail };
  if (hasOneOf(['ENOSPC', 'EDQUOT']) || /bytes fitted/.test(detail)) return { reason: 'full', detail };
  if (hasOneOf(['EROFS', 'EACCES', 'EPERM'])) return { reason: 'read-only', detail };
  return { reason: 'other', detail };
}
