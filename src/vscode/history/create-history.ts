import { randomUUID } from 'node:crypto';
import { dayMs, systemClock } from '../../base/clock.ts';
import { forgetTexts } from '../../chat/view-memory.ts';
import { applyRetention } from '../../conversation/store/retention.ts';
import { createSecretMask } from '../../service/redact.ts';
import { sweepLeftovers } from '../../storage/sweep-leftovers.ts';
import type { Service } from '../account/create-service.ts';
import type { Chat } from '../chat-panel/create-chat.ts';
import type { Register } from '../host/disposable-store.ts';
import { createConversationCommands } from './conversation-commands.ts';
import { createConversationsView } from './conversations-view.ts';

/** Old conversations are sought only after a window has been in use for a while, never while it opens. */
const retentionDelayMs = 60_000;
/** An attached, unsent image is kept this long, because a message in the queue may wait for days. */
const waitingImageMs = 30 * dayMs;
/**
 * A worktree whose conversation is gone is kept this long, because the conversation may be restored from the trash.
 */
const orphanMs = 30 * dayMs;
/** No write takes this long, so an older file that was never renamed into place was cut short. */
const leftoverMs = dayMs;

export function createHistory({ context, settings, images, keys, log }: Service, register: Register, chat: Chat) {
  const { widgets, storedValues } = chat.panel;
  const { store, open: conversations, tasks } = chat.conversations;
  const view = register(createConversationsView({ store, conversations, memento: context.workspaceState, log }));
  const cancel = systemClock.after(retentionDelayMs, () => {
    const onError = (error: unknown) => log.error('Old conversations could not be moved to the trash', error);
    const rules = {
      store,
      retentionDays: settings.retentionDays(),
      nowMs: Date.now(),
      isOpen: (id: string) => conversations.get(id) !== undefined,
      onError,
    };
    // What belongs to conversations goes after those that are gone by now.
    applyRetention(rules).then(chat.tools.commands.tidy).catch(onError);
    tasks.tidy(Date.now() - orphanMs).catch((error: unknown) => log.error('Worktrees could not be looked at', error));
    images.dropWaiting(Date.now() - waitingImageMs).catch(onError);
    for (const folder of [context.globalStorageUri, context.storageUri]) {
      if (folder === undefined) continue;
      sweepLeftovers(folder.fsPath, Date.now() - leftoverMs).catch((error: unknown) =>
        log.error('Leftovers of interrupted writes could not be deleted', error),
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
    forgetTexts: (ids) => forgetTexts(storedValues, ids),
    withoutKeys: createSecretMask(keys.known),
    newId: randomUUID,
  });
  return { view, commands };
}
