import * as vscode from 'vscode';
import type { ViewFocus } from '../../chat/focus.ts';
import type { SendFlow } from '../../chat/send-flow.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { QueuedMessage } from '../../conversation/queue.ts';
import type { PickerName } from '../../shared/panel/panel-info.ts';
import type { HostMessage, PanelMessage, PostedDraft } from '../../shared/panel/protocol.ts';
import type { SectionMessage } from '../../shared/panel/sections.ts';
import type { Composer } from '../composer/create-composer.ts';
import type { EditActions } from '../edits/create-review.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import { applyPrompt, insertAtCursor, newFile, toTerminal } from './code-block-actions.ts';
import { findNames } from './find-names.ts';
import {
  handleAppeared,
  type NamedFolder,
  openLink,
  openWorkspaceFile,
  outsidePrompt,
  showOutput,
} from './open-from-chat.ts';

export interface PanelActionDeps {
  viewModel: ChatViewModel;
  run(command: CommandId, ...args: unknown[]): Thenable<unknown>;
  flow: SendFlow;
  failureAction: (turnId: string, action: Extract<PanelMessage, { type: 'action' }>['action']) => void;
  edits: EditActions;
  composer: Composer;
  /** Puts a request into the composer and does not send it, because it costs something. */
  propose(prompt: string): void;
  rerun(message: Extract<PanelMessage, { type: 'rerun' }>): Promise<void>;
  deleteFrom(messageId: string): Promise<void>;
  section(message: SectionMessage): unknown;
  openPicker(picker: PickerName): Promise<void>;
  editing(edited: Extract<PanelMessage, { type: 'editing' }>['edited']): void;
  warm(): void;
  storeUnsaved(): Promise<void>;
  compactWhenCheaper(on: boolean): Thenable<void>;
  focusChanged(focus: ViewFocus): void;
  post(message: HostMessage): void;
  pages: Pick<Pages, 'showText'>;
  folders(): readonly NamedFolder[];
  showTerminal(callId: string): Promise<void>;
  log: { error(line: string, error?: unknown): void };
}

type Handlers<Type extends PanelMessage['type'] = PanelMessage['type']> = {
  [Name in Type]: (message: Extract<PanelMessage, { type: Name }>) => unknown;
};

/**
 * Handles the messages of the panel, with one line for each. Text from the model is data here: paths are resolved,
 * links are checked.
 */
export function createPanelActions(deps: PanelActionDeps): (message: PanelMessage) => void {
  const handlers: Handlers = {
    ...commandsOf(deps),
    ...sendActions(deps),
    ...turnActions(deps),
    ...composerActions(deps),
    ...answerActions(deps),
    // The panel's other end answers these.
    colorCode: () => undefined,
    pageChanged: () => undefined,
    section: deps.section,
    openPicker: ({ picker }) => deps.openPicker(picker),
    focusChanged: deps.focusChanged,
    panelError: ({ message }) => deps.log.error('The panel reported an error', new Error(message)),
  };
  const handle = async (message: PanelMessage): Promise<unknown> =>
    (handlers[message.type] as (message: PanelMessage) => unknown)(message);
  return (message) => {
    handle(message).catch((error: unknown) => deps.log.error(`The panel's "${message.type}" failed`, error));
  };
}

function commandsOf({ run, viewModel, storeUnsaved }: PanelActionDeps) {
  const conversationId = () => viewModel.conversation().id;
  const plain =
    <Id extends CommandId>(id: Id) =>
    () =>
      run(id);
  return {
    stop: plain('svc.stop'),
    newChat: plain('svc.newChat'),
    selectModel: ({ id }) => run('svc.selectModel', id),
    selectMode: ({ id }) => run('svc.selectMode', id),
    setApiKey: plain('svc.setApiKey'),
    setBaseUrl: plain('svc.setBaseUrl'),
    setDailyLimit: ({ usd }) => run('svc.setSpendLimit', usd === undefined ? 'daily' : usd),
    openDashboard: plain('svc.openDashboard'),
    showCapabilities: plain('svc.showCapabilities'),
    hideVsCodeAi: plain('svc.hideVsCodeAi'),
    compact: plain('svc.compactConversation'),
    newChatFromSummary: plain('svc.newChatFromSummary'),
    showNextRequest: plain('svc.showNextRequest'),
    showSpend: plain('svc.showSpend'),
    openConversation: ({ id }) => run('svc.openConversation', id),
    fork: ({ point }) => run('svc.forkConversation', { id: conversationId(), point }),
    unsaved: ({ action }) =>
      action === 'retry' ? storeUnsaved() : run('svc.exportConversationAsMarkdown', { id: conversationId() }),
  } satisfies Partial<Handlers>;
}

function sendActions(deps: PanelActionDeps) {
  const setDraft = ({ text, conversationId, ...times }: PostedDraft) => {
    const stored = deps.viewModel.draft.setText(text, conversationId, times);
    void stored.then(() => deps.post({ type: 'heard', atMs: times.atMs }));
  };
  /** The draft is changed only after `give` has stored the text, so that a crash finds it in one of the two. */
  const takes = <T>(rest: PostedDraft | undefined, give: () => T): T => {
    const given = give();
    if (rest) setDraft(rest);
    return given;
  };
  return {
    draftChanged({ draft }) {
      if (draft.text !== '') deps.warm();
      setDraft(draft);
    },
    compactWhenCheaper: ({ on }) => deps.compactWhenCheaper(on),
    limitMessage: ({ microUsd }) => deps.viewModel.draft.setLimit(microUsd),
    send: ({ text, rest }) => takes(rest, () => deps.flow.send(text)),
    queue: ({ text, when, rest }) => takes(rest, () => deps.flow.queue(text, when)),
    rerun: (message) => takes(message.rest, () => deps.rerun(message)),
  } satisfies Partial<Handlers>;
}

function turnActions(deps: PanelActionDeps) {
  const conversation = () => deps.viewModel.conversation();
  return {
    answer: ({ answer }) => conversation().answer(answer),
    stopCall: ({ callId }) => conversation().stopCall(callId),
    queueEdit({ id, action }) {
      const taken = conversation().editQueue(id, action);
      if (action === 'edit' && taken) restoreQueued(deps.viewModel, taken);
    },
    queueMove: ({ id, by }) => conversation().moveQueued(id, by),
    queueResume: ({ action }) => conversation().resumeQueue(action),
    action: ({ turnId, action }) => deps.failureAction(turnId, action),
    edits: ({ action }) => deps.edits.all(action, conversation().id),
    editedFile: ({ action, uri }) => deps.edits.file(action, uri, conversation().id),
    editedPart: ({ action, uri, line, diff }) => deps.edits.part(action, { uri, line, diff }, conversation().id),
    restoreCheckpoint: ({ turnId }) => deps.edits.restore(turnId),
    deleteFrom: ({ messageId }) => deps.deleteFrom(messageId),
    editing: ({ edited }) => deps.editing(edited),
  } satisfies Partial<Handlers>;
}

function composerActions({ composer }: PanelActionDeps) {
  return {
    ready: composer.pageBegan,
    removeAttachment: ({ id }) => composer.remove(id),
    takeBack: ({ id }) => composer.incoming.takeBack(id),
    openAttachment: ({ id }) => composer.open(id),
    complete: composer.complete,
    attach: ({ pick }) => composer.attach(pick),
    prepareCommand: ({ name }) => composer.prepareCommand(name),
    attachDropped: ({ uris }) => composer.attachDropped(uris),
    attachText: composer.attachText,
    attachImage: composer.attachImage,
    incoming: composer.pageReads,
    notArrived: composer.notArrived,
    showImage: ({ hash }) => composer.showImage(hash),
    pasted: composer.pasted,
  } satisfies Partial<Handlers>;
}

function answerActions(deps: PanelActionDeps) {
  return {
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insertAtCursor: ({ text }) => insertAtCursor(text),
    newFile: ({ text, language }) => newFile(text, language),
    toTerminal: ({ text }) => toTerminal(text),
    applyCode: ({ text, path }) => deps.propose(applyPrompt(text, path)),
    showOutput: ({ callId }) => showOutput(deps, callId),
    showTerminal: ({ callId }) => deps.showTerminal(callId),
    runOutside({ callId }) {
      const prompt = outsidePrompt(deps.viewModel, callId);
      if (prompt !== undefined) deps.propose(prompt);
    },
    appeared: (message) => handleAppeared(deps, message),
    openLink: ({ href }) => openLink(href),
    openFile: ({ path, line }) => openWorkspaceFile(deps.folders(), path, line),
    async findNames(message) {
      const found = await findNames(deps.folders(), deps.viewModel.state(), message);
      deps.post({ type: 'names', turnId: message.turnId, found });
    },
  } satisfies Partial<Handlers>;
}

function restoreQueued({ draft }: ChatViewModel, { text, typed, attachments }: QueuedMessage): void {
  for (const attachment of attachments) draft.attach(attachment);
  draft.append(typed ?? text);
}
