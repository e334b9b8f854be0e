import * as vscode from 'vscode';
import { findPasted, isPastedSelection } from '../../conversation/composing/find-pasted.ts';
import { type CommandSubject, readCommand } from '../../conversation/composing/slash-commands.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import type { HostMessage, PanelMessage } from '../../shared/panel/protocol.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import { isSecretPath } from '../../tools/files/file-class.ts';
import { attachmentOf, cutAttachment } from './attachments.ts';
import { type ContextPickerDeps, createContextPicker } from './context-picker.ts';
import { createImageAttacher, openImage } from './image-attacher.ts';
import { confirmAttach, NothingToAttach, type PickedImage, pickOf, type ReadContext } from './read-context.ts';

export interface ComposerHostDeps {
  picker: ContextPickerDeps;
  read: ReadContext;
  /** The chat that the composer belongs to. */
  seat: {
    attachments(): readonly Attachment[];
    attach(attachment: Attachment): void;
    detach(id: string): void;
    state(): ChatState;
  };
  /** The prompt files may have changed since they were read. */
  refreshPrompts(): Promise<void>;
  post(message: HostMessage): void;
  images: ImageStore;
  log: { error(line: string, error?: unknown): void };
}

type Of<Type extends PanelMessage['type']> = Extract<PanelMessage, { type: Type }>;

/**
 * The host's part of one composer: what can be attached, what was chosen, dropped or pasted, and where it came from.
 * Read on first use.
 */
export interface ComposerHost {
  complete(message: Of<'complete'>): Promise<void>;
  attach(pick: ContextPick): Promise<void>;
  /** Without reading: it was read already. */
  add(found: Attachment | PickedImage): Promise<void>;
  attachImage(message: Of<'attachImage'>): Promise<void>;
  imageRefused(id: number): Promise<void>;
  showImage(hash: string): Promise<void>;
  /** Every image that has come from the panel is attached. */
  imagesAttached(): Promise<void>;
  /** The page has (re)started: images that it has not answered are asked for again. */
  askForImages(): Promise<void>;
  attachDropped(uris: readonly string[]): Promise<void>;
  attachText(message: Of<'attachText'>): Promise<void>;
  /** Attaches a slash command's subject, unless something is attached already. */
  prepareCommand(name: string): Promise<void>;
  attachSubject(subject: CommandSubject | undefined): Promise<void>;
  pasted(message: Of<'pasted'>): Promise<void>;
  open(attachmentId: string): Promise<void>;
}

export function createComposerHost(deps: ComposerHostDeps): ComposerHost {
  const { seat, post } = deps;
  const picker = createContextPicker(deps.picker);
  let query: AbortController | undefined;
  const note = (text: string) => post({ type: 'note', text });
  const images = createImageAttacher({ ...deps, note, add: seat.attach });
  const addFound = (found: Attachment | PickedImage) => ('bytes' in found ? images.prepare(found) : seat.attach(found));

  const attach = async (pick: ContextPick): Promise<void> => {
    try {
      const found = await deps.read(pick);
      if (found) addFound(found);
    } catch (error) {
      if (!(error instanceof NothingToAttach)) throw error;
      note(error.message);
    }
  };
  const attachSubject = async (subject: CommandSubject | undefined): Promise<void> => {
    if (subject === undefined || seat.attachments().length > 0) return;
    await attach({ kind: subject });
  };
  return {
    ...images,
    attach,
    add: async (found) => addFound(found),
    attachSubject,
    async complete({ id, kind, query: text }) {
      query?.abort();
      const own = new AbortController();
      query = own;
      if (kind === 'command') {
        post({ type: 'completions', id, items: picker.commands(text), done: false });
        await deps.refreshPrompts();
        if (!own.signal.aborted) post({ type: 'completions', id, items: picker.commands(text), done: true });
        return;
      }
      if (kind === 'menu') {
        post({ type: 'completions', id, items: picker.menu(), done: true });
        return;
      }
      await picker.context(text, (list) => post({ type: 'completions', id, ...list }), own.signal);
    },
    async attachDropped(uris) {
      for (const uri of uris) await attach(await pickOf(vscode.Uri.parse(uri, true)));
    },
    async attachText({ name, text, pasted }) {
      // What has no place in the editor comes from outside of the workspace; who pastes has just chosen it.
      const sure = pasted || (await confirmAttach(vscode.l10n.t('{0} is not in this workspace. Attach it?', name)));
      if (sure) seat.attach(cutAttachment('text', name, text));
    },
    async prepareCommand(name) {
      const read = readCommand(`/${name}`, deps.picker.prompts());
      if (read.do === 'send') await attachSubject(read.subject);
    },
    async pasted({ id, text }) {
      const origin = pastedOrigin(text, vscode.window.visibleTextEditors);
      if (!origin || !vscode.workspace.getWorkspaceFolder(origin.uri) || isSecretPath(origin.uri.path)) return;
      const attachment = await attachmentOf(origin);
      seat.attach(attachment);
      post({ type: 'pasteAttached', id, attachmentId: attachment.id });
    },
    async open(attachmentId) {
      const sent = seat.state().items.flatMap((item) => (item.kind === 'user' ? item.attachments : []));
      const attachment = [...seat.attachments(), ...sent].find(({ id }) => id === attachmentId);
      if (!attachment) return;
      if (attachment.image) await openImage(deps.images, attachment, attachment.image);
      else await openAttachment(attachment);
    },
  };
}

/** The source where there still is one, else the text as it was attached. */
async function openAttachment(attachment: Attachment): Promise<void> {
  const { uri, kind, startLine, endLine, text, languageId } = attachment;
  if (uri !== undefined && kind === 'folder') {
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.parse(uri));
    return;
  }
  if (uri !== undefined && (await openSource(vscode.Uri.parse(uri), startLine, endLine))) return;
  const language = languageId ?? (kind === 'conversation' ? 'markdown' : kind === 'changes' ? 'diff' : 'plaintext');
  const document = await vscode.workspace.openTextDocument({ language, content: text });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** False when it is gone. */
async function openSource(uri: vscode.Uri, startLine?: number, endLine?: number): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const last = document.lineAt(Math.min(endLine ?? 1, document.lineCount) - 1).range.end;
    const selection =
      startLine === undefined ? undefined : new vscode.Range(new vscode.Position(startLine - 1, 0), last);
    await vscode.window.showTextDocument(document, { preview: true, ...(selection && { selection }) });
    return true;
  } catch {
    // Deleted, moved or of a folder that is no longer open: the caller shows what was attached.
    return false;
  }
}

/**
 * Where in a visible editor a pasted text was copied from: it is what is selected there, or stands there exactly once.
 * Undefined when nobody can tell.
 */
export function pastedOrigin(pasted: string, editors: readonly vscode.TextEditor[]): vscode.Location | undefined {
  for (const { document, selections } of editors) {
    const selection = selections.find((range) => isPastedSelection(pasted, document.getText(range)));
    if (selection) return new vscode.Location(document.uri, selection);
  }
  const found = editors.flatMap(({ document }) => {
    const place = findPasted(pasted, document.getText());
    if (!place) return [];
    const end = document.lineAt(place.endLine).text.length;
    return [new vscode.Location(document.uri, new vscode.Range(place.startLine, 0, place.endLine, end))];
  });
  return found.length === 1 ? found[0] : undefined;
}
