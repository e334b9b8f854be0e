import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { createCapacityWaits } from '../../chat/capacity-waits.ts';
import { openChats } from '../../chat/chats.ts';
import { type Comparisons, createComparisons } from '../../chat/comparisons.ts';
import { createDraftStore, type DraftView, sideBarView } from '../../chat/draft-store.ts';
import { createStepEstimate } from '../../chat/step-estimate.ts';
import { createTabMemory } from '../../chat/tab-memory.ts';
import { createQueueStore } from '../../chat/view-memory.ts';
import { openChatViewModel } from '../../chat/view-model.ts';
import { type ChatWindow, openWindow } from '../../chat/window.ts';
import { contextWindow } from '../../conversation/turns/context-window.ts';
import { createContestStore } from '../../features/best-of/core/contest-store.ts';
import { learnRun } from '../../features/plan/core/plan-price.ts';
import { createWorktreeTasks } from '../../features/worktrees/vscode/create-worktrees.ts';
import { createSecretMask } from '../../service/redact.ts';
import { leftToSpend, withCap } from '../../spend/budget.ts';
import { createMeteredClient } from '../../spend/metered-client.ts';
import { openStoredValues, type StoredValues } from '../../storage/stored-values.ts';
import type { Service } from '../account/create-service.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Register } from '../host/disposable-store.ts';
import { showMessage, showWarning } from '../host/show-message.ts';
import { confirmSpending } from '../spend/confirm-spending.ts';
import { locateRipgrep } from '../workspace/search-adapter.ts';
import { createChatWidgets } from './chat-widgets.ts';
import { createTools, worktreesDir } from './create-tools.ts';
import { selectMode } from './mode-picker.ts';
import { openFiles } from './open-files.ts';

export async function createChat(service: Service, register: Register) {
  const { context, settings, log, ledger, estimator } = service;
  const window = openWindow({
    dir: context.globalStorageUri.fsPath,
    clock: systemClock,
    newId: randomUUID,
    images: service.images,
    ripgrep: () => locateRipgrep(settings.ripgrepPath()),
    onDamage: tellOfDamage(log),
  });
  const { store, saving, focus } = window;
  register(saving);
  focus.onDidChange((inChat, inInput) => {
    setContextKey('svc.chatFocused', inChat);
    setContextKey('svc.chatInputFocused', inInput);
  });
  const comparisons = createComparisons(context.workspaceState);
  const money = createMoney(service, comparisons, window);
  const withoutKeys = createSecretMask(service.keys.known);
  const storedValues = await openDrafts(service, withoutKeys);
  const tools = await createTools(service, register, window);
  // To make all of it at once would take the thread of all extensions for too long.
  await setImmediate();
  const request = () => ({ ...settings.request(), surface: 'chat' as const });
  const { conversations, others, historyOf } = openChats({
    turns: tools.turns,
    turnContext: tools.turnContext,
    money,
    window,
    comparisons,
    request,
    openFiles,
    alwaysAllowed: settings.allowedCommands,
    autoApprove: settings.autoApprove,
    workspace: () => vscode.workspace.workspaceFolders?.[0]?.uri.toString(),
    withoutKeys,
    queues: createQueueStore(storedValues),
    clock: systemClock,
    newId: randomUUID,
    log,
  });
  register(others);
  const stepEstimate = createStepEstimate(storedValues, settings.chatMode);
  register(conversations.onDidEmit((_, events) => stepEstimate.follow(events)));
  register(conversations.onDidEmit(({ state }, events) => learnRun(estimator, state(), events)));
  service.record.readDecisions(tools.review.outcomes);
  register(conversations.onDidEmit(({ state }, events) => service.record.follow(state(), events)));
  const roomWaits = register(createCapacityWaits(storedValues, conversations));
  register(conversations.onDidClose(({ id }) => void tools.commands.processes.stopAll(id)));
  const tasks = register(
    createWorktreeTasks({
      workspace: tools.ports.workspace,
      files: tools.ports.files,
      dir: worktreesDir(context),
      review: tools.review,
      estimator,
      conversations,
      store,
      ensureReady: service.onboarding.ensureReady,
      setAgentMode: async () => void (await selectMode(settings.chatMode(), 'agent', tools.customizations)),
      defaultModel: settings.model,
      nameOf: service.models.nameOf,
      stopProcesses: async (id) => void (await tools.commands.processes.stopAll(id)),
      log,
    }),
  );
  const contests = createContestStore(storedValues);
  const widgets = createChatWidgets(focus);
  const drafts = createDraftStore(storedValues);
  const createViewModel = (place: DraftView) =>
    openChatViewModel({
      conversations,
      list: store.list,
      drafts,
      place,
      defaultModel: settings.model,
      newId: randomUUID,
    });
  const viewModel = await createViewModel(sideBarView(context.workspaceState));
  register({
    dispose: () => {
      // What waits for consent is stored as expired; stopping the turns first would only say that they were cancelled.
      conversations.dispose();
      viewModel.dispose();
      // The extension host waits for nothing at shutdown; what is not written then is closed as interrupted on reading.
      Promise.all([store.dispose(), ledger.close(), storedValues.flush()]).catch((error: unknown) =>
        log.error('Closing failed', error),
      );
    },
  });
  void roomWaits.resume().then((left) => {
    for (const title of left) {
      showMessage(
        vscode.l10n.t('"{0}" was perhaps sent before the window closed. It is not sent again unless you ask.', title),
      );
    }
  });
  const tabMemory = createTabMemory({ values: storedValues, nowMs: systemClock.epochMs });
  return {
    tools,
    money: { ...money, stepEstimate },
    conversations: { open: conversations, store, saving, others, comparisons, historyOf, request, tasks, contests },
    panel: { widgets, focus, viewModel, createViewModel, tabMemory, storedValues },
  };
}

export type Chat = Awaited<ReturnType<typeof createChat>>;

function createMoney(
  { client, ledger, settings, estimator, learned, log }: Service,
  comparisons: Comparisons,
  { live }: ChatWindow,
) {
  const spentOn = async (conversationId: string) => {
    const all = await Promise.all(comparisons.sharingLimit(conversationId).map(ledger.conversation));
    return all.reduce((sum, { microUsd }) => sum + microUsd, 0);
  };
  const capOf = (id: string) => live.get(id)?.state().budgetMicroUsd;
  const onError = (error: unknown) => log.error('The ledger could not be written', error);
  const metered = createMeteredClient({
    client,
    ledger,
    limits: settings.limits,
    spentOn,
    capOf,
    estimator,
    clock: systemClock,
    asksInStream: ({ surface, turnId }) => turnId !== undefined && (surface === 'chat' || surface === 'side-by-side'),
    confirm: confirmSpending,
    onError,
  });
  const left = (id: string) => leftToSpend({ ledger, spentOn, onError }, withCap(settings.limits(), capOf(id)), id);
  const contextWindowOf = (model: string) =>
    contextWindow({
      request: settings.contextTokens(),
      model: settings.modelContextTokens(model),
      learned: learned.get(model).contextTokens,
    });
  return { spentOn, metered, left, contextWindowOf, estimator };
}

/** Keys are masked before drafts are stored, so a key that was typed by mistake stays in memory only. */
async function openDrafts({ context, log }: Service, withoutKeys: <T>(value: T) => T): Promise<StoredValues> {
  const unsent = await openStoredValues({
    dir: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'unsent'),
    onError: (error) => log.error('What is being written could not be kept', error),
  });
  return {
    ...unsent,
    update: (name, value) => unsent.update(name, value === undefined ? value : withoutKeys(value)),
  };
}

/** Tells each kind of damage once a window; the log names all conversations. */
function tellOfDamage(log: Service['log']) {
  const told = new Set<string>();
  return ({ id, damaged, later }: { id: string; damaged: number; later: number }) => {
    log.error(
      `Conversation ${id}: ${damaged} records could not be read (copies are in its quarantine folder), ${later} are of another version`,
    );
    const text =
      damaged > 0
        ? vscode.l10n.t(
            "Parts of a stored conversation couldn't be read. Nothing was deleted. See the log for details.",
          )
        : vscode.l10n.t(
            "Parts of a stored conversation were written by another version of svc and aren't shown. Nothing was deleted.",
          );
    if (told.has(text)) return;
    told.add(text);
    showWarning(text);
  };
}
