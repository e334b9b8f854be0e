import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { createIncomingAttachments, type IncomingAttachments } from '../../chat/incoming-attachments.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import { isAsAttached } from '../../conversation/attachment-source.ts';
import { prepareMessage } from '../../conversation/composing/prepare-message.ts';
import { createPromptStore } from '../../conversation/composing/prompt-store.ts';
import type { ConversationStore } from '../../conversation/store/store.ts';
import { readableText } from '../../files/decode-text.ts';
import { createFileIndex } from '../../files/file-index.ts';
import { createKeyMask } from '../../service/redact.ts';
import { type ChatState, sentAttachments } from '../../shared/chat/chat-state.ts';
import type { Attachment, Written } from '../../shared/messages.ts';
import type { HostMessage } from '../../shared/panel/protocol.ts';
import type { StoredValues } from '../../storage/stored-values.ts';
import type { Service } from '../account/create-service.ts';
import { createDisposableStore, type Register } from '../host/disposable-store.ts';
import { createCodec } from '../workspace/codec-adapter.ts';
import type { Customizations } from '../workspace/customizations-adapter.ts';
import { bytesOf, openDocument, statOf } from '../workspace/place-uri.ts';
import { createTerminalRecords } from '../workspace/terminal-record.ts';
import { type ComposerHost, createComposerHost } from './composer-host.ts';
import type { ContextPickerDeps } from './context-picker.ts';
import { noImages } from './list-commands.ts';
import { createReadContext, NothingToAttach, type PickedImage, type ReadContextDeps } from './read-context.ts';
import { readWelcome } from './welcome.ts';

const settleMs = 300;

export interface ComposerView {
  viewModel: ChatViewModel;
  post(message: HostMessage): void;
  visible(): boolean;
  run(command: 'svc.compactConversation' | 'svc.newChat'): Thenable<unknown>;
}

export interface Composer extends Omit<ComposerHost, 'add'> {
  incoming: IncomingAttachments;
  /** Adds something that was read already; an image appears only once the page has prepared it. */
  add(found: Attachment | PickedImage): void;
  shown(): void;
  /**
   * Attaches the subject of a command. Undefined means that the text was handled without sending; then the draft
   * holds everything that must not be lost.
   */
  prepare(text: string): Promise<Written | undefined>;
  /** Records a text that was sent or queued, so that the arrow keys bring it back. */
  remember(text: string): void;
  dispose(): void;
}

export interface ComposersDeps {
  ports: Omit<ReadContextDeps, 'store' | 'terminal'>;
  customizations: Pick<Customizations, 'promptFiles' | 'refresh'>;
  store: ConversationStore;
  storedValues: StoredValues;
  subagentPrice: ContextPickerDeps['subagentPrice'];
}

/** The composers of all views share the index of files, the terminals and the prompts. */
export function createComposers(
  service: Service,
  register: Register,
  { ports, customizations, store, storedValues, subagentPrice }: ComposersDeps,
) {
  const { log, images } = service;
  const terminals = register(createTerminalRecords());
  const index = createFileIndex(ports);
  const watcher = register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
  for (const event of [watcher.onDidCreate, watcher.onDidDelete]) register(event(index.changed));
  register(vscode.workspace.onDidChangeWorkspaceFolders(index.changed));
  const mask = createKeyMask(service.keys.known);
  const prompts = createPromptStore(storedValues);
  const read = createReadContext({ ...ports, store, terminal: terminals.last });

  const createComposer = (view: ComposerView): Composer => {
    const { register, dispose } = createDisposableStore();
    const { viewModel, post } = view;
    const currentConversation = () => viewModel.conversation().id;
    const incoming = createIncomingAttachments({
      viewModel,
      newId: randomUUID,
      after: systemClock.after,
      reasonOf(error, label) {
        if (error instanceof NothingToAttach) return error.message;
        log.error(`${label} could not be attached`, error);
        const reason = messageOf(error);
        return vscode.l10n.t("Can't attach {0}: {1}", label, reason);
      },
      note: (text) => post({ type: 'note', text }),
      refused: () => post({ type: 'note', text: notSent() }),
    });
    const host = createComposerHost({
      picker: {
        ...ports,
        index,
        store,
        currentConversation,
        terminal: terminals.last,
        prompts: customizations.promptFiles,
        subagentPrice,
      },
      read,
      viewModel,
      refreshPrompts: customizations.refresh,
      post,
      images,
      incoming,
    });
    const failed = (error: unknown) => log.error('The composer could not be brought up to date', error);
    const postWelcome = () => {
      if (!view.visible() || viewModel.state().items.length > 0) return;
      readWelcome({ ...ports, store, currentConversation })
        .then((welcome) => post({ type: 'welcome', welcome }))
        .catch(failed);
    };
    const postSources = () => {
      if (!view.visible()) return;
      sourceStates(viewModel.state())
        .then((states) => post({ type: 'sources', states }))
        .catch(failed);
    };
    const welcomeSoon = register(settled(postWelcome));
    const sourcesSoon = register(settled(postSources));
    register(vscode.window.onDidChangeTextEditorSelection(welcomeSoon.start));
    register(vscode.window.onDidChangeActiveTextEditor(welcomeSoon.start));
    register(vscode.languages.onDidChangeDiagnostics(welcomeSoon.start));
    register(vscode.workspace.onDidSaveTextDocument(sourcesSoon.start));
    register(vscode.workspace.onDidDeleteFiles(sourcesSoon.start));
    register(vscode.workspace.onDidRenameFiles(sourcesSoon.start));
    register(watcher.onDidDelete(sourcesSoon.start));
    // What other programs changed meanwhile.
    register(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) sourcesSoon.start();
      }),
    );
    // What was deleted or renamed, here or in another window, is no longer among the recent ones.
    register({ dispose: store.watch(welcomeSoon.start) });
    register(
      viewModel.onDidEmit((events) => {
        if (events.some(({ type }) => type === 'turnEnded')) sourcesSoon.start();
      }),
    );
    return {
      ...host,
      incoming,
      add: (found) => void host.add(found).catch(failed),
      shown() {
        post({ type: 'prompts', prompts: prompts.all() });
        postWelcome();
        postSources();
        host.askForImages().catch(failed);
      },
      async prepare(text) {
        return prepareMessage(text, {
          prompts: customizations.promptFiles,
          attachSubject: host.attachSubject,
          withoutKeys: (clean, typed) => askAboutKeys(viewModel, mask, clean, typed),
          mask,
          refuse(refused) {
            post({ type: 'note', text: noImages() });
            viewModel.draft.append(refused);
          },
          run: (command) => view.run(command === 'compact' ? 'svc.compactConversation' : 'svc.newChat'),
          addToDraft: viewModel.draft.append,
        });
      },
      remember(text) {
        prompts.add(mask(text));
        post({ type: 'prompts', prompts: prompts.all() });
      },
      dispose,
    };
  };
  return { read, createComposer, knowsTerminal: terminals.knows };
}

function notSent(): string {
  return vscode.l10n.t("Not sent: something couldn't be attached. To send the message without it, remove it first.");
}

function settled(run: () => void): vscode.Disposable & { start(): void } {
  let cancel: (() => void) | undefined;
  return {
    start() {
      cancel?.();
      cancel = systemClock.after(settleMs, run);
    },
    dispose: () => cancel?.(),
  };
}

/**
 * Asks before a message goes out whose text or attachments hold an API key. Resolves with the text to send, or with
 * undefined when the user declines; then the text is back in the composer.
 */
export async function askAboutKeys(
  viewModel: ChatViewModel,
  mask: (text: string) => string,
  text: string,
  typed: string,
): Promise<string | undefined> {
  const attached = viewModel.draft.attachments().filter((attachment) => mask(attachment.text) !== attachment.text);
  const clean = mask(text);
  if (clean === text && attached.length === 0) return text;
  const remove = vscode.l10n.t('Remove Key');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('This message contains an API key.'),
    {
      modal: true,
      detail: [
        clean === text ? '' : vscode.l10n.t("It's in your text."),
        attached.length === 0
          ? ''
          : vscode.l10n.t("It's in these attachments: {0}", attached.map(({ label }) => label).join(', ')),
        vscode.l10n.t('A model never needs your key. If you remove it, only its first characters stay in the message.'),
      ]
        .filter(Boolean)
        .join('\n'),
    },
    remove,
  );
  if (answer !== remove) {
    viewModel.draft.append(typed);
    return undefined;
  }
  for (const attachment of attached) {
    viewModel.draft.detach(attachment.id);
    viewModel.draft.attach({ ...attachment, text: mask(attachment.text) });
  }
  return clean;
}

const codec = createCodec();

type States = Record<string, 'changed' | 'gone'>;

/** Limits the check to the newest attachments of a long conversation. */
const maxChecked = 50;
const maxBytes = 2 * 1024 * 1024;

async function sourceStates(state: ChatState): Promise<States> {
  const sent = sentAttachments(state).filter(hasSource);
  const checked = sent.slice(-maxChecked);
  const texts = new Map<string, Promise<string | undefined | 'unknown'>>();
  for (const { uri } of checked) {
    if (uri !== undefined && !texts.has(uri)) texts.set(uri, textAt(vscode.Uri.parse(uri)));
  }
  const states: States = {};
  for (const attachment of checked) {
    const { id, uri = '' } = attachment;
    const now = await texts.get(uri);
    if (now === undefined) states[id] = 'gone';
    else if (now !== 'unknown' && !isAsAttached(attachment, now)) states[id] = 'changed';
  }
  return states;
}

/** Folders, changes and the like were only ever snapshots, so their changes are not reported. */
function hasSource({ uri, kind = 'file' }: Attachment): boolean {
  return uri !== undefined && (kind === 'file' || kind === 'symbol' || kind === 'text');
}

/** Resolves with undefined when the source is gone, and with `unknown` when it cannot be read. */
async function textAt(uri: vscode.Uri): Promise<string | undefined | 'unknown'> {
  try {
    const open = openDocument(uri);
    if (open?.isDirty || open?.isUntitled) return open.getText();
    const stat = await statOf(uri);
    // The editor remembers the text of a deleted file for a while.
    if (!stat) return undefined;
    if (open) return open.getText();
    if (stat.size > maxBytes) return 'unknown';
    const bytes = await bytesOf(uri);
    const place = { root: { name: '', uri: uri.toString() }, path: '' };
    return bytes && ((await readableText(codec, place, bytes)) ?? 'unknown');
  } catch {
    // A folder that is not connected, a file without rights: nothing is known about it.
    return 'unknown';
  }
}
