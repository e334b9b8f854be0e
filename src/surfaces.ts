import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Assistant } from './assistant.ts';
import { callsOnFirstUse, onFirstUse } from './base/on-first-use.ts';
import { touchedPaths } from './conversation/touched-paths.ts';
import type { Onboarding } from './vscode/account/onboarding.ts';
import { createServiceCommands } from './vscode/account/register-account.ts';
import { createWalkthrough } from './vscode/account/walkthrough.ts';
import { createAttention } from './vscode/chat/attention.ts';
import { type ChatPane, showPendingApproval } from './vscode/chat/chat-panes.ts';
import type { ChatTabs } from './vscode/chat/chat-tabs.ts';
import { sideBarHost } from './vscode/chat/chat-view.ts';
import { createCompared } from './vscode/chat/compared.ts';
import type { Chat, Own, Parts } from './vscode/chat/create-chat.ts';
import { createPane, type PaneDeps } from './vscode/chat/create-pane.ts';
import { returningFocus } from './vscode/chat/return-focus.ts';
import { createPageMemory } from './vscode/chat/view-memory.ts';
import { createCommands } from './vscode/commands/commands.ts';
import { createComposers } from './vscode/composer/create-composer.ts';
import { createHistory } from './vscode/history/create-history.ts';
import { createPages } from './vscode/host/pages.ts';
import { createReports } from './vscode/reports/reports.ts';
import { createStatus } from './vscode/spend/status.ts';

/** Everything that the user meets: panels, commands, status bar, reports. */
export function createSurfaces(parts: Parts, own: Own, chat: Chat): Assistant {
  const { panes, conversations, turns } = chat;
  const { editing } = turns;
  const { context, settings, keys, log, learned, models, client, readiness, ledger } = parts;
  const session = () => panes.active().session;
  const currentModel = () => session().conversation().model() || settings.model();
  const asked = callsOnFirstUse<Onboarding>(
    { setBaseUrl: true, setApiKey: true, removeApiKey: true, ensureReady: true },
    async () =>
      (await import('./vscode/account/onboarding.ts')).createOnboarding({
        settings,
        keys,
        checkKey: client.checkKey,
        nameOf: models.nameOf,
        onAccepted: () => void parts.transport.warm(),
      }),
  );
  const isReady = async () => 'url' in settings.baseUrl() && (await keys.read()).state === 'present';
  const onboarding: Onboarding = { ...asked, ensureReady: async () => (await isReady()) || asked.ensureReady() };
  const pages = own(createPages());
  const reports = createReports({
    check: { ...parts.access, model: currentModel },
    supportEmail: settings.supportEmail,
    models,
    board: parts.board,
    tryOrder: () => ({ order: parts.fallback().order, isSet: settings.fallback().order.length > 0 }),
    run: (command, ...args) => vscode.commands.executeCommand(command, ...args),
    learned,
    pages,
    session,
    extensionVersion: context.extension.packageJSON.version,
  });
  const spend = onFirstUse(async () =>
    own(
      (await import('./vscode/spend/spend.ts')).createSpend({
        extensionUri: context.extensionUri,
        ledger,
        settings,
        models,
        conversations: () => session().list(),
        conversationId: () => session().conversation().id,
        onDidChangeConversation: conversations.onDidChange,
        onError: (error) => log.error('The spend report failed', error),
      }),
    ),
  );
  const pickModel = async (current: string) =>
    (await import('./vscode/account/model-picker.ts')).pickModel(models, parts, current);
  const native = onFirstUse(async () =>
    (await import('./vscode/native-chat/create-native.ts')).createNative(parts, chat, {
      ensureReady: onboarding.ensureReady,
      readContext,
    }),
  );
  const serviceCommands = createServiceCommands(parts, own, { onboarding, reports });
  const toAll = (tell: (view: ChatPane['view']) => void) => () => {
    for (const { view } of panes.all()) tell(view);
  };
  const infoChanged = toAll((view) => view.infoChanged());
  let rulesAsked = false;
  /** The first message carries the rules too: they are read when it begins to be written. */
  const warm = () => {
    void parts.transport.warm();
    if (rulesAsked) return;
    rulesAsked = true;
    void turns.instructions.refresh().then(toAll((view) => view.priceChanged()));
  };
  const { createComposer, read: readContext, knowsTerminal } = createComposers(parts, own, chat);
  const coloring = onFirstUse(async () => {
    const made = own((await import('./vscode/chat/code-coloring.ts')).createCodeColoring(context.extensionUri, log));
    own(made.onDidChange(toAll((view) => view.post({ type: 'colorsChanged' }))));
    return made;
  });
  const colors: PaneDeps['colors'] = {
    color: (request) =>
      coloring()
        .then((made) => made.color(request))
        .catch((error: unknown) => {
          log.error('Code could not be coloured', error);
          return undefined;
        }),
  };
  const paneDeps = {
    parts,
    chat,
    panes,
    onboarding,
    reports,
    colors,
    pages,
    warm,
    createComposer,
    keepCompared: (pane: ChatPane) => compared.keep(pane),
  };
  const sideBar = own(
    createPane(paneDeps, chat.session, {
      reveal: async () => void (await vscode.commands.executeCommand('svc.chat.focus')),
      progressIn: { viewId: 'svc.chat' },
      page: createPageMemory(chat.kept, 'sideBar'),
    }),
  );
  panes.add(sideBar);
  const tabs = callsOnFirstUse<ChatTabs>({ open: true, openBeside: true, restore: true, reopenLost: true }, async () =>
    (await import('./vscode/chat/chat-tabs.ts')).createChatTabs({
      ...chat,
      extensionUri: context.extensionUri,
      nameOf: models.nameOf,
      newKey: randomUUID,
      pageOf: (key) => createPageMemory(chat.kept, key),
      createPane: (tabSession, frame) =>
        createPane(paneDeps, tabSession, { ...frame, progressIn: vscode.ProgressLocation.Window }),
    }),
  );
  const compared = createCompared(chat);
  const comparing = onFirstUse(async () =>
    (await import('./vscode/chat/compare-models.ts')).createModelComparison({
      ...chat,
      tabs,
      ledger,
      limits: settings.limits,
      ensureReady: onboarding.ensureReady,
      pickModel,
      newId: randomUUID,
      log,
    }),
  );
  // Windows without a folder have one storage between them: a tab that is missing here may be open in another.
  if (context.storageUri && !chat.tabMemory.isEmpty()) {
    tabs.reopenLost().catch((error: unknown) => log.error('A tab could not be opened again', error));
  }
  const history = createHistory(parts, own, chat);
  const attention = own(createAttention(conversations, panes));
  const walkthrough = own(createWalkthrough());
  const stopListening = [
    conversations.onEvents((_conversation, events) => {
      if (events.some((event) => event.type === 'userMessage')) walkthrough.done('svc.walkthroughAsked');
    }),
    chat.comparisons.onDidChange(infoChanged),
  ];
  own(editing.onDidChange(infoChanged));
  own(readiness.onDidChange(infoChanged));
  const keyStored = () => readiness.hasKey() && walkthrough.done('svc.walkthroughKeyStored');
  keyStored();
  own(readiness.onDidChange(keyStored));
  own(settings.onDidChange(infoChanged));
  own(models.onDidChange(infoChanged));
  own({ dispose: learned.onDidChange(infoChanged) });
  own(vscode.workspace.onDidGrantWorkspaceTrust(infoChanged));
  own(vscode.workspace.onDidChangeWorkspaceFolders(infoChanged));
  own({
    dispose: () => {
      for (const stop of stopListening) stop();
    },
  });
  own(
    createStatus({
      settings,
      keys,
      readiness,
      ledger,
      conversations,
      conversationId: () => session().conversation().id,
      model: currentModel,
      nameOf: models.nameOf,
      onError: (error) => log.error('The ledger could not be read', error),
    }),
  );
  const handlers = createCommands({
    session,
    addToChat: { ...turns.ports, read: readContext, knowsTerminal },
    attach: (found) => panes.active().attach(found),
    editor: async () =>
      (await import('./vscode/inline/create-inline.ts')).createEditorCommands(parts, own, chat, {
        onboarding,
        model: currentModel,
      }),
    settings,
    onboarding,
    openChat: sideBar.show,
    showChat: () => panes.active().show(),
    showApproval: () => showPendingApproval(panes, conversations.all()),
    menu: (action) => panes.active().view.post({ type: 'menuAction', action }),
    openInEditor: tabs.open,
    compareModels: async (argument) => (await comparing())(argument),
    stop: () => compared.stop(session().conversation()),
    send: (text) => panes.active().send(text),
    async pickModel(current) {
      const chosen = await pickModel(current);
      if (chosen !== undefined) walkthrough.done('svc.walkthroughModelPicked');
      return chosen;
    },
    today: ledger.today,
    service: serviceCommands,
    checkService: reports.checkService,
    showCapabilities: reports.showCapabilities,
    showAccessibilityHelp: reports.showAccessibilityHelp,
    copyReport: () => reports.copyReport(),
    compact: () => panes.active().compact(),
    newChatFromSummary: () => panes.active().newChatFromSummary(),
    edits: editing.commands,
    history: history.commands,
    spend: async () => (await spend()).commands,
    pickTools: async () => (await import('./vscode/commands/agent-pickers.ts')).pickTools(turns.foreign, settings),
    showInstructions: async () => {
      const history = chat.historyOf(session().conversation())?.withNext('', []) ?? [];
      const { showInstructions } = await import('./vscode/commands/agent-pickers.ts');
      await showInstructions(turns.instructions, touchedPaths(history));
    },
    showSent: () => reports.showSent(turns.lastRequest(session().conversation().id)),
    showNext: () => panes.active().showNext(),
    log,
  });
  const commands = returningFocus(handlers, panes);
  return {
    commands,
    runInSideBar(id) {
      panes.activate(sideBar);
      return commands[id]();
    },
    resolveChatView(view, page) {
      sideBar.view.resolve(sideBarHost(view, page));
      attention.badgeOn(view);
    },
    restoreChatTab: tabs.restore,
    conversationTree: history.view,
    nativeModels: async () => (await native()).nativeModels,
    onModelsChanged: (listener) =>
      vscode.Disposable.from(
        models.onDidChange(listener),
        readiness.onDidChange(listener),
        settings.onDidChange(listener),
        { dispose: learned.onDidChange(listener) },
      ),
    nativeTool: async () => (await native()).nativeTool(),
    participant: async () => (await native()).participant(),
    usage: async () => (await spend()).usage,
  };
}
