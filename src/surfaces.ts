import * as vscode from 'vscode';
import type { Assistant } from './assistant.ts';
import type { Chat, Own, Parts } from './chat-parts.ts';
import type { TurnSummary } from './conversation/conversation.ts';
import { pendingApprovals } from './shared/chat-state.ts';
import type { ChatEvent } from './shared/events.ts';
import { pickTools, showInstructions } from './vscode/agent-pickers.ts';
import { type ChatView, createChatView } from './vscode/chat-view.ts';
import type { CommandId } from './vscode/command-ids.ts';
import { createCommands } from './vscode/commands.ts';
import { createCompacting } from './vscode/compacting.ts';
import { createFailureActions } from './vscode/failure-actions.ts';
import { pickModel } from './vscode/model-picker.ts';
import { createOnboarding, type Onboarding } from './vscode/onboarding.ts';
import { createPages } from './vscode/pages.ts';
import { createPanelActions } from './vscode/panel-actions.ts';
import { createPanelInfo } from './vscode/panel-info.ts';
import { createPricePreview } from './vscode/price-preview.ts';
import { expandPromptFile } from './vscode/prompt-files.ts';
import { createReports } from './vscode/reports.ts';
import { createStatus } from './vscode/status.ts';

/** Everything that the user meets: panel, commands, status bar, reports. */
export function createSurfaces(parts: Parts, own: Own, chat: Chat): Assistant {
  const { session, conversations, turns } = chat;
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
    return session.send(expand(text));
  };
  /** A slash command becomes its text. */
  const expand = (text: string) => expandPromptFile(text, turns.instructions.promptFiles());
  /** U16: the same parts as a turn, asked for what they would send. */
  const showNext = async (): Promise<void> => {
    const model = currentModel();
    const draft = session.draft();
    const history = chat.kept()?.withNext(expand(draft), session.attachments()) ?? [];
    const request = await turns.nextRequest({ history, model, request: chat.request() });
    const running = session.conversation().running;
    await reports.showNext({ request, price: price('all'), running, empty: draft.trim() === '' });
  };
  const compaction = createCompacting({
    session,
    estimator: chat.estimator,
    limit: chat.limit,
    kept: chat.kept,
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
    learned,
    longest: chat.estimator.longest,
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
  const price = createPricePreview({
    estimator: chat.estimator,
    model: currentModel,
    draft: session.draft,
    attachments: session.attachments,
    kept: chat.kept,
    running: () => session.conversation().running,
    toSent: turns.toSent,
    overhead: turns.overhead,
    limit: chat.limit,
    quote: compaction.quote,
    expand,
  });
  const view: ChatView = createChatView({
    extensionUri: context.extensionUri,
    state: session.state,
    draft: session.draft,
    draftFrom: session.draftFrom,
    info,
    price,
    handle,
    log,
  });
  const stopListening = [
    session.onEvents((events) => {
      view.onEvents(events);
      if (events.some((event) => event.type === 'modelChanged')) view.infoChanged();
      if (events.some((event) => recounted.has(event.type))) view.priceChanged();
    }),
    conversations.onEvents((_conversation, events) => {
      if (events.some((event) => event.type === 'approvalRequested')) askForAttention(view, run);
      view.setApprovals(conversations.all().flatMap((each) => pendingApprovals(each.state())).length);
    }),
    session.onReset(view.reset),
    session.onDraftAdded(view.draftAdded),
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
      conversations,
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
      newChatFromSummary: compaction.newChatFromSummary,
      edits: editing.commands,
      pickTools: () => pickTools(turns.foreign, settings),
      showInstructions: () => showInstructions(turns.instructions),
      showSent: () => reports.showSent(turns.lastRequest()),
      showNext,
      log,
    }),
    resolveChatView: view.resolve,
  };
}

/** What changes what the next message sends, also while a turn runs and the next one waits. */
const recounted: ReadonlySet<ChatEvent['type']> = new Set(['turnStarted', 'stepFinished', 'turnEnded', 'compacted']);

/** The chat asks inside its own view; only when that cannot be seen a message leads there. */
function askForAttention(view: ChatView, run: (command: CommandId) => Thenable<unknown>): void {
  if (view.visible()) return;
  const show = vscode.l10n.t('Show Chat');
  void vscode.window.showInformationMessage(vscode.l10n.t('svc needs your approval to go on.'), show).then((answer) => {
    if (answer === show) void run('svc.focusApproval');
  });
}
