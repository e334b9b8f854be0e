import * as vscode from 'vscode';
import { modelOrder, takesImages } from '../../conversation/model-order.ts';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import { createEditedMessage, type EditedMessage } from '../../conversation/session/edited-message.ts';
import { createSendFlow, type SendFlow } from '../../conversation/session/send-flow.ts';
import type { PageMemory } from '../../conversation/session/view-memory.ts';
import { createSecretMask } from '../../service/redact.ts';
import { eventTraits } from '../../shared/event-traits.ts';
import type { PanelInfo } from '../../shared/panel/panel-info.ts';
import type { PanelMessage } from '../../shared/panel/protocol.ts';
import type { Estimator } from '../../spend/estimate.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import type { Composer, ComposerView } from '../composer/create-composer.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import type { Reports } from '../reports/create-reports.ts';
import type { ChatPane, ChatPanes } from './chat-panes.ts';
import { type ChatView, createChatView } from './chat-view.ts';
import type { CodeColoring } from './code-coloring.ts';
import { type Compacting, type CompactingDeps, createCompacting } from './compacting.ts';
import type { Chat } from './create-chat.ts';
import { createFailureActions } from './failure-actions.ts';
import { followEdits, type PaneEdits } from './pane-edits.ts';
import { createPaneRequest } from './pane-request.ts';
import { createPanelActions, type PanelActionDeps } from './panel-actions.ts';
import { createPanelInfo, type PanelInfoDeps } from './panel-info.ts';
import { createDeleteFrom, createRerun } from './rerun.ts';
import { createTakeOver } from './take-over.ts';

/** What all views of the chat share. */
export interface PaneDeps {
  service: Service;
  chat: Chat;
  panes: ChatPanes;
  reports: Reports;
  colors: Pick<CodeColoring, 'color'>;
  pages: Pages;
  createComposer(view: ComposerView): Composer;
  /** The user began to type: what the first request needs may be loaded now. */
  warm(): void;
  keepCompared(pane: ChatPane): void;
}

/** Where a view stands. */
export interface PaneFrame {
  /** Brings the side bar or the tab into sight. */
  reveal(): Promise<void>;
  /** Where it is told that a command runs for it. */
  progressIn: vscode.ProgressOptions['location'];
  close?(): void;
  page: PageMemory;
}

/** One view of the chat on its session. */
export function createPane(deps: PaneDeps, session: ChatSession, frame: PaneFrame): ChatPane & { dispose(): void } {
  const { service, chat, panes } = deps;
  const { settings, learned, models, onboarding, log } = service;
  const { turns, estimator } = chat;
  const currentModel = () => session.conversation().model() || settings.model();
  /** What is asked for in this view is done in it. */
  const run = (command: CommandId, ...args: unknown[]) => {
    panes.activate(pane);
    return vscode.commands.executeCommand(command, ...args);
  };
  const images = (model: string) => takesImages(learned, model);
  const tryOrder = () =>
    modelOrder({ preferred: service.fallback().order, known: models.ids() }, session.state(), learned);
  const compaction = compactionOf(deps, session, { model: currentModel, progressIn: frame.progressIn });
  const takeOver = createTakeOver({
    takeOver: () => chat.others.takeOver(session.conversation().id),
    onChange: () => view.infoChanged(),
  });
  const composer: Composer = deps.createComposer({
    session,
    post: (message) => view.post(message),
    visible: () => view.visible(),
    run,
  });
  const flow = createSendFlow({
    session,
    ensureReady: onboarding.ensureReady,
    prepare: composer.prepare,
    offerAtLimit: compaction.offerAtLimit,
    remember: composer.remember,
  });
  const edited = createEditedMessage(session);
  const handle = actionsOf(deps, session, {
    view: () => view,
    pane: () => pane,
    edits: () => edits,
    flow,
    composer,
    edited,
    takeOver: takeOver.run,
    tryOrder,
    run,
  });
  const edits = followEdits({ session, review: turns.review, onNoteChanged: () => view.priceChanged() });
  const { price, estimate, showNext } = createPaneRequest(deps, session, {
    edited,
    model: currentModel,
    images,
    note: edits.note,
    quote: compaction.quote,
  });
  const view: ChatView = createChatView({
    extensionUri: service.context.extensionUri,
    state: session.state,
    draft: session.draft,
    draftFrom: session.draftFrom,
    info: createPanelInfo({
      ...service,
      session,
      model: currentModel,
      comparedWith: () => chat.comparisons.of(session.conversation().id)?.otherModel,
      weigh: weighWith(estimator, currentModel, images),
      takesImages: images,
      changes: edits.shown,
      processes: () => shownProcesses(turns, session),
      tryOrder,
      unsaved: () => chat.saving.problem(session.conversation().id),
      takingOver: takeOver.underWay,
      inTab: frame.close !== undefined,
    }),
    page: frame.page,
    price,
    colors: deps.colors,
    withoutKeys: createSecretMask(service.keys.known),
    handle,
    onShown: composer.shown,
    log,
  });
  const stopListening = listenTo(session, { view, edits, edited });
  const show = async (focus: () => void) => {
    panes.activate(pane);
    await frame.reveal();
    focus();
  };
  const pane: ChatPane & { dispose(): void } = {
    session,
    view,
    show: () => show(view.focusInput),
    showApproval: () => show(view.focusApproval),
    ...(frame.close && { close: frame.close }),
    model: currentModel,
    prepare: composer.prepare,
    remember: composer.remember,
    attach: composer.add,
    estimate,
    send: flow.send,
    compact: compaction.compact,
    newChatFromSummary: compaction.newChatFromSummary,
    showNext,
    dispose() {
      for (const stop of stopListening) stop();
      edits.dispose();
      composer.dispose();
    },
  };
  return pane;
}

function compactionOf(
  { chat }: PaneDeps,
  session: ChatSession,
  own: Pick<CompactingDeps, 'model' | 'progressIn'>,
): Compacting {
  const { estimator, limit, turns } = chat;
  return createCompacting({
    ...own,
    session,
    estimator,
    limit,
    kept: () => chat.historyOf(session.conversation()),
    client: (conversationId) => chat.metered({ surface: 'chat', conversationId }),
    toSent: turns.toSent,
  });
}

/** What an attachment would cost; nothing is said of an image that the model does not take. */
function weighWith(
  estimator: Estimator,
  currentModel: () => string,
  images: (model: string) => boolean,
): PanelInfoDeps['weigh'] {
  return ({ text, image }) => {
    const model = currentModel();
    if (image !== undefined && !images(model)) return {};
    const { tokens, assumed } = image ? estimator.images(model, [image]) : estimator.text(model, text);
    return { tokens, microUsd: costMicroUsd(tokens), ...(assumed && { assumed }) };
  };
}

interface ActionParts {
  view(): ChatView;
  pane(): ChatPane;
  edits(): PaneEdits;
  flow: SendFlow;
  composer: Composer;
  edited: EditedMessage;
  takeOver(): Promise<void>;
  tryOrder(): readonly string[];
  run: PanelActionDeps['run'];
}

/** What the panel of this view can ask for. */
function actionsOf(deps: PaneDeps, session: ChatSession, parts: ActionParts): (message: PanelMessage) => void {
  const { service, chat, panes } = deps;
  const { learned, models, onboarding, settings, log } = service;
  const { turns, estimator } = chat;
  const { view, pane, edits, flow, composer, edited, takeOver, tryOrder, run } = parts;
  return createPanelActions({
    session: () => session,
    run,
    send: async (text) => void (await flow.send(text)),
    queue: flow.queue,
    composer,
    propose(prompt) {
      session.addToDraft(prompt);
      view().focusInput();
    },
    failureAction: createFailureActions({
      conversation: session.conversation,
      model: () => session.conversation().model() || settings.model(),
      run,
      enterKey: onboarding.setApiKey,
      otherModel: (failed) => tryOrder().find((id) => id !== failed),
      copyReport: deps.reports.copyReport,
      learned,
      longest: estimator.longest,
      log,
    }),
    edits: turns.review.actions,
    rerun: createRerun({
      session: () => session,
      ensureReady: onboarding.ensureReady,
      prepare: composer.prepare,
      pickModel: async (current) => pickModel(models, service, current),
      restore: turns.review.actions.restore,
    }),
    deleteFrom: createDeleteFrom({ session: () => session, restore: turns.review.actions.restore }),
    editing(next) {
      edited.set(next);
      view().priceChanged();
    },
    warm: deps.warm,
    takeOver,
    saveAgain: chat.saving.retry,
    keepCompared: () => deps.keepCompared(pane()),
    pages: deps.pages,
    post: (message) => view().post(message),
    focusChanged(focus) {
      panes.focusChanged(pane(), focus);
      if (focus.chat) edits().look();
    },
    async showTerminal(callId) {
      const turnId = session.state().running?.turnId;
      if (turnId !== undefined) await turns.showTerminal({ turnId, callId });
    },
    async process(action, id) {
      const { processes, shell } = turns.commands;
      const info = processes.running().find((each) => each.id === id);
      if (info === undefined) return;
      if (action === 'stop') await processes.stop(info.conversationId, id);
      else shell.show(info.run);
    },
    log,
  });
}

/** Of all conversations: what runs must be seen wherever one looks. */
function shownProcesses({ commands }: PaneDeps['chat']['turns'], session: ChatSession): PanelInfo['processes'] {
  return commands.processes.running().map(({ id, commandLine, place, conversationId }) => ({
    ...{ id, line: commandLine, place },
    ...(conversationId !== session.conversation().id && { elsewhere: true as const }),
  }));
}

/** The view follows what happens in its session. */
function listenTo(
  session: ChatSession,
  { view, edits, edited }: { view: ChatView; edits: PaneEdits; edited: EditedMessage },
): (() => void)[] {
  return [
    session.onEvents((events) => {
      if (events.some((event) => event.type === 'turnStarted')) edits.forget();
      if (events.some((event) => event.type === 'turnEnded')) edits.look();
      view.onEvents(events);
      if (events.some((event) => event.type === 'modelChanged')) view.infoChanged();
      if (events.some(({ type }) => eventTraits[type].prices)) view.priceChanged();
    }),
    session.onReset(() => {
      edited.set(undefined);
      edits.forget();
      edits.look();
      view.reset();
    }),
    session.onDraftAdded(view.draftAdded),
    session.onDraftTaken(view.draftTaken),
    session.onComposer(view.infoChanged),
  ];
}
