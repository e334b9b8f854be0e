import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { toHistory } from '../../agent/history.ts';
import type { TurnInput } from '../../agent/turn.ts';
import { systemClock } from '../../base/clock.ts';
import { createChatSession } from '../../chat/chat-session.ts';
import { type Comparisons, createComparisons } from '../../chat/comparisons.ts';
import { followOthers } from '../../chat/follow-others.ts';
import { createOpenConversations } from '../../chat/open-conversations.ts';
import { type KeptHistory, keepHistory } from '../../chat/price-preview.ts';
import { createTabMemory } from '../../chat/tab-memory.ts';
import {
  createDraftStore,
  createQueueStore,
  createSideBarMemory,
  takeOverOldMemory,
  type ViewMemory,
} from '../../chat/view-memory.ts';
import { createCallIds } from '../../conversation/call-ids.ts';
import { type Conversation, createConversation } from '../../conversation/conversation.ts';
import type { QueuedMessage } from '../../conversation/queue.ts';
import { createSaving } from '../../conversation/store/saving.ts';
import { createConversationStore } from '../../conversation/store/store.ts';
import { contextLimit } from '../../conversation/turns/context-limit.ts';
import { createTurnLimit } from '../../conversation/turns/turn-limit.ts';
import { createSecretMask } from '../../service/redact.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { createMeteredClient } from '../../spend/metered-client.ts';
import { type KeptValues, openKeptValues } from '../../storage/kept-values.ts';
import type { Service } from '../account/create-service.ts';
import type { Own } from '../host/owner.ts';
import { confirmSpending } from '../spend/confirm-spending.ts';
import { createChatPanes } from './chat-panes.ts';
import { openFiles } from './compacting.ts';
import { createTurns } from './create-turns.ts';

/** The chat of this window: store, turns, money, and the session of its side bar. */
export async function createChat(service: Service, own: Own) {
  const { context, settings, log, ledger, estimator } = service;
  const comparisons = createComparisons(context.workspaceState);
  const { spentOn, metered, limit } = createMoney(service, comparisons);
  const panes = createChatPanes(systemClock.now);
  const turns = await createTurns({
    ...service,
    own,
    conversationAtHand: () => panes.active().session.conversation().id,
    titleOf: async (id) =>
      conversations.get(id)?.state().title ?? (await store.list()).find((one) => one.id === id)?.title,
    state: (turnId) => {
      const active = panes.active().session.state();
      const all = [active, ...conversations.all().map((conversation) => conversation.state())];
      return all.find(({ items }) => items.some((item) => item.kind === 'answer' && item.turnId === turnId)) ?? active;
    },
  });
  const store = createConversationStore({
    dir: context.globalStorageUri.fsPath,
    clock: systemClock,
    newId: randomUUID,
    images: service.images,
    onAsked: (id) => conversations.get(id)?.stop(),
    onDamage: ({ id, damaged }) => {
      log.error(`${damaged} records of conversation ${id} could not be read; copies are in its quarantine folder`);
      void vscode.window.showWarningMessage(
        vscode.l10n.t("Parts of a stored conversation couldn't be read. Nothing was deleted. See the log for details."),
      );
    },
  });
  const saving = own(
    createSaving({
      store: () => store,
      after: systemClock.after,
      onChange: () => {
        for (const { view } of panes.all()) view.infoChanged();
      },
    }),
  );
  const withoutKeys = createSecretMask(service.keys.known);
  const request = (): TurnInput['request'] => ({ ...settings.request(), surface: 'chat' });
  const surfaceOf = (id: string) => (comparisons.of(id) ? 'side-by-side' : 'chat');
  const histories = new WeakMap<Conversation, KeptHistory>();
  const create = (
    id: string,
    { events, elsewhere }: { events: DurableEvent[]; elsewhere: boolean },
    queued: readonly QueuedMessage[],
    onIdle: () => void,
  ): Conversation => {
    const kept = keepHistory(events);
    const conversation: Conversation = createConversation({
      id,
      events,
      elsewhere,
      append: (event) => {
        kept.add(event);
        return store.append(id, withoutKeys(event)).then(
          () => saving.stored(id),
          (error: unknown) => {
            saving.failed(id, error);
            throw error;
          },
        );
      },
      runTurn: turns.createRun({
        client: ({ turnId, overBudget }) => metered({ surface: surfaceOf(id), conversationId: id, turnId }, overBudget),
        conversationId: id,
        newCallId: createCallIds(events),
        onCheckpoint: (event) => conversation.checkpointTaken(event),
        limit: ({ turnId, overBudget }, economiseHard) =>
          createTurnLimit({
            client: metered({ surface: surfaceOf(id), conversationId: id, turnId }, overBudget),
            estimator,
            limit,
            economiseHard,
            toSent: (history) => economiseHard(history, conversation.state().model).messages,
            keep: () => ({ plan: conversation.state().plan ?? [], openFiles: openFiles() }),
          }),
        // Two agents must not change the same files at once.
        lookingOnly: () => comparisons.of(id) !== undefined,
      }),
      toHistory,
      request: () => ({ ...request(), surface: surfaceOf(id) }),
      alwaysAllowed: settings.allowedCommands,
      autoApprove: settings.autoApprove,
      queued,
      onIdle,
      clock: systemClock,
      newId: randomUUID,
      workspace: vscode.workspace.workspaceFolders?.[0]?.uri.toString(),
      onStorageError: (error) => {
        log.error('The conversation could not be stored', error);
      },
      onBug: (error) => log.error('A fault in the extension', error),
    });
    histories.set(conversation, kept);
    return conversation;
  };
  const kept = await openUnsent(service, withoutKeys);
  await takeOverOldMemory(context.workspaceState, kept);
  const conversations = createOpenConversations({
    read: store.open,
    build: create,
    newId: randomUUID,
    queues: createQueueStore(kept),
  });
  own({ dispose: conversations.onClose(({ id }) => void turns.commands.processes.stopAll(id)) });
  const others = own(
    followOthers({
      store,
      conversations,
      after: systemClock.after,
      onError: (error) => log.error('What other windows wrote could not be read', error),
    }),
  );
  const drafts = createDraftStore(kept);
  const lateDraft = (id: string, text: string) => {
    const pane = panes.all().find((each) => each.session.conversation().id === id);
    if (pane && text !== '') pane.session.addToDraft(text);
    return pane !== undefined;
  };
  const createSession = (memory: ViewMemory) =>
    createChatSession({ conversations, list: store.list, memory, drafts, lateDraft, defaultModel: settings.model });
  const session = await createSession(createSideBarMemory(context.workspaceState, createDraftStore(kept, 'sideBar')));
  /** What is being typed in editor tabs. */
  const texts = createDraftStore(kept, 'tabs');
  const tabMemory = createTabMemory({ kept, nowMs: systemClock.epochMs });
  own({
    dispose: () => {
      // What waits for consent is stored as expired; stopping the turns first would only say that they were cancelled.
      conversations.dispose();
      session.dispose();
      // The extension host waits for nothing at shutdown; what is not written then is closed as interrupted on reading.
      Promise.all([store.dispose(), ledger.close(), kept.flush()]).catch((error: unknown) =>
        log.error('Closing failed', error),
      );
    },
  });
  return {
    panes,
    session,
    createSession,
    conversations,
    comparisons,
    spentOn,
    drafts,
    texts,
    tabMemory,
    store,
    saving,
    others,
    kept,
    turns,
    estimator,
    metered,
    request,
    limit,
    historyOf: (conversation: Conversation) => histories.get(conversation),
  };
}

export type Chat = Awaited<ReturnType<typeof createChat>>;

/** What requests of conversations may cost and carry. */
function createMoney({ client, ledger, settings, estimator, learned, log }: Service, comparisons: Comparisons) {
  const spentOn = async (conversationId: string) => {
    const all = await Promise.all(comparisons.sharingLimit(conversationId).map(ledger.conversation));
    return all.reduce((sum, { microUsd }) => sum + microUsd, 0);
  };
  const metered = createMeteredClient({
    client,
    ledger,
    limits: settings.limits,
    spentOn,
    estimator,
    clock: systemClock,
    confirm: confirmSpending,
    onError: (error) => log.error('The ledger could not be written', error),
  });
  const limit = (model: string) =>
    contextLimit({
      request: settings.contextTokens(),
      model: settings.modelContextTokens(model),
      learned: learned.get(model).contextTokens,
    });
  return { spentOn, metered, limit };
}

/** What is being written and was not sent. A key that was typed into a message by mistake is not stored with the draft. */
async function openUnsent({ context, log }: Service, withoutKeys: <T>(value: T) => T): Promise<KeptValues> {
  const unsent = await openKeptValues({
    dir: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'unsent'),
    onError: (error) => log.error('What is being written could not be kept', error),
  });
  return {
    ...unsent,
    update: (name, value) => unsent.update(name, value === undefined ? value : withoutKeys(value)),
  };
}
