import * as vscode from 'vscode';
import type { QueuedMessage } from '../../conversation/queue.ts';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import type { PanelMessage } from '../../shared/panel/protocol.ts';
import type { ComposerHost } from '../composer/composer-host.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import type { EditActions } from '../review/create-review.ts';
import type { PaneFocus } from './chat-panes.ts';
import { applyPrompt, insertAtCursor, newFile, toTerminal } from './code-block-actions.ts';
import { openLink, openWorkspaceFile, showOutput } from './open-from-chat.ts';

export interface PanelActionDeps {
  session(): ChatSession;
  run(command: CommandId, ...args: unknown[]): Thenable<unknown>;
  /** Sends what the user typed; keeps the draft when it cannot be sent. */
  send(text: string): Promise<void>;
  /** `now`: instead of what runs. */
  queue(text: string, now: boolean): Promise<void>;
  failureAction: (turnId: string, action: Extract<PanelMessage, { type: 'action' }>['action']) => void;
  edits: EditActions;
  composer: Omit<ComposerHost, 'add'>;
  /** Puts what is to be asked for into the composer, to be sent or not: it costs something. */
  applyCode(prompt: string): void;
  rerun(message: Extract<PanelMessage, { type: 'rerun' }>): Promise<void>;
  deleteFrom(messageId: string): Promise<void>;
  /** What is sent next takes the place of this message. */
  editing(edited: Extract<PanelMessage, { type: 'editing' }>['edited']): void;
  /** The user began to type: what the first request needs may be loaded now. */
  warm(): void;
  /** What is in memory only. */
  saveAgain(): Promise<void>;
  /** Another window is asked to give way. */
  takeOver(): Promise<void>;
  /** Goes on with this view's answer of two. */
  keepCompared(): void;
  focusChanged(focus: PaneFocus): void;
  pages: Pick<Pages, 'showText'>;
  /** In which this call of a command runs. */
  showTerminal(callId: string): Promise<void>;
  /** Of what runs in the background. */
  process(action: 'show' | 'stop', id: string): Promise<void>;
  log: { error(line: string, error?: unknown): void };
}

/** One short case per message of the panel. Text from the model is data here: paths are resolved, links are checked. */
export function createPanelActions(deps: PanelActionDeps): (message: PanelMessage) => void {
  const handle = async (message: PanelMessage): Promise<void> => {
    switch (message.type) {
      // The panel's other end answers these itself.
      case 'ready':
      case 'colorCode':
      case 'pageChanged':
        return;
      case 'send':
        return deps.send(message.text);
      case 'stop':
      case 'newChat':
      case 'selectModel':
      case 'selectMode':
      case 'setApiKey':
      case 'setBaseUrl':
      case 'openDashboard':
      case 'showCapabilities':
        await deps.run(`svc.${message.type}`);
        return;
      case 'skipWait':
        return deps.session().conversation().skipWait(message.how);
      case 'addContext':
        await deps.run('svc.addToChat');
        return;
      case 'removeAttachment':
        return deps.session().detach(message.id);
      case 'openAttachment':
        return deps.composer.open(message.id);
      case 'complete':
        return deps.composer.complete(message);
      case 'attach':
        return deps.composer.attach(message.pick);
      case 'prepareCommand':
        return deps.composer.prepareCommand(message.name);
      case 'attachDropped':
        return deps.composer.attachDropped(message.uris);
      case 'attachText':
        return deps.composer.attachText(message);
      case 'attachImage':
        return deps.composer.attachImage(message);
      case 'imageRefused':
        return deps.composer.imageRefused(message.id);
      case 'showImage':
        return deps.composer.showImage(message.hash);
      case 'pasted':
        return deps.composer.pasted(message);
      case 'openConversation':
        await deps.run('svc.openConversation', message.id);
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'insertAtCursor':
        return insertAtCursor(message.text);
      case 'showOutput':
        return showOutput(deps, message.callId);
      case 'newFile':
        return newFile(message.text, message.language);
      case 'toTerminal':
        return toTerminal(message.text);
      case 'applyCode':
        return deps.applyCode(applyPrompt(message.text, message.path));
      case 'showTerminal':
        return deps.showTerminal(message.callId);
      case 'process':
        return deps.process(message.action, message.id);
      case 'openLink':
        return openLink(message.href);
      case 'openFile':
        return openWorkspaceFile(message.path, message.line);
      case 'action':
        return deps.failureAction(message.turnId, message.action);
      case 'answerApproval':
        deps.session().conversation().answerApproval(message.callId, message.answer);
        return;
      case 'answerQuestion':
        deps.session().conversation().answerQuestion(message.callId, message.text);
        return;
      case 'queue':
        return deps.queue(message.text, message.now ?? false);
      case 'queueEdit': {
        const taken = deps.session().conversation().editQueue(message.id, message.action);
        if (message.action === 'edit' && taken) restoreQueued(deps.session(), taken);
        return;
      }
      case 'queueMove':
        return deps.session().conversation().moveQueued(message.id, message.by);
      case 'queueResume':
        return deps.session().conversation().resumeQueue(message.action);
      case 'edits':
        return deps.edits.all(message.action, deps.session().conversation().id);
      case 'editedFile':
        return deps.edits.file(message.action, message.uri, deps.session().conversation().id);
      case 'restoreCheckpoint':
        return deps.edits.restore(message.turnId);
      case 'restored':
        return deps.edits.restored(message.action);
      case 'rerun':
        return deps.rerun(message);
      case 'deleteFrom':
        return deps.deleteFrom(message.messageId);
      case 'editing':
        return deps.editing(message.edited);
      case 'fork':
        await deps.run('svc.forkConversation', { id: deps.session().conversation().id, point: message.point });
        return;
      case 'compact':
        await deps.run('svc.compactConversation');
        return;
      case 'newChatFromSummary':
      case 'showNextRequest':
        await deps.run(`svc.${message.type}`);
        return;
      case 'unsaved':
        if (message.action === 'retry') return deps.saveAgain();
        await deps.run('svc.exportConversationAsMarkdown', { id: deps.session().conversation().id });
        return;
      case 'takeOver':
        return deps.takeOver();
      case 'keepCompared':
        return deps.keepCompared();
      case 'draftChanged':
        if (message.text !== '') deps.warm();
        return deps.session().setDraft(message.text, message.conversationId);
      case 'focusChanged':
        return deps.focusChanged(message);
      case 'panelError':
        deps.log.error('The panel reported an error', new Error(message.message));
        return;
      default:
        message satisfies never;
    }
  };
  return (message) => {
    handle(message).catch((error: unknown) => deps.log.error(`The panel's "${message.type}" failed`, error));
  };
}

/** A message taken out of the queue is written on, with what was attached to it. */
function restoreQueued(session: ChatSession, { text, typed, attachments }: QueuedMessage): void {
  for (const attachment of attachments) session.attach(attachment);
  session.addToDraft(typed ?? text);
}
