import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { toHistory } from './agent/history.ts';
import { createCallIds } from './conversation/call-ids.ts';
import { type Conversation, createConversation, type TurnSummary } from './conversation/conversation.ts';
import type { QueuedMessage } from './conversation/queue.ts';
import { createConversationStore } from './conversation/store.ts';
import type { CheckDeps } from './service/check.ts';
import { createClient } from './service/client.ts';
import { systemClock } from './service/clock.ts';
import type { ServiceClient } from './service/contract.ts';
import { createLearned, type Learned } from './service/learned.ts';
import { createRedactor } from './service/redact.ts';
import { createTransport, type NetworkTransport } from './service/transport.ts';
import { pendingApprovals } from './shared/chat-state.ts';
import type { DurableEvent } from './shared/events.ts';
import { createEstimator } from './spend/estimate.ts';
import { createLedger, type Ledger } from './spend/ledger.ts';
import { createMeteredClient } from './spend/metered-client.ts';
import { createTurnParts } from './turn-parts.ts';
import { pickTools, showInstructions } from './vscode/agent-pickers.ts';
import { type ChatSession, createChatSession } from './vscode/chat-session.ts';
import { type ChatView, createChatView } from './vscode/chat-view.ts';
import type { CommandHandlers, CommandId } from './vscode/command-ids.ts';
import { createCommands } from './vscode/commands.ts';
import { createCompacting } from './vscode/compacting.ts';
import { confirmSpending } from './vscode/confirm-spending.ts';
import { createFailureActions } from './vscode/failure-actions.ts';
import { createLog, type Log } from './vscode/log.ts';
import { createModelDirectory, type ModelDirectory } from './vscode/model-directory.ts';
import { pickModel } from './vscode/model-picker.ts';
import { createOnboarding, type Onboarding } from './vscode/onboarding.ts';
import { createPages } from './vscode/pages.ts';
import { createPanelActions } from './vscode/panel-actions.ts';
import { createPanelInfo } from './vscode/panel-info.ts';
import { createPricePreview, type KeptHistory, keepHistory } from './vscode/price-preview.ts';
import { expandPromptFile } from './vscode/prompt-files.ts';
import { createReadiness, type Readiness } from './vscode/readiness.ts';
import { createReports } from './vscode/reports.ts';
import { createKeyStore, type KeyStore } from './vscode/secrets.ts';
import { createSettings, type Settings } from './vscode/settings.ts';
import { createStatus } from './vscode/status.ts';

/** What the shim calls once the assistant is loaded. */
export interface Assistant {
  commands: CommandHandlers;
  resolveChatView(view: vscode.WebviewView): void;
}

/** A service that queues answers late: no short limit to the first event, a shorter one between events (T06, T07). */
const timeouts = { firstEventMs: 180_000, idleMs: 90_000 };

/** Builds every part in order. Knows everything, decides nothing. */
export async function createAssistant(context: vscode.ExtensionContext): Promise<Assistant> {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const settings = own(createSettings());
  const addressOf = () => {
    const address = settings.baseUrl();
    return 'url' in address ? address.url : undefined;
  };
  const originOf = () => {
    const address = addressOf();
    return address === undefined ? undefined : new URL(address).origin;
  };
  const keys = own(createKeyStore(context.secrets, originOf));
  const redact = createRedactor(keys.known);
  const log = own(createLog(redact));
  const learned = createLearned(context.globalState.get('svc.learned'), (facts) => {
    void context.globalState.update('svc.learned', facts);
  });
  const transport = createTransport({
    loadDirect: async () => (await import('./service/direct-fetch.ts')).createDirectFetch(),
    hasProxySetting: () => Boolean(vscode.workspace.getConfiguration('http').get<string>('proxy')),
    env: process.env,
    log: log.info,
  });
  const models = own(createModelDirectory(context.globalState, (signal) => client.listModels(signal), originOf));
  const access = {
    baseUrl: () => addressOf() ?? '',
    key: async () => {
      const key = await keys.read();
      return key.state === 'present' ? key.key : undefined;
    },
    transport,
    clock: systemClock,
    redact,
    networkFacts: () => networkFacts(),
  };
  const client: ServiceClient = createClient({
    ...access,
    learned,
    modelIds: models.ids,
    onModels: (list) => void models.remember(list),
    fallback: settings.fallback,
    random: Math.random,
    newId: randomUUID,
    log: log.info,
    timeouts: () => timeouts,
  });
  const ledger = createLedger({
    dir: vscode.Uri.joinPath(context.globalStorageUri, 'ledger').fsPath,
    clock: systemClock,
  });
  await ledger.refresh().catch((error: unknown) => log.error('The ledger could not be read', error));
  const readiness = own(await createReadiness(settings, keys));
  const parts: Parts = { context, settings, keys, log, learned, access, transport, models, client, ledger, readiness };
  own(
    settings.onDidChange((event) => {
      if (event.affectsConfiguration('http')) transport.networkChanged();
    }),
  );
  return createSurfaces(parts, own, await createChat(parts, own));
}

/** The chat asks inside its own view; only when that cannot be seen a message leads there. */
function askForAttention(view: ChatView, run: (command: CommandId) => Thenable<unknown>): void {
  if (view.visible()) return;
  const show = vscode.l10n.t('Show Chat');
  void vscode.window.showInformationMessage(vscode.l10n.t('svc needs your approval to go on.'), show).then((answer) => {
    if (answer === show) void run('svc.focusApproval');
  });
}

/** Facts for the card of a network failure (N10, N12). */
function networkFacts(): Record<string, string | number> {
  const proxy = vscode.workspace.getConfiguration('http').get<string>('proxy');
  const remote = vscode.env.remoteName;
  return { ...(proxy ? { proxy: 'http.proxy is set' } : {}), ...(remote ? { remote } : {}) };
}

/** What the surfaces are built from. */
interface Parts {
  context: vscode.ExtensionContext;
  settings: Settings;
  keys: KeyStore;
  log: Log;
  learned: Learned;
  access: CheckDeps;
  transport: NetworkTransport;
  models: ModelDirectory;
  client: ServiceClient;
  ledger: Ledger;
  readiness: Readiness;
}

type Own = <T extends vscode.Disposable>(part: T) => T;

async function createChat(parts: Parts, own: Own) {
  const { context, settings, log, ledger } = parts;
  const estimator = createEstimator(context.globalState.get('svc.calibration'), (calibrations) => {
    void context.globalState.update('svc.calibration', calibrations);
  });
  const metered = createMeteredClient({
    client: parts.client,
    ledger,
    limits: settings.limits,
    estimator,
    clock: systemClock,
    confirm: confirmSpending,
    onError: (error) => log.error('The ledger could not be written', error),
  });
  const turns = await createTurnParts({ ...parts, own, state: () => session.state() });
  const store = createConversationStore({
    dir: context.globalStorageUri.fsPath,
    clock: systemClock,
    newId: randomUUID,
    onDamage: ({ id, damaged }) => {
      log.error(`${damaged} records of conversation ${id} could not be read; copies are in its quarantine folder`);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Parts of a stored conversation could not be read. Nothing was deleted; the log has the details.',
        ),
      );
    },
  });
  const histories = new WeakMap<Conversation, KeptHistory>();
  const create = (id: string, events: DurableEvent[], queued: readonly QueuedMessage[]): Conversation => {
    const kept = keepHistory(events);
    const conversation: Conversation = createConversation({
      id,
      events,
      append: (event) => {
        kept.add(event);
        return store.append(id, event);
      },
      runTurn: turns.createRun({
        client: (turnId) => metered({ surface: 'chat', conversationId: id, turnId }),
        newCallId: createCallIds(events),
        onCheckpoint: (event) => conversation.checkpointTaken(event),
      }),
      toHistory,
      request: () => ({ ...settings.request(), surface: 'chat' }),
      alwaysAllowed: settings.allowedCommands,
      autoApprove: settings.autoApprove,
      queued,
      clock: systemClock,
      newId: randomUUID,
      workspace: vscode.workspace.workspaceFolders?.[0]?.uri.toString(),
      onStorageError: (error) => {
        log.error('The conversation could not be stored', error);
        void vscode.window.showErrorMessage(
          vscode.l10n.t(
            'This conversation could not be saved: {0}. It is kept in memory and saved with the next message.',
            error instanceof Error ? error.message : String(error),
          ),
        );
      },
      onBug: (error) => log.error('A fault in the extension', error),
    });
    histories.set(conversation, kept);
    return conversation;
  };
  const session: ChatSession = await createChatSession({
    store,
    create,
    newId: randomUUID,
    memento: context.workspaceState,
    defaultModel: settings.model,
  });
  own({
    dispose: () => {
      session.dispose();
      // The extension host waits for nothing at shutdown; what is not written then is closed as interrupted on reading.
      Promise.all([store.dispose(), ledger.close()]).catch((error: unknown) => log.error('Closing failed', error));
    },
  });
  return { session, turns, estimator, metered, kept: () => histories.get(session.conversation()) };
}

type Chat = Awaited<ReturnType<typeof createChat>>;

function createSurfaces(parts: Parts, own: Own, chat: Chat): Assistant {
  const { session, turns } = chat;
  const { editing } = turns;
  const { context, settings, keys, log, learned, models, client, readiness, ledger } = parts;
  const currentModel = () => session.conversation().model() || settings.model();
  const onboarding: Onboarding = createOnboarding({
    settings,
    keys,
    checkKey: client.checkKey,
    nameOf: models.nameOf,
    onAccepted: () => void parts.transport.warm(),
  });
  const pages = own(createPages());
  const reports = createReports({
    check: parts.access,
    learned,
    pages,
    session,
    extensionVersion: context.extension.packageJSON.version,
  });
  const run = (command: CommandId, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);
  const showChat = async () => {
    await vscode.commands.executeCommand('svc.chat.focus');
    view.focusInput();
  };
  const showApproval = async () => {
    await vscode.commands.executeCommand('svc.chat.focus');
    view.focusApproval();
  };
  /** Everything that is missing is asked for first; what was typed stays in the composer until it is sent. */
  const send = async (text: string): Promise<TurnSummary | undefined> => {
    if (session.conversation().running || !(await onboarding.ensureReady())) {
      session.addToDraft(text);
      return undefined;
    }
    await compaction.offerAtLimit();
    return session.send(expandPromptFile(text, turns.instructions.promptFiles()));
  };
  const compaction = createCompacting({
    session,
    learned,
    settings,
    estimator: chat.estimator,
    client: (conversationId) => chat.metered({ surface: 'chat', conversationId }),
    toSent: turns.toSent,
    model: currentModel,
  });
  const failureAction = createFailureActions({
    conversation: session.conversation,
    run,
    enterKey: onboarding.setApiKey,
    otherModel: (failed) => [...settings.fallback().order, ...models.ids()].find((id) => id !== failed),
    copyReport: reports.copyReport,
    log,
  });
  let rulesAsked = false;
  /** The first message carries the rules too: they are read when it begins to be written. */
  const warm = () => {
    void parts.transport.warm();
    if (rulesAsked) return;
    rulesAsked = true;
    void turns.instructions.refresh().then(() => view.priceChanged());
  };
  const handle = createPanelActions({
    session: () => session,
    run,
    send: async (text) => void (await send(text)),
    failureAction,
    edits: editing.actions,
    warm,
    log,
  });
  const info = createPanelInfo({ settings, readiness, models, session, model: currentModel, edits: editing.files });
  const view: ChatView = createChatView({
    extensionUri: context.extensionUri,
    state: session.state,
    draft: session.draft,
    info,
    price: createPricePreview({
      estimator: chat.estimator,
      model: currentModel,
      draft: session.draft,
      attachments: session.attachments,
      kept: chat.kept,
      running: () => session.conversation().running,
      toSent: turns.toSent,
      overhead: turns.overhead,
      limits: (model) => ({ request: settings.contextTokens(), learned: learned.get(model).contextTokens }),
      expand: (draft) => expandPromptFile(draft, turns.instructions.promptFiles()),
    }),
    handle,
    log,
  });
  const stopListening = [
    session.onEvents((events) => {
      view.onEvents(events);
      if (events.some((event) => event.type === 'modelChanged')) view.infoChanged();
      if (events.some((event) => event.type === 'turnEnded' || event.type === 'compacted')) view.priceChanged();
      if (events.some((event) => event.type === 'approvalRequested')) askForAttention(view, run);
      view.setApprovals(pendingApprovals(session.state()).length);
    }),
    session.onReset(view.reset),
    session.onComposer(view.infoChanged),
  ];
  own(editing.onDidChange(view.infoChanged));
  own(readiness.onDidChange(view.infoChanged));
  own(settings.onDidChange(view.infoChanged));
  own(models.onDidChange(view.infoChanged));
  own(vscode.workspace.onDidGrantWorkspaceTrust(view.infoChanged));
  own(vscode.workspace.onDidChangeWorkspaceFolders(view.infoChanged));
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
      session,
      model: currentModel,
      nameOf: models.nameOf,
      onError: (error) => log.error('The ledger could not be read', error),
    }),
  );
  return {
    commands: createCommands({
      session: () => session,
      settings,
      onboarding,
      showChat,
      showApproval,
      send,
      pickModel: (current) => pickModel(models, learned, current),
      today: ledger.today,
      checkService: reports.checkService,
      showCapabilities: reports.showCapabilities,
      copyReport: () => reports.copyReport(),
      compact: compaction.compact,
      edits: editing.commands,
      pickTools: () => pickTools(turns.foreign, settings),
      showInstructions: () => showInstructions(turns.instructions),
      showSent: () => reports.showSent(turns.lastRequest()),
      log,
    }),
    resolveChatView: view.resolve,
  };
}
