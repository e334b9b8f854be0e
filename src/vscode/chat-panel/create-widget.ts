import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { disposeAll } from '../../base/emitter.ts';
import { type Compacting, createCompacting } from '../../chat/compact.ts';
import { createEditedMessage, type EditedMessage } from '../../chat/edited-message.ts';
import { createPanelInfo, type PanelInfoDeps } from '../../chat/info.ts';
import { createNextMessage, type NextMessage } from '../../chat/next-message.ts';
import { type CreateSection, createSections } from '../../chat/panel-sections.ts';
import { createDeleteFrom, createRerun } from '../../chat/rerun.ts';
import { createSendFlow, type SendFlow } from '../../chat/send-flow.ts';
import { createSteerPrice } from '../../chat/steer-price.ts';
import type { PageMemory } from '../../chat/view-memory.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import { followEdits, type ViewModelEdits } from '../../chat/view-model-edits.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { modelOrder, takesImages } from '../../conversation/model-order.ts';
import { createSecretMask } from '../../service/redact.ts';
import { eventTraits } from '../../shared/event-traits.ts';
import type { PanelMessage } from '../../shared/panel/protocol.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import type { Composer, ComposerView } from '../composer/create-composer.ts';
import { afterSent } from '../host/after-sent.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import type { Reports } from '../reports/create-reports.ts';
import { openRepositories } from '../workspace/git-extension.ts';
import { askAboutFiles, createCompactPerson } from './ask-user.ts';
import { type ChatView, createChatView } from './chat-view.ts';
import type { ChatWidget } from './chat-widgets.ts';
import type { CodeColoring } from './code-coloring.ts';
import type { Chat } from './create-chat.ts';
import { createFailureActions } from './failure-actions.ts';
import { openFiles } from './open-files.ts';
import type { NamedFolder } from './open-from-chat.ts';
import { createPanelActions, type PanelActionDeps } from './panel-actions.ts';
import { createPickers } from './pickers.ts';
import { createWebviewChannel, type WebviewChannel } from './webview-channel.ts';

export interface ChatWidgetDeps {
  service: Service;
  chat: Chat;
  reports: Reports;
  colors: Pick<CodeColoring, 'color'>;
  pages: Pages;
  createComposer(view: ComposerView): Composer;
  /** Loads what the first request needs, and is called when the user begins to type. */
  warm(): void;
  sections: readonly CreateSection[];
}

export interface WidgetFrame {
  reveal(): Promise<void>;
  progressIn: vscode.ProgressOptions['location'];
  close?(): void;
  page: PageMemory;
}

type Sections = ReturnType<typeof createSections>;

interface Parts {
  channel: WebviewChannel;
  compaction: Compacting;
  composer: Composer;
  flow: SendFlow;
  edited: EditedMessage;
  edits: ViewModelEdits;
  next: NextMessage;
  sections: Sections;
  model(): string;
  tryOrder(): readonly string[];
  run: PanelActionDeps['run'];
}

export function createWidget(
  deps: ChatWidgetDeps,
  viewModel: ChatViewModel,
  frame: WidgetFrame,
): ChatWidget & { dispose(): void } {
  const { focus } = deps.chat.panel;
  const parts = partsOf(deps, viewModel, frame);
  const { channel, compaction, composer, flow, edits, next } = parts;
  const view = viewOf(deps, viewModel, frame, parts);
  const listening = [
    ...listenTo(viewModel, { ...parts, view }),
    channel.onDidReceiveMessage(actionsOf(deps, viewModel, { ...parts, view })),
    view.onDidSendSnapshot(composer.shown),
  ];
  const show = async (focusPart: () => void) => {
    focus.activate(viewModel);
    await frame.reveal();
    focusPart();
  };
  return {
    viewModel,
    channel,
    view,
    show: () => show(view.focusInput),
    showApproval: () => show(view.focusApproval),
    addContext: () => show(view.addContext),
    close: frame.close,
    composer,
    flow,
    compaction,
    model: parts.model,
    estimate: next.estimate,
    showNext: async () => deps.reports.showNext(await next.request()),
    dispose() {
      disposeAll(listening);
      sendAsItIs(viewModel.conversation());
      edits.dispose();
      composer.dispose();
    },
  };
}

function partsOf(
  { service, chat, createComposer, sections }: ChatWidgetDeps,
  viewModel: ChatViewModel,
  frame: WidgetFrame,
): Parts {
  const { settings, learned, models, onboarding, context, log } = service;
  const { customizations, review, turns, turnContext } = chat.tools;
  const { estimator, metered, contextWindowOf } = chat.money;
  const { historyOf, request } = chat.conversations;
  const channel = createWebviewChannel({ extensionUri: context.extensionUri, log });
  const model = () => viewModel.conversation().model() || settings.model();
  /** Activates this view first, because commands act on the active view. */
  const run = (command: CommandId, ...args: unknown[]) => {
    chat.panel.focus.activate(viewModel);
    return vscode.commands.executeCommand(command, ...args);
  };
  const compaction = createCompacting({
    viewModel,
    person: createCompactPerson(frame.progressIn),
    estimator,
    contextWindowOf,
    model,
    history: () => historyOf(viewModel.conversation()),
    client: (conversationId) => metered({ surface: 'chat', conversationId }),
    toSent: turnContext.toSent,
    openFiles,
    compactsWhenCheaper: settings.compactsWhenCheaper,
    newId: randomUUID,
  });
  const composer = createComposer({ viewModel, post: channel.post, visible: channel.visible, run });
  const flow = createSendFlow({
    viewModel,
    whenHere: composer.incoming.whenHere,
    prepare: composer.prepare,
    remember: composer.remember,
    offerAtLimit: compaction.offerAtLimit,
    ensureReady: onboarding.ensureReady,
  });
  const edited = createEditedMessage(viewModel);
  const edits = followEdits(viewModel, review);
  const next = createNextMessage({
    ...{ viewModel, edited, model, estimator, contextWindowOf, turns, turnContext, request, historyOf },
    note: edits.note,
    compactionEstimate: compaction.compactionEstimate,
    takesImages: (id) => takesImages(learned, id),
    prompts: customizations.promptFiles,
    usual: chat.money.stepEstimate.usual,
  });
  return {
    ...{ channel, compaction, composer, flow, edited, edits, next, model, run },
    sections: createSections(
      sections.map((create) =>
        create({
          viewModel,
          model,
          estimate: estimateWith(service, model),
          estimateText: (text) => next.estimate(model(), text),
          run: (command, ...args) => run(command as CommandId, ...args),
        }),
      ),
    ),
    tryOrder: () =>
      modelOrder({ preferred: service.fallback().order, known: models.ids() }, viewModel.state(), learned),
  };
}

function viewOf(
  { service, chat, colors }: ChatWidgetDeps,
  viewModel: ChatViewModel,
  frame: WidgetFrame,
  parts: Parts,
): ChatView {
  const { channel, composer, model, edits, tryOrder, next, sections } = parts;
  const { settings, limitChoice, readiness, models, learned } = service;
  const { estimator, stepEstimate } = chat.money;
  const estimate = estimateWith(service, model);
  return createChatView({
    channel,
    afterSent,
    state: viewModel.state,
    draft: viewModel.draft,
    info: createPanelInfo({
      agent: () => chat.tools.customizations.agent()?.name,
      ...{ settings, limitChoice, readiness, models, viewModel, model, estimate },
      incoming: composer.incoming,
      sections: sections.states,
      steerPrice: createSteerPrice({ estimator, stepEstimate, estimate, last: chat.tools.turns.last }),
      takesImages: (id) => takesImages(learned, id),
      changes: edits.shown,
      tryOrder,
      unsaved: () => chat.conversations.saving.problem(viewModel.conversation().id),
      place: windowPlace,
      inTab: frame.close !== undefined,
    }),
    page: frame.page,
    price: next.price,
    colors,
    withoutKeys: createSecretMask(service.keys.known),
  });
}

function windowPlace(): ReturnType<PanelInfoDeps['place']> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const virtual = folders.filter(({ uri }) => uri.scheme !== 'file').length;
  return {
    trusted: vscode.workspace.isTrusted,
    hasFolder: folders.length > 0,
    ...(openRepositories().length > 0 && { hasRepository: true }),
    virtualFolders: virtual === 0 ? undefined : virtual === folders.length ? 'all' : 'some',
    locale: vscode.env.language,
  };
}

/** Estimates nothing for an image that the model does not take. */
function estimateWith({ estimator, learned }: Service, currentModel: () => string): PanelInfoDeps['estimate'] {
  return ({ text, image }) => {
    const model = currentModel();
    if (image !== undefined && !takesImages(learned, model)) return {};
    const { tokens, assumed } = image ? estimator.images(model, [image]) : estimator.text(model, text);
    return { tokens, microUsd: costMicroUsd(tokens), assumed };
  };
}

function actionsOf(
  deps: ChatWidgetDeps,
  viewModel: ChatViewModel,
  parts: Parts & { view: ChatView },
): (message: PanelMessage) => void {
  const { service, chat } = deps;
  const { learned, onboarding, settings, log } = service;
  const { channel, view, edits, flow, composer, edited, tryOrder, run, sections } = parts;
  const { review, showTerminal } = chat.tools;
  const { restore } = review.actions;
  return createPanelActions({
    viewModel,
    run,
    flow,
    composer,
    propose(prompt) {
      viewModel.draft.append(prompt);
      view.focusInput();
    },
    failureAction: createFailureActions({
      conversation: viewModel.conversation,
      model: () => viewModel.conversation().model() || settings.model(),
      run,
      enterKey: onboarding.setApiKey,
      tryOrder,
      copyReport: deps.reports.copyReport,
      learned,
      longestRequest: chat.money.estimator.longestRequest,
      log,
    }),
    edits: review.actions,
    rerun: createRerun({
      viewModel,
      whenHere: composer.incoming.whenHere,
      ensureReady: onboarding.ensureReady,
      prepare: composer.prepare,
      pickModel: async (current) => pickModel(service, current || parts.model(), 'another'),
      askAboutFiles,
      restore,
    }),
    section: (message) => sections.act(message, view),
    openPicker: createPickers({ service, agents: chat.tools.customizations, model: parts.model, post: channel.post }),
    folders: () => foldersOf(chat.tools, viewModel),
    deleteFrom: createDeleteFrom({ viewModel, askAboutFiles, restore }),
    editing(message) {
      edited.set(message);
      view.priceChanged();
    },
    warm: deps.warm,
    storeUnsaved: chat.conversations.saving.retry,
    compactWhenCheaper: settings.compactWhenCheaper,
    pages: deps.pages,
    post: channel.post,
    focusChanged(focus) {
      chat.panel.focus.changed(viewModel, focus);
      if (focus.chat) edits.peek();
    },
    async showTerminal(callId) {
      const turnId = viewModel.state().running?.turnId;
      if (turnId !== undefined) await showTerminal({ turnId, callId });
    },
    log,
  });
}

function foldersOf({ worktrees }: Chat['tools'], viewModel: ChatViewModel): readonly NamedFolder[] {
  const place = worktrees.of(viewModel.conversation().id);
  if (place === undefined) return vscode.workspace.workspaceFolders ?? [];
  return place.workspace.roots().map(({ name, uri }) => ({ name, uri: vscode.Uri.parse(uri) }));
}

function listenTo(
  viewModel: ChatViewModel,
  { view, composer, edits, edited, sections }: Parts & { view: ChatView },
): vscode.Disposable[] {
  let shown = viewModel.conversation();
  return [
    viewModel.onDidEmit((events) => {
      if (events.some((event) => event.type === 'turnStarted')) edits.forget();
      if (events.some((event) => event.type === 'turnEnded')) edits.peek();
      view.applyEvents(events);
      const waits = viewModel.conversation().queue().items.length > 0;
      if (events.some(({ type }) => type === 'modelChanged' || (waits && type === 'requestSent'))) view.infoChanged();
      if (events.some(({ type }) => eventTraits[type].prices)) view.priceChanged();
    }),
    viewModel.onDidReset(() => {
      // Its message goes back into the draft of the conversation that was left.
      sendAsItIs(shown);
      shown = viewModel.conversation();
      edited.set(undefined);
      edits.forget();
      edits.peek();
      view.reset();
    }),
    viewModel.draft.onDidAppend(view.draftAdded),
    viewModel.draft.onDidClear(view.draftTaken),
    viewModel.onDidChangeComposer(view.infoChanged),
    composer.incoming.onDidChange(view.infoChanged),
    edits.onDidChangeNote(view.priceChanged),
    sections.onDidChange(view.infoChanged),
  ];
}

/** Without a view nobody can answer whether the conversation is compacted first, so the message is sent unchanged. */
function sendAsItIs(conversation: Conversation): void {
  const { asked } = conversation.state();
  if (asked !== undefined) conversation.answer({ id: asked.id, kind: 'compact', value: false });
}
