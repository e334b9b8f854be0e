import * as vscode from 'vscode';
import { expandCommand } from '../../conversation/composing/slash-commands.ts';
import { modelOrder, takesImages } from '../../conversation/model-order.ts';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import { createEditedMessage } from '../../conversation/session/edited-message.ts';
import { createLaterNote } from '../../conversation/session/later-note.ts';
import { createPricePreview } from '../../conversation/session/price-preview.ts';
import { createSendFlow } from '../../conversation/session/send-flow.ts';
import type { PageMemory } from '../../conversation/session/view-memory.ts';
import { createSecretMask } from '../../service/redact.ts';
import type { ChatEvent } from '../../shared/events.ts';
import type { PanelInfo } from '../../shared/panel/panel-info.ts';
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
import { createCompacting } from './compacting.ts';
import type { Chat } from './create-chat.ts';
import { createFailureActions } from './failure-actions.ts';
import { createPanelActions } from './panel-actions.ts';
import { createPanelInfo } from './panel-info.ts';
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
  const kept = () => chat.historyOf(session.conversation());
  const compaction = createCompacting({
    session,
    estimator,
    limit: chat.limit,
    kept,
    client: (conversationId) => chat.metered({ surface: 'chat', conversationId }),
    toSent: turns.toSent,
    model: currentModel,
    progressIn: frame.progressIn,
  });
  /** A slash command becomes its text. */
  const expand = (text: string) => expandCommand(text, turns.instructions.promptFiles());
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
  const handle = createPanelActions({
    session: () => session,
    run,
    send: async (text) => void (await flow.send(text)),
    queue: flow.queue,
    composer,
    applyCode(prompt) {
      session.addToDraft(prompt);
      view.focusInput();
    },
    failureAction: createFailureActions({
      conversation: session.conversation,
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
      view.priceChanged();
    },
    warm: deps.warm,
    takeOver: takeOver.run,
    saveAgain: chat.saving.retry,
    keepCompared: () => deps.keepCompared(pane),
    pages: deps.pages,
    focusChanged(focus) {
      panes.focusChanged(pane, focus);
      if (focus.chat) lookLater();
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
  /** Of all conversations: what runs must be seen wherever one looks. */
  const processes = (): PanelInfo['processes'] =>
    turns.commands.processes.running().map(({ id, commandLine, place, conversationId }) => ({
      ...{ id, line: commandLine, place },
      ...(conversationId !== session.conversation().id && { elsewhere: true as const }),
    }));
  const later = createLaterNote({
    look: () => turns.review.laterChanges(session.conversation().id, 'look'),
    onDidChange: () => view.priceChanged(),
  });
  /** A turn looks for itself when it begins. */
  const lookLater = () => {
    if (!session.conversation().running) void later.look();
  };
  /** What the chat shows of the edits of its conversation. */
  const changes = () => {
    const { id } = session.conversation();
    const outcomes = turns.review.outcomes(id).map(({ callId, outcome }) => [callId, outcome]);
    const [edits, restored] = [turns.review.files(id), turns.review.restored(id)];
    return { edits, restored, editOutcomes: Object.fromEntries(outcomes) };
  };
  let edits = '';
  /** Told of every letter that is typed into an edited file: only what the chat shows of the edits counts here. */
  const editsChanged = () => {
    const shown = JSON.stringify(changes());
    if (shown === edits) return;
    edits = shown;
    lookLater();
  };
  const pricing = {
    estimator,
    attachments: edited.attachments,
    kept,
    running: () => session.conversation().running,
    economise: turns.economise,
    overhead: turns.overhead,
    note: later.text,
    limit: chat.limit,
    takesImages: images,
    quote: compaction.quote,
    expand,
  };
  const price = createPricePreview({
    ...pricing,
    model: currentModel,
    draft: session.draft,
    replaces: edited.messageId,
  });
  const estimate: ChatPane['estimate'] = (model, text) =>
    createPricePreview({ ...pricing, model: () => model, draft: () => text })('all').microUsd;
  /** The same parts as a turn, asked for what they would send. */
  const showNext = async (): Promise<void> => {
    const draft = session.draft();
    const history = kept()?.withNext(expand(draft), edited.attachments(), edited.messageId()) ?? [];
    const { id: conversationId, running } = session.conversation();
    const model = currentModel();
    const request = await turns.nextRequest({ conversationId, history, model, request: chat.request() });
    await deps.reports.showNext({ request, price: price('all'), running, empty: draft.trim() === '' });
  };
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
      weigh: ({ text, image }) => {
        const model = currentModel();
        if (image !== undefined && !images(model)) return {};
        const { tokens, assumed } = image ? estimator.images(model, [image]) : estimator.text(model, text);
        return { tokens, microUsd: costMicroUsd(tokens), ...(assumed && { assumed }) };
      },
      takesImages: images,
      changes,
      processes,
      tryOrder,
      unsaved: () => chat.saving.problem(session.conversation().id),
      takingOver: takeOver.underWay,
    }),
    page: frame.page,
    price,
    colors: deps.colors,
    withoutKeys: createSecretMask(service.keys.known),
    handle,
    onShown: composer.shown,
    log,
  });
  const stopListening = [
    session.onEvents((events) => {
      if (events.some((event) => event.type === 'turnStarted')) later.forget();
      if (events.some((event) => event.type === 'turnEnded')) lookLater();
      view.onEvents(events);
      if (events.some((event) => event.type === 'modelChanged')) view.infoChanged();
      if (events.some((event) => recounted.has(event.type))) view.priceChanged();
    }),
    session.onReset(() => {
      edited.set(undefined);
      later.forget();
      lookLater();
      view.reset();
    }),
    session.onDraftAdded(view.draftAdded),
    session.onDraftTaken(view.draftTaken),
    session.onComposer(view.infoChanged),
  ];
  const watching = turns.review.onDidChange(editsChanged);
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
      watching.dispose();
      composer.dispose();
    },
  };
  return pane;
}

/** What changes what the next message sends, also while a turn runs and the next one waits. */
const recounted: ReadonlySet<ChatEvent['type']> = new Set([
  'turnStarted',
  'stepFinished',
  'turnEnded',
  'compacted',
  'rewound',
]);
