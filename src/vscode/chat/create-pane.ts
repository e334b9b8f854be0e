import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Compacting, createCompacting } from '../../chat/compact.ts';
import { createEditedMessage, type EditedMessage } from '../../chat/edited-message.ts';
import { createPanelInfo, type PanelInfoDeps } from '../../chat/info.ts';
import { createNextMessage, type NextMessage } from '../../chat/next-message.ts';
import { createPlanInfo, type PlanInfo } from '../../chat/planning/plan-info.ts';
import { createPlanStart } from '../../chat/planning/plan-start.ts';
import { createDeleteFrom, createRerun } from '../../chat/rerun.ts';
import type { Seat } from '../../chat/seat.ts';
import { followEdits, type SeatEdits } from '../../chat/seat-edits.ts';
import { createSendFlow, type SendFlow } from '../../chat/send-flow.ts';
import { createSteerPrice } from '../../chat/steer-price.ts';
import { createTakeOver, type TakeOver } from '../../chat/take-over.ts';
import type { PageMemory } from '../../chat/view-memory.ts';
import { modelOrder, takesImages } from '../../conversation/model-order.ts';
import { waitingComments } from '../../review-comments/comment-text.ts';
import { createSecretMask } from '../../service/redact.ts';
import { eventTraits } from '../../shared/event-traits.ts';
import type { PanelInfo } from '../../shared/panel/panel-info.ts';
import type { PanelMessage } from '../../shared/panel/protocol.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import type { Composer, ComposerView } from '../composer/create-composer.ts';
import { afterSent } from '../host/after-sent.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import type { Reports } from '../reports/create-reports.ts';
import { askAboutFiles } from './ask-about-files.ts';
import { createCompactPerson } from './ask-compacting.ts';
import { selectMode } from './chat-commands.ts';
import type { ChatPane } from './chat-panes.ts';
import { type ChatView, createChatView } from './chat-view.ts';
import type { CodeColoring } from './code-coloring.ts';
import type { Chat } from './create-chat.ts';
import { createFailureActions } from './failure-actions.ts';
import { openFiles } from './open-files.ts';
import type { NamedFolder } from './open-from-chat.ts';
import { createPanelActions, type PanelActionDeps } from './panel-actions.ts';
import { createPanelWire, type PanelWire } from './panel-wire.ts';
import { unsavedPlan } from './plan-documents.ts';

export interface PaneDeps {
  service: Service;
  chat: Chat;
  reports: Reports;
  colors: Pick<CodeColoring, 'color'>;
  pages: Pages;
  createComposer(view: ComposerView): Composer;
  /** The user began to type: what the first request needs may be loaded now. */
  warm(): void;
  keepCompared(pane: Pick<ChatPane, 'seat' | 'view'>): void;
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

/** The parts of one view, in the order in which they are made. */
interface Parts {
  wire: PanelWire;
  compaction: Compacting;
  composer: Composer;
  flow: SendFlow;
  edited: EditedMessage;
  edits: SeatEdits;
  takeOver: TakeOver;
  next: NextMessage;
  plan: PlanInfo;
  model(): string;
  tryOrder(): readonly string[];
  run: PanelActionDeps['run'];
}

/** One view of the chat on its seat. */
export function createPane(deps: PaneDeps, seat: Seat, frame: PaneFrame): ChatPane & { dispose(): void } {
  const { chat } = deps;
  const parts = partsOf(deps, seat, frame);
  const { wire, compaction, composer, flow, edits, next } = parts;
  const view = viewOf(deps, seat, frame, parts);
  const stops = [
    ...listenTo(seat, chat, { ...parts, view }),
    wire.onMessage(actionsOf(deps, seat, { ...parts, view })),
    view.onSnapshot(composer.shown),
  ];
  const show = async (focus: () => void) => {
    chat.focus.activate(seat);
    await frame.reveal();
    focus();
  };
  return {
    seat,
    wire,
    view,
    show: () => show(view.focusInput),
    showApproval: () => show(view.focusApproval),
    ...(frame.close && { close: frame.close }),
    model: parts.model,
    prepare: composer.prepare,
    whenHere: composer.onItsWay.whenHere,
    remember: composer.remember,
    attach: composer.add,
    attachPick: composer.attach,
    estimate: next.estimate,
    send: flow.send,
    compact: compaction.compact,
    newChatFromSummary: compaction.newChatFromSummary,
    showNext: async () => deps.reports.showNext(await next.request()),
    dispose() {
      for (const stop of stops) stop();
      chat.compactOffers.answer(seat.conversation().id, false);
      edits.dispose();
      composer.dispose();
    },
  };
}

function partsOf({ service, chat, createComposer }: PaneDeps, seat: Seat, frame: PaneFrame): Parts {
  const { settings, learned, models, onboarding, context, log } = service;
  const wire = createPanelWire({ extensionUri: context.extensionUri, log });
  const model = () => seat.conversation().model() || settings.model();
  /** Makes this view the active one first, so that the command acts on it. */
  const run = (command: CommandId, ...args: unknown[]) => {
    chat.focus.activate(seat);
    return vscode.commands.executeCommand(command, ...args);
  };
  const compaction = createCompacting({
    ...chat,
    seat,
    person: createCompactPerson(frame.progressIn, (near, quote) =>
      chat.compactOffers.ask(seat.conversation().id, near, quote),
    ),
    model,
    history: () => chat.historyOf(seat.conversation()),
    client: (conversationId) => chat.metered({ surface: 'chat', conversationId }),
    toSent: chat.offer.toSent,
    openFiles,
    newId: randomUUID,
  });
  const composer = createComposer({ seat, post: wire.post, visible: wire.visible, run });
  const flow = createSendFlow({
    ...composer,
    ...compaction,
    ...composer.onItsWay,
    seat,
    ensureReady: onboarding.ensureReady,
  });
  const edited = createEditedMessage(seat);
  const edits = followEdits(seat, chat.review);
  const next = createNextMessage({
    ...chat,
    seat,
    edited,
    model,
    note: edits.note,
    quote: compaction.quote,
    takesImages: (id) => takesImages(learned, id),
    prompts: chat.customizations.promptFiles,
  });
  return {
    ...{ wire, compaction, composer, flow, edited, edits, next, model, run },
    plan: createPlanInfo({ ...chat, model, toSent: chat.offer.toSent, weigh: weighWith(service, model) }),
    takeOver: createTakeOver(
      () => chat.others.takeOver(seat.conversation().id),
      () =>
        void vscode.window.showWarningMessage(
          vscode.l10n.t("The other window didn't stop. Stop the answer there, or close that window, and try again."),
        ),
    ),
    tryOrder: () => modelOrder({ preferred: service.fallback().order, known: models.ids() }, seat.state(), learned),
  };
}

function viewOf({ service, chat, colors }: PaneDeps, seat: Seat, frame: PaneFrame, parts: Parts): ChatView {
  const { wire, composer, model, edits, takeOver, tryOrder, next, plan } = parts;
  return createChatView({
    wire,
    afterSent,
    state: seat.state,
    draft: seat.draft,
    draftFrom: seat.draftFrom,
    draftTimes: seat.draftTimes,
    info: createPanelInfo({
      agent: () => chat.customizations.agent()?.name,
      ...service,
      seat,
      arriving: composer.onItsWay,
      model,
      comparedWith: () => chat.comparisons.of(seat.conversation().id)?.otherModel,
      weigh: weighWith(service, model),
      plan: plan.shown,
      comments: () => waitingComments(chat.comments.waiting(), (text) => next.estimate(model(), text)),
      compactOffer: () => chat.compactOffers.shown(seat.conversation().id),
      steerPrice: createSteerPrice({ ...chat, weigh: weighWith(service, model), last: chat.turns.last }),
      takesImages: (id) => takesImages(service.learned, id),
      changes: edits.shown,
      processes: () => shownProcesses(chat.commands, seat),
      tryOrder,
      unsaved: () => chat.saving.problem(seat.conversation().id),
      takingOver: takeOver.underWay,
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
    virtualFolders: virtual === 0 ? undefined : virtual === folders.length ? 'all' : 'some',
    locale: vscode.env.language,
  };
}

/** Nothing is said of an image that the model does not take. */
function weighWith({ estimator, learned }: Service, currentModel: () => string): PanelInfoDeps['weigh'] {
  return ({ text, image }) => {
    const model = currentModel();
    if (image !== undefined && !takesImages(learned, model)) return {};
    const { tokens, assumed } = image ? estimator.images(model, [image]) : estimator.text(model, text);
    return { tokens, microUsd: costMicroUsd(tokens), ...(assumed && { assumed }) };
  };
}

function actionsOf(deps: PaneDeps, seat: Seat, parts: Parts & { view: ChatView }): (message: PanelMessage) => void {
  const { service, chat } = deps;
  const { learned, onboarding, settings, log } = service;
  const { wire, view, edits, flow, composer, edited, takeOver, tryOrder, run } = parts;
  const { restore } = chat.review.actions;
  return createPanelActions({
    seat: () => seat,
    run,
    send: async (text) => void (await flow.send(text)),
    queue: flow.queue,
    composer,
    takeBack: composer.onItsWay.takeBack,
    answerCompactOffer: (compact) => chat.compactOffers.answer(seat.conversation().id, compact),
    propose(prompt) {
      seat.addToDraft(prompt);
      view.focusInput();
    },
    failureAction: createFailureActions({
      conversation: seat.conversation,
      model: () => seat.conversation().model() || settings.model(),
      run,
      enterKey: onboarding.setApiKey,
      tryOrder,
      copyReport: deps.reports.copyReport,
      learned,
      longest: chat.estimator.longest,
      log,
    }),
    edits: chat.review.actions,
    rerun: createRerun({
      seat,
      whenHere: composer.onItsWay.whenHere,
      ensureReady: onboarding.ensureReady,
      prepare: composer.prepare,
      pickModel: async (current) => pickModel(service, current || parts.model(), 'another'),
      askAboutFiles,
      restore,
    }),
    plan: planActions(deps, seat, parts.plan),
    worktree: (action) => chat.tasks.act(action, seat.conversation()),
    folders: () => foldersOf(chat, seat),
    discardComments: () => chat.comments.remove(chat.comments.waiting().map(({ id }) => id)),
    deleteFrom: createDeleteFrom({ seat, askAboutFiles, restore }),
    editing(message) {
      edited.set(message);
      view.priceChanged();
    },
    warm: deps.warm,
    takeOver: takeOver.run,
    storeUnsaved: chat.saving.retry,
    keepCompared: () => deps.keepCompared({ seat, view }),
    pages: deps.pages,
    post: wire.post,
    focusChanged(focus) {
      chat.focus.changed(seat, focus);
      if (focus.chat) edits.look();
    },
    async showTerminal(callId) {
      const turnId = seat.state().running?.turnId;
      if (turnId !== undefined) await chat.showTerminal({ turnId, callId });
    },
    async process(action, id) {
      const { processes, shell } = chat.commands;
      const info = processes.running().find((each) => each.id === id);
      if (info === undefined) return;
      if (action === 'stop') await processes.stop(info.conversationId, id);
      else shell.show(info.run);
    },
    log,
  });
}

function planActions({ service, chat }: PaneDeps, seat: Seat, plan: PlanInfo): PanelActionDeps['plan'] {
  const { settings, onboarding } = service;
  const { start, goOnHere } = createPlanStart({
    plans: chat.plans,
    starting: chat.startingPlans,
    unsaved: unsavedPlan,
    price: plan.price,
    isStored: chat.store.has,
    ensureReady: onboarding.ensureReady,
    setMode: async (mode) => void (await selectMode(settings.chatMode(), mode, chat.customizations)),
    defaultModel: settings.model,
  });
  const handlers = { open: () => chat.planDocuments.show(seat.conversation().id), start, goOnHere };
  return (action) => handlers[action](seat);
}

function foldersOf({ worktrees }: Chat, seat: Seat): readonly NamedFolder[] {
  const place = worktrees.of(seat.conversation().id);
  if (place === undefined) return vscode.workspace.workspaceFolders ?? [];
  return place.workspace.roots().map(({ name, uri }) => ({ name, uri: vscode.Uri.parse(uri) }));
}

/** From all conversations: a running process must be seen wherever one looks. */
function shownProcesses({ processes }: Chat['commands'], seat: Seat): PanelInfo['processes'] {
  return processes.running().map(({ id, commandLine, place, conversationId }) => ({
    ...{ id, line: commandLine, place },
    ...(conversationId !== seat.conversation().id && { elsewhere: true as const }),
  }));
}

/** The view follows what happens in its seat. */
function listenTo(
  seat: Seat,
  { plans, comments, compactOffers }: Pick<Chat, 'plans' | 'comments' | 'compactOffers'>,
  { view, composer, edits, edited, takeOver }: Parts & { view: ChatView },
): (() => void)[] {
  const readPlan = () => void plans.read(seat.conversation().id).then((plan) => plan && view.infoChanged());
  readPlan();
  let shown = seat.conversation().id;
  return [
    plans.onChange((id) => {
      if (id === seat.conversation().id) view.infoChanged();
    }),
    seat.onEvents((events) => {
      if (events.some((event) => event.type === 'turnStarted')) edits.forget();
      if (events.some((event) => event.type === 'turnEnded')) edits.look();
      view.onEvents(events);
      const waits = seat.conversation().queue().items.length > 0;
      if (events.some(({ type }) => type === 'modelChanged' || (waits && type === 'requestSent'))) view.infoChanged();
      if (events.some(({ type }) => eventTraits[type].prices)) view.priceChanged();
    }),
    seat.onReset(() => {
      // Its message goes back into the draft of the conversation that was left.
      compactOffers.answer(shown, false);
      shown = seat.conversation().id;
      edited.set(undefined);
      edits.forget();
      edits.look();
      view.reset();
      readPlan();
    }),
    seat.onDraftAdded(view.draftAdded),
    seat.onDraftTaken(view.draftTaken),
    seat.onComposer(view.infoChanged),
    composer.onItsWay.onChange(view.infoChanged),
    edits.onNoteChanged(view.priceChanged),
    takeOver.onChange(view.infoChanged),
    compactOffers.onChange(view.infoChanged),
    comments.onChange(view.infoChanged),
  ];
}
