import { randomUUID } from 'node:crypto';
import { dayMs, systemClock } from '../../base/clock.ts';
import { conversationsWithTexts, forgetTexts } from '../../chat/view-memory.ts';
import { applyRetention } from '../../conversation/store/retention.ts';
import { createSecretMask } from '../../service/redact.ts';
import { eraseStorage, storagePaths, sweepStorage } from '../../storage/storage-paths.ts';
import type { Service } from '../account/create-service.ts';
import type { Chat } from '../chat-panel/create-chat.ts';
import type { Register } from '../host/disposable-store.ts';
import { createConversationCommands } from './conversation-commands.ts';
import { createConversationsView } from './conversations-view.ts';

/** Old conversations are sought only after a window has been in use for a while, never while it opens. */
const retentionDelayMs = 60_000;
/** A worktree whose conversation is gone is kept this long, because the conversation may be restored from the trash. */
const orphanMs = 30 * dayMs;

export function createHistory(
  { context, settings, images, keys, record, log }: Service,
  register: Register,
  chat: Chat,
) {
  const { widgets, storedValues } = chat.panel;
  const { store, open: conversations, tasks, contests } = chat.conversations;
  const view = register(createConversationsView({ store, conversations, memento: context.workspaceState, log }));
  const forget = (ids: ReadonlySet<string>) => {
    forgetTexts(storedValues, ids);
    contests.forget(ids);
  };
  const cancel = systemClock.after(retentionDelayMs, () => {
    const onError = (error: unknown) => log.error('Old conversations could not be moved to the trash', error);
    const rules = {
      store,
      retentionDays: settings.retentionDays(),
      nowMs: Date.now(),
      isOpen: (id: string) => conversations.get(id) !== undefined,
      textsLeft: () => [...conversationsWithTexts(storedValues), ...contests.conversationIds()],
      forgetTexts: forget,
      onError,
    };
    // What belongs to conversations goes after those that are gone by now.
    applyRetention(rules).then(chat.tools.commands.tidy).catch(onError);
    tasks.tidy(Date.now() - orphanMs).catch((error: unknown) => log.error('Worktrees could not be looked at', error));
    for (const [folder, places] of [
      [context.globalStorageUri, storagePaths.machine],
      [context.storageUri, storagePaths.workspace],
    ] as const) {
      if (folder === undefined) continue;
      sweepStorage(folder.fsPath, places, Date.now()).catch((error: unknown) =>
        log.error('Old files in storage could not be deleted', error),
      );
    }
  });
  register({ dispose: cancel });
  const commands = createConversationCommands({
    widget: widgets.active,
    sideBar: widgets.sideBar,
    showing: widgets.showing,
    store,
    images,
    conversations,
    view,
    tidyCommands: chat.tools.commands.tidy,
    eraseWorktrees: tasks.erase,
    forgetTexts: forget,
    async eraseInWorkspace() {
      record.reset();
      if (context.storageUri) await eraseStorage(context.storageUri.fsPath, storagePaths.workspace);
    },
    withoutKeys: createSecretMask(keys.known),
    newId: randomUUID,
  });
  return { view, commands };
}
