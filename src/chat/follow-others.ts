import type { ConversationStore } from '../conversation/store/store.ts';
import type { OpenConversations } from './open-conversations.ts';

export interface OthersFollower {
  /**
   * Takes over a conversation of which another window runs a turn: that window is asked to stop, and waited for. A
   * window that died or hangs is not waited for longer than its heartbeat. Resolves with false when it did not give
   * way.
   */
  takeOver(id: string): Promise<boolean>;
  dispose(): void;
}

export interface OthersFollowerDeps {
  store: Pick<
    ConversationStore,
    'inUseElsewhere' | 'changedElsewhere' | 'askToYield' | 'checkAsked' | 'unsaved' | 'watchUse'
  >;
  conversations: Pick<OpenConversations, 'all' | 'reload' | 'onDidChange'>;
  after(ms: number, run: () => void): () => void;
  onError(error: unknown): void;
}

/** A window that dies changes no file, so a read-only conversation is checked this often. */
const pollEveryMs = 3000;
const yieldPollMs = 250;
const yieldPolls = 100;

export function followOthers(deps: OthersFollowerDeps): OthersFollower {
  const { store, conversations, after } = deps;
  let refreshing: Promise<void> = Promise.resolve();
  let cancel: (() => void) | undefined;
  let disposed = false;

  async function refresh(): Promise<void> {
    await store.checkAsked();
    for (const { id, running, readOnly } of conversations.all()) {
      // What is in memory only would be gone from the screen.
      if (running || store.unsaved(id) > 0) continue;
      const changed = (await store.inUseElsewhere(id)) !== readOnly || (await store.changedElsewhere(id));
      if (changed) await conversations.reload(id);
    }
  }

  function refreshSoon(): void {
    refreshing = refreshing
      .then(() => (disposed ? undefined : refresh()))
      .catch(deps.onError)
      .then(refreshLater);
  }

  function refreshLater(): void {
    if (disposed || cancel !== undefined || !conversations.all().some((one) => one.readOnly)) return;
    cancel = after(pollEveryMs, () => {
      cancel = undefined;
      refreshSoon();
    });
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void after(ms, resolve));
  const stopWatching = store.watchUse(refreshSoon);
  const following = conversations.onDidChange(refreshLater);
  return {
    async takeOver(id) {
      for (let poll = 0; await store.inUseElsewhere(id); poll++) {
        if (poll === yieldPolls || disposed) return false;
        if (poll % 4 === 0) await store.askToYield(id);
        await pause(yieldPollMs);
      }
      await conversations.reload(id);
      return true;
    },
    dispose() {
      disposed = true;
      cancel?.();
      stopWatching();
      following.dispose();
    },
  };
}
