import * as vscode from 'vscode';
import { callsOnFirstUse, onFirstUse } from '../../base/on-first-use.ts';
import { createKeyMask } from '../../service/redact.ts';
import type { Attachment, Written } from '../../shared/messages.ts';
import type { HostMessage } from '../../shared/panel/protocol.ts';
import type { FileIndex } from '../../tools/files/file-index.ts';
import type { ChatSession } from '../chat/chat-session.ts';
import type { Chat, Own, Parts } from '../chat/create-chat.ts';
import { readWelcome } from '../chat/welcome.ts';
import { createTerminalRecords } from '../workspace/terminal-record.ts';
import type { ComposerHost } from './composer-host.ts';
import { askAboutKeys } from './key-in-message.ts';
import { createPromptStore } from './prompt-store.ts';
import type { PickedImage, ReadContext } from './read-context.ts';
import { readCommand } from './slash-commands.ts';
import { sourceStates } from './source-states.ts';

const settleMs = 300;

/** What one view's composer needs of the rest. */
export interface ComposerView {
  session: ChatSession;
  post(message: HostMessage): void;
  visible(): boolean;
  run(command: 'svc.compactConversation' | 'svc.newChat'): Thenable<unknown>;
}

export interface Composer extends Omit<ComposerHost, 'add'> {
  /** What was read already; an image only once the page has made it ready. */
  add(found: Attachment | PickedImage): void;
  /** The panel has drawn a snapshot: it gets what is kept beside it. */
  shown(): void;
  /**
   * What is to be sent for a text, with what its command is about attached; undefined when it was done without sending, and
   * what must not be lost is in the draft again.
   */
  prepare(text: string): Promise<Written | undefined>;
  /** Went out or into the queue: the arrow keys bring it back. */
  remember(text: string): void;
  dispose(): void;
}

/** A composer for each view. They share the index of files, the terminals and the prompts. */
export function createComposers(parts: Parts, own: Own, chat: Chat) {
  const { log, images } = parts;
  const { turns, store, kept } = chat;
  const { ports, instructions } = turns;
  const terminals = own(createTerminalRecords());
  let index: FileIndex | undefined;
  const loadIndex = onFirstUse(async () => {
    index = (await import('../../tools/files/file-index.ts')).createFileIndex(ports);
    return index;
  });
  const pathsChanged = () => index?.changed();
  const watcher = own(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
  for (const event of [watcher.onDidCreate, watcher.onDidDelete]) own(event(pathsChanged));
  own(vscode.workspace.onDidChangeWorkspaceFolders(pathsChanged));
  const mask = createKeyMask(parts.keys.known);
  const prompts = createPromptStore(kept);
  const readContext = onFirstUse(async () => {
    const { createReadContext } = await import('./read-context.ts');
    return createReadContext({ ...ports, store, terminal: terminals.last });
  });
  const read: ReadContext = async (pick) => (await readContext())(pick);

  const createComposer = (view: ComposerView): Composer => {
    const listening: vscode.Disposable[] = [];
    const own = <Part extends vscode.Disposable>(part: Part): Part => {
      listening.push(part);
      return part;
    };
    const { session, post } = view;
    const currentConversation = () => session.conversation().id;
    let isHostThere = false;
    const host = callsOnFirstUse(composerCalls, async () => {
      isHostThere = true;
      const { createComposerHost } = await import('./composer-host.ts');
      return createComposerHost({
        picker: {
          ...ports,
          index: await loadIndex(),
          store,
          currentConversation,
          terminal: terminals.last,
          prompts: instructions.promptFiles,
        },
        read,
        session,
        refreshPrompts: instructions.refresh,
        post,
        images,
        log,
      });
    });
    const failed = (error: unknown) => log.error('The composer could not be brought up to date', error);
    const tellWelcome = () => {
      if (!view.visible() || session.state().items.length > 0) return;
      readWelcome({ ...ports, store, currentConversation })
        .then((welcome) => post({ type: 'welcome', welcome }))
        .catch(failed);
    };
    const tellSources = () => {
      if (!view.visible()) return;
      sourceStates(session.state())
        .then((states) => post({ type: 'sources', states }))
        .catch(failed);
    };
    const welcomeSoon = own(settled(tellWelcome));
    const sourcesSoon = own(settled(tellSources));
    own(vscode.window.onDidChangeTextEditorSelection(welcomeSoon.start));
    own(vscode.window.onDidChangeActiveTextEditor(welcomeSoon.start));
    own(vscode.languages.onDidChangeDiagnostics(welcomeSoon.start));
    own(vscode.workspace.onDidSaveTextDocument(sourcesSoon.start));
    own(vscode.workspace.onDidDeleteFiles(sourcesSoon.start));
    own(vscode.workspace.onDidRenameFiles(sourcesSoon.start));
    own(watcher.onDidDelete(sourcesSoon.start));
    // What other programs changed meanwhile.
    own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) sourcesSoon.start();
      }),
    );
    // What was deleted or renamed, here or in another window, is no longer among the recent ones.
    own({ dispose: store.watch(welcomeSoon.start) });
    own({
      dispose: session.onEvents((events) => {
        if (events.some(({ type }) => type === 'turnEnded')) sourcesSoon.start();
      }),
    });
    return {
      ...host,
      add(found) {
        if ('bytes' in found) host.add(found).catch(failed);
        else session.attach(found);
      },
      shown() {
        post({ type: 'prompts', prompts: prompts.all() });
        tellWelcome();
        tellSources();
        if (isHostThere) host.askForImages().catch(failed);
      },
      async prepare(text) {
        if (isHostThere) await host.imagesAttached();
        const command = readCommand(text, instructions.promptFiles());
        if (command.do === 'send') {
          if (command.subject !== undefined) await host.attachSubject(command.subject);
          const clean = await askAboutKeys(session, mask, command.text, text);
          if (clean === undefined) return undefined;
          return command.text === text ? { text: clean } : { text: clean, typed: mask(text) };
        }
        if (command.do === 'refuse') {
          const { noImages } = await import('./list-commands.ts');
          post({ type: 'note', text: noImages() });
          session.addToDraft(text);
          return undefined;
        }
        await view.run(command.do === 'compact' ? 'svc.compactConversation' : 'svc.newChat');
        if (command.rest !== '') session.addToDraft(command.rest);
        return undefined;
      },
      remember(text) {
        prompts.add(mask(text));
        post({ type: 'prompts', prompts: prompts.all() });
      },
      dispose: () => vscode.Disposable.from(...listening).dispose(),
    };
  };
  return { read, createComposer, knowsTerminal: terminals.knows };
}

/** Runs once when nothing has come for a moment. */
function settled(run: () => void): vscode.Disposable & { start(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    start() {
      clearTimeout(timer);
      timer = setTimeout(run, settleMs);
    },
    dispose: () => clearTimeout(timer),
  };
}

const composerCalls: Readonly<Record<keyof ComposerHost, true>> = {
  complete: true,
  attach: true,
  add: true,
  attachImage: true,
  imageRefused: true,
  showImage: true,
  imagesAttached: true,
  askForImages: true,
  attachDropped: true,
  attachText: true,
  prepareCommand: true,
  attachSubject: true,
  pasted: true,
  open: true,
};
