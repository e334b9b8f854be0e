import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Chosen, IncomingAttachments } from '../../chat/incoming-attachments.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import { findPasted, isPastedSelection } from '../../conversation/composing/find-pasted.ts';
import { type CommandSubject, readCommand } from '../../conversation/composing/slash-commands.ts';
import { isSecretPath } from '../../files/file-class.ts';
import { sentAttachments } from '../../shared/chat/chat-state.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import type { HostMessage, PanelMessage } from '../../shared/panel/protocol.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import { attachmentOf, cutAttachment } from './attachments.ts';
import { type ContextPickerDeps, createContextPicker } from './context-picker.ts';
import { createImageAttacher, openImage } from './image-attacher.ts';
import {
  confirmAttach,
  NothingToAttach,
  nameOfPick,
  type PickedImage,
  pickOf,
  type ReadContext,
} from './read-context.ts';

export interface ComposerHostDeps {
  picker: ContextPickerDeps;
  read: ReadContext;
  viewModel: Pick<ChatViewModel, 'draft' | 'state'>;
  incoming: IncomingAttachments;
  refreshPrompts(): Promise<void>;
  post(message: HostMessage): void;
  images: ImageStore;
}

type Of<Type extends PanelMessage['type']> = Extract<PanelMessage, { type: Type }>;

/**
 * Handles one composer on the host's side: what can be attached, what was picked, dropped or pasted, and where it
 * came from.
 */
export interface ComposerHost {
  complete(message: Of<'complete'>): Promise<void>;
  attach(pick: ContextPick): Promise<void>;
  /** Attaches something that was read already. */
  add(found: Attachment | PickedImage): Promise<void>;
  /** Removes an attachment even while it is still being read. */
  remove(attachmentId: string): Promise<void>;
  /** Reports that the page begins to read something itself. */
  pageReads(message: Of<'incoming'>): Promise<void>;
  notArrived(message: Of<'notArrived'>): Promise<void>;
  attachImage(message: Of<'attachImage'>): Promise<void>;
  showImage(hash: string): Promise<void>;
  /** Reports that a new page replaced the one before. */
  pageBegan(): Promise<void>;
  /** Asks a restarted page again for the images that it has not prepared. */
  askForImages(): Promise<void>;
  attachDropped(uris: readonly string[]): Promise<void>;
  attachText(message: Of<'attachText'>): Promise<void>;
  /** Attaches a slash command's subject unless something is attached already. */
  prepareCommand(name: string): Promise<void>;
  attachSubject(subject: CommandSubject | undefined): Promise<void>;
  pasted(message: Of<'pasted'>): Promise<void>;
  open(attachmentId: string): Promise<void>;
}

export function createComposerHost(deps: ComposerHostDeps): ComposerHost {
  const { viewModel, post, incoming } = deps;
  const picker = createContextPicker(deps.picker);
  let query: AbortController | undefined;
  const images = createImageAttacher(deps);
  const read = async (id: string, pick: ContextPick) => {
    const found = await deps.read(pick);
    return found && 'bytes' in found ? images.prepare(id, found) : found;
  };
  const attach = (pick: ContextPick, optional = false) => {
    const chosen: Chosen = { ...nameOfPick(pick), optional };
    return incoming.add(chosen, (id) => read(id, pick));
  };
  return {
    ...images,
    attach: (pick) => attach(pick),
    add: (found) =>
      'bytes' in found
        ? incoming.add({ label: found.name, kind: 'image', uri: found.uri }, (id) => images.prepare(id, found))
        : incoming.add({ label: found.label, kind: found.kind ?? 'file' }, async () => found),
    async remove(id) {
      images.forget(id);
      if (!incoming.remove(id)) viewModel.draft.detach(id);
    },
    pageReads: ({ id, name, kind }) => incoming.add({ id, label: name, kind }, () => images.expect(id)),
    async attachSubject(subject) {
      if (subject === undefined || viewModel.draft.attachments().length > 0) return;
      // At once: the message that it belongs to is what everything chosen later waits for.
      const found = await deps.read({ kind: subject }).catch((error: unknown) => {
        if (!(error instanceof NothingToAttach)) throw error;
        post({ type: 'note', text: error.message });
        return undefined;
      });
      if (found && !('bytes' in found)) viewModel.draft.attach(found);
    },
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
      // All at once: a message that is sent meanwhile waits for each of them.
      const places = new Map(uris.map(placeOfDropped).map((uri) => [uri.toString(), uri]));
      await Promise.all(
        [...places.values()].map((uri) =>
          incoming.add(nameOfPick({ kind: 'file', uri: uri.toString() }), async (id) => read(id, await pickOf(uri))),
        ),
      );
    },
    async attachText({ id, name, text, pasted }) {
      const place = pasted ? placeOfPasted(text) : undefined;
      // What has no place in the editor comes from outside of the workspace; who pastes has just chosen it.
      const take = async () => {
        if (place) return attachmentOf(place);
        const sure = pasted || (await confirmAttach(vscode.l10n.t('{0} is not in this workspace. Attach it?', name)));
        return sure ? cutAttachment('text', name, text) : undefined;
      };
      const taken = take();
      if (!images.arrived(id, taken)) await incoming.add({ id, label: name, kind: 'text' }, () => taken);
    },
    async prepareCommand(name) {
      const command = readCommand(`/${name}`, deps.picker.prompts());
      if (command.do !== 'send' || command.subject === undefined) return;
      if (viewModel.draft.attachments().length === 0 && incoming.chips().length === 0)
        await attach({ kind: command.subject }, true);
    },
    async pasted({ id, text }) {
      const place = placeOfPasted(text);
      if (!place) return;
      const label = vscode.workspace.asRelativePath(place.uri);
      const attachmentId = randomUUID();
      await incoming.add({ id: attachmentId, label, kind: 'file', optional: true }, () => attachmentOf(place));
      if (viewModel.draft.attachments().some((attachment) => attachment.id === attachmentId)) {
        post({ type: 'pasteAttached', id, attachmentId });
      }
    },
    async open(attachmentId) {
      const attachment = [...viewModel.draft.attachments(), ...sentAttachments(viewModel.state())].find(
        ({ id }) => id === attachmentId,
      );
      if (!attachment) {
        const { uri } = incoming.chips().find((chip) => chip.id === attachmentId) ?? {};
        if (uri !== undefined) await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri));
        return;
      }
      if (attachment.image) await openImage(deps.images, attachment, attachment.image);
      else await openAttachment(attachment);
    },
  };
}

/** The window names files of its remote machine by `vscode-remote:`; an extension that runs there knows them as `file:`. */
function placeOfDropped(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  const isOurs = uri.scheme === 'vscode-remote' && uri.authority.split('+')[0] === vscode.env.remoteName;
  return isOurs ? uri.with({ scheme: 'file', authority: '' }) : uri;
}

/** Finds a pasted text in the workspace, but never in a file that may hold secrets. */
function placeOfPasted(text: string): vscode.Location | undefined {
  const origin = pastedOrigin(text, vscode.window.visibleTextEditors);
  return origin && vscode.workspace.getWorkspaceFolder(origin.uri) && !isSecretPath(origin.uri.path)
    ? origin
    : undefined;
}

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

async function openSource(uri: vscode.Uri, startLine?: number, endLine?: number): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const last = document.lineAt(Math.min(endLine ?? 1, document.lineCount) - 1).range.end;
    const selection =
      startLine === undefined ? undefined : new vscode.Range(new vscode.Position(startLine - 1, 0), last);
    await vscode.window.showTextDocument(document, { preview: true, selection });
    return true;
  } catch {
    // Deleted, moved or of a folder that is no longer open: the caller shows what was attached.
    return false;
  }
}

/**
 * Finds where in a visible editor a pasted text was copied from: it is selected there or occurs exactly once.
 * Undefined when that cannot be determined.
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
