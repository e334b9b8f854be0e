import * as vscode from 'vscode';
import type { TurnSummary } from '../../conversation/conversation.ts';
import { createSecretMask } from '../../service/redact.ts';
import type { ChatEvent } from '../../shared/events.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Onboarding } from '../account/onboarding.ts';
import type { Composer, ComposerView } from '../composer/create-composer.ts';
import { expandCommand } from '../composer/slash-commands.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import type { Reports } from '../reports/reports.ts';
import type { ChatPane, ChatPanes } from './chat-panes.ts';
import type { ChatSession } from './chat-session.ts';
import { type ChatView, createChatView } from './chat-view.ts';
import type { CodeColoring } from './code-coloring.ts';
import { createCompacting } from './compacting.ts';
import type { Chat, Parts } from './create-chat.ts';
import { createEditedMessage } from './edited-message.ts';
import { createFailureActions } from './failure-actions.ts';
import { createLaterNote } from './later-note.ts';
import { createPanelActions } from './panel-actions.ts';
import { createPanelInfo } from './panel-info.ts';
import { createPricePreview } from './price-preview.ts';
import { createDeleteFrom, createRerun } from './rerun.ts';
import { createTakeOver } from './take-over.ts';
import type { PageMemory } from './view-memory.ts';

/** What all views of the chat share. */
export interface PaneDeps {
  parts: Parts;
  chat: Chat;
  panes: ChatPanes;
  onboarding: Onboarding;
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
  const { parts, chat, panes, onboarding } = deps;
  const { settings, learned, models, log } = parts;
  const { turns, estimator } = chat;
  const currentModel = () => session.conversation().model() || settings.model();
  /** What is asked for in this view is done in it. */
  const run = (command: CommandId, ...args: unknown[]) => {
    panes.activate(pane);
    return vscode.commands.executeCommand(command, ...args);
  };
  const takesImages = (model: string) => learned.get(model).images?.works !== false;
  /** What an image was sent with is tried with models that took one, and never with one that is known not to. */
  const tryOrder = () => {
    const order = [...parts.fallback().order, ...models.ids()];
    const asked = session.state().items.findLast((item) => item.kind === 'user');
    if (asked?.kind !== 'user' || asked.attachments.every(({ image }) => image === undefined)) return order;
    const rank = (model: string) => (learned.get(model).images === undefined ? 1 : 0);
    return order.filter(takesImages).sort((a, b) => rank(a) - rank(b));
  };
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
  /** Everything that is missing is asked for first; what was typed stays in the composer until it is sent. */
  const send: ChatPane['send'] = async (text) => {
    const release = session.hold(text);
    try {
      // Without its promise: the text is held until the message is sent, not until it is answered.
      const turn = await startTurn(text);
      return turn === undefined ? undefined : turn.ends;
    } finally {
      release();
    }
  };
  const isTaken = () => session.conversation().running || session.conversation().readOnly;
  const startTurn = async (text: string): Promise<{ ends: Promise<TurnSummary> } | undefined> => {
    if (isTaken() || !(await onboarding.ensureReady())) {
      session.addToDraft(text);
      return undefined;
    }
    const prepared = await composer.prepare(text);
    if (prepared === undefined) return undefined;
    await compaction.offerAtLimit();
    // Reading what is attached and asking take time: another message may have gone out since.
    if (isTaken()) {
      session.addToDraft(text);
      return undefined;
    }
    composer.remember(text);
    return { ends: session.send(prepared) };
  };
  const queue = async (text: string, now: boolean): Promise<void> => {
    const release = session.hold(text);
    try {
      const prepared = await composer.prepare(text);
      if (prepared === undefined) return;
      if (!session.enqueue(prepared)) return session.addToDraft(text);
    } finally {
      release();
    }
    composer.remember(text);
    const last = session.conversation().queue().items.at(-1);
    if (now && last) session.conversation().editQueue(last.id, 'sendNow');
  };
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
  const edited = createEditedMessage(session);
  const handle = createPanelActions({
    session: () => session,
    run,
    send: async (text) => void (await send(text)),
    queue,
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
    edits: turns.editing.actions,
    rerun: createRerun({
      session: () => session,
      ensureReady: onboarding.ensureReady,
      prepare: composer.prepare,
      pickModel: async (current) => (await import('../account/model-picker.ts')).pickModel(models, parts, current),
      restore: turns.editing.actions.restore,
    }),
    deleteFrom: createDeleteFrom({ session: () => session, restore: turns.editing.actions.restore }),
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
    log,
  });
  const later = createLaterNote({
    look: () => turns.editing.laterChanges(session.conversation().id, 'look'),
    onDidChange: () => view.priceChanged(),
  });
  /** A turn looks for itself when it begins. */
  const lookLater = () => {
    if (!session.conversation().running) void later.look();
  };
  /** What the chat shows of the edits of its conversation. */
  const changes = () => {
    const { id } = session.conversation();
    const outcomes = turns.editing.outcomes(id).map(({ callId, outcome }) => [callId, outcome]);
    const [edits, restored] = [turns.editing.files(id), turns.editing.restored(id)];
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
    takesImages,
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
    extensionUri: parts.context.extensionUri,
    state: session.state,
    draft: session.draft,
    draftFrom: session.draftFrom,
    info: createPanelInfo({
      ...parts,
      session,
      model: currentModel,
      comparedWith: () => chat.comparisons.of(session.conversation().id)?.otherModel,
      weigh: ({ text, image }) => {
        const model = currentModel();
        if (image !== undefined && !takesImages(model)) return {};
        const { tokens, assumed } = image ? estimator.images(model, [image]) : estimator.text(model, text);
        return { tokens, microUsd: costMicroUsd(tokens), ...(assumed && { assumed }) };
      },
      takesImages,
      changes,
      tryOrder,
      unsaved: () => chat.saving.problem(session.conversation().id),
      takingOver: takeOver.underWay,
    }),
    page: frame.page,
    price,
    colors: deps.colors,
    withoutKeys: createSecretMask(parts.keys.known),
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
  const watching = turns.editing.onDidChange(editsChanged);
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
    send,
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
