import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { cutText } from '../../base/cut-text.ts';
import { exportMarkdown } from '../../conversation/export.ts';
import type { ConversationStore } from '../../conversation/store/store.ts';
import { isGitPath, isSecretPath } from '../../files/file-class.ts';
import { folderText } from '../../files/folder-text.ts';
import type { Files, Place, Search, Workspace } from '../../files/workspace.ts';
import { emptyChat } from '../../shared/chat/chat-state.ts';
import { foldChat } from '../../shared/chat/reduce-chat.ts';
import { isSendable, maxSourceBytes, sniffImage } from '../../shared/image.ts';
import type { Attachment, AttachmentKind } from '../../shared/messages.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import { describeChanges } from '../../tools/get-changes.ts';
import type { Git } from '../../tools/git/git.ts';
import { describeProblems } from '../../tools/language/get-problems.ts';
import type { Language } from '../../tools/language/language.ts';
import { showMessage } from '../host/show-message.ts';
import { cellOf, nameOfDocument } from '../workspace/notebook-cells.ts';
import { bytesOf, pathIn, statOf } from '../workspace/place-uri.ts';
import type { TerminalRecord } from '../workspace/terminal-record.ts';
import { attachmentOfDocument, attachmentOfSelection, cutAttachment } from './attachments.ts';

export interface ReadContextDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  language: Language;
  git: Git;
  store: Pick<ConversationStore, 'list' | 'read'>;
  terminal(): TerminalRecord | undefined;
}

/** Nothing was attached; the message says why and what to do instead. */
export class NothingToAttach extends Error {
  override readonly name = 'NothingToAttach';
}

export function showWhyNothing(error: unknown): undefined {
  if (!(error instanceof NothingToAttach || error instanceof ToolError)) throw error;
  return showMessage(error.message);
}

/**
 * Takes a snapshot of the pick. Asks before it takes a file that usually holds secrets or is outside of the
 * workspace; undefined when the user declines. Throws `NothingToAttach`.
 */
export type ReadContext = (pick: ContextPick) => Promise<Attachment | PickedImage | undefined>;

export interface PickedImage {
  name: string;
  uri: string;
  bytes: Uint8Array;
}

export function createReadContext(deps: ReadContextDeps): ReadContext {
  const read: ReadContext = (pick) => {
    switch (pick.kind) {
      case 'file':
        return readFile(pick);
      case 'folder':
        return readFolder(deps, vscode.Uri.parse(pick.uri, true));
      case 'symbol':
        return readSymbol(deps, pick);
      case 'problems':
        return readProblems(deps, pick);
      case 'changes':
        return readChanges(deps, pick.staged ?? false);
      case 'terminal':
        return readTerminal(deps.terminal());
      case 'conversation':
        return readConversation(deps, pick.id);
      case 'image':
        return pickImage();
      case 'selection':
        return readSelection();
    }
  };
  return async (pick) => {
    try {
      return await read(pick);
    } catch (error) {
      if (error instanceof ToolError) throw new NothingToAttach(error.message);
      throw error;
    }
  };
}

async function readFile(pick: Extract<ContextPick, { kind: 'file' }>): Promise<Attachment | PickedImage | undefined> {
  const uri = vscode.Uri.parse(pick.uri, true);
  if (!(await mayAttach(uri))) return undefined;
  const image = await readImage(uri);
  if (image) return image;
  if (pick.startLine === undefined) await refuseLarge(uri);
  const document = await openText(uri);
  if (document.lineAt(0).text.startsWith('version https://git-lfs.github.com/spec/')) {
    const path = vscode.workspace.asRelativePath(uri);
    throw new NothingToAttach(vscode.l10n.t("Can't attach {0}: its content isn't here. Run git lfs pull.", path));
  }
  if (pick.startLine === undefined) return attachmentOfDocument(document);
  if (pick.startLine > document.lineCount) {
    const path = vscode.workspace.asRelativePath(uri);
    throw new NothingToAttach(vscode.l10n.t('{0} has only {1} lines.', path, document.lineCount));
  }
  return attachmentOfDocument(document, wholeLines(document, pick.startLine, pick.endLine ?? pick.startLine));
}

/** The first bytes decide, not the name. An SVG stays text, which is of more use to a model. */
async function readImage(uri: vscode.Uri): Promise<PickedImage | undefined> {
  const stat = await statOf(uri).catch(() => undefined);
  if (stat === undefined || (stat.type & vscode.FileType.Directory) !== 0 || stat.size > maxSourceBytes)
    return undefined;
  const bytes = await bytesOf(uri);
  const type = bytes && sniffImage(bytes);
  if (bytes === undefined || type === undefined || type === 'svg') return undefined;
  const path = vscode.workspace.asRelativePath(uri);
  if (isSendable(type)) return { name: path, uri: uri.toString(), bytes };
  throw new NothingToAttach(vscode.l10n.t("Can't attach {0}: only PNG, JPEG, GIF, and WebP images can be sent.", path));
}

function wholeLines(document: vscode.TextDocument, startLine: number, endLine: number): vscode.Range {
  const last = document.lineAt(Math.min(endLine, document.lineCount) - 1);
  return new vscode.Range(new vscode.Position(startLine - 1, 0), last.range.end);
}

/** A larger file takes seconds to open, and only a hundredth of it would be sent. */
const maxFileBytes = 10 * 1024 * 1024;

async function refuseLarge(uri: vscode.Uri): Promise<void> {
  const { size = 0 } = (await statOf(uri).catch(() => undefined)) ?? {};
  if (size <= maxFileBytes) return;
  const path = vscode.workspace.asRelativePath(uri);
  const megabytes = Math.round(size / 1024 / 1024);
  const text = vscode.l10n.t(
    "Can't attach {0}: {1} MB is too large. Attach the lines that matter, or name the file in your message.",
    ...[path, megabytes],
  );
  throw new NothingToAttach(text);
}

/** Throws `NothingToAttach` with the actual reason. */
export async function openText(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    // The editor's own sentence holds the absolute path and no way out.
    const path = vscode.workspace.asRelativePath(uri);
    const found = await statOf(uri).catch(() => undefined);
    if (found === undefined) throw new NothingToAttach(vscode.l10n.t("Can't attach {0}: it's no longer there.", path));
    const isBinary = error instanceof Error && /binary/i.test(error.message);
    throw new NothingToAttach(
      isBinary
        ? vscode.l10n.t("Can't attach {0}: it isn't text.", path)
        : vscode.l10n.t("Can't attach {0}: VS Code can't open it.", path),
    );
  }
}

/** Asks the user: a file with secrets, or from outside of the workspace, leaves the machine with the next request. */
export async function mayAttach(target: vscode.Uri): Promise<boolean> {
  const uri = cellOf(target)?.notebook.uri ?? target;
  const outside = uri.scheme !== 'untitled' && vscode.workspace.getWorkspaceFolder(uri) === undefined && !isAtHand(uri);
  const secret = isSecretPath(uri.path) || isGitPath(uri.path);
  if (!outside && !secret) return true;
  const path = outside && uri.scheme === 'file' ? uri.fsPath : vscode.workspace.asRelativePath(uri);
  const question = secret
    ? vscode.l10n.t('{0} might contain secrets. Attach it?', path)
    : vscode.l10n.t('{0} is not in this workspace. Attach it?', path);
  return confirmAttach(question);
}

/** Without a workspace folder, open files may be attached without asking. */
function isAtHand(uri: vscode.Uri): boolean {
  if ((vscode.workspace.workspaceFolders ?? []).length > 0) return false;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => {
    const shown = input as { uri?: unknown } | undefined;
    return shown?.uri instanceof vscode.Uri && shown.uri.toString() === uri.toString();
  });
}

export async function confirmAttach(question: string): Promise<boolean> {
  const attach = vscode.l10n.t('Attach');
  const detail = vscode.l10n.t('Sent with your next message.');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, attach)) === attach;
}

async function readFolder(deps: ReadContextDeps, uri: vscode.Uri): Promise<Attachment | undefined> {
  const place = placeOf(deps.workspace, uri);
  const path = vscode.workspace.asRelativePath(uri);
  if (!place)
    throw new NothingToAttach(vscode.l10n.t('{0} is not in this workspace. Open it as a folder first.', path));
  const found = await folderText(deps, place, new AbortController().signal);
  if (found.files === 0) throw new NothingToAttach(vscode.l10n.t('Every file in {0} is ignored.', path));
  const count = found.more ? `${found.files}+` : String(found.files);
  const label = found.whole
    ? vscode.l10n.t('{0}/ ({1} files)', path, count)
    : vscode.l10n.t('{0}/ (names of {1} files)', path, count);
  return { ...cutAttachment('folder', label, found.text), uri: uri.toString() };
}

function placeOf(workspace: Workspace, uri: vscode.Uri): Place | undefined {
  for (const root of workspace.roots()) {
    const path = pathIn(vscode.Uri.parse(root.uri), uri);
    if (path !== undefined) return { root, path };
  }
  return undefined;
}

/** Reads the whole symbol when the outline of its file has it, else the lines from its name on. */
async function readSymbol(
  deps: ReadContextDeps,
  { uri, name, line }: Extract<ContextPick, { kind: 'symbol' }>,
): Promise<Attachment | undefined> {
  const target = vscode.Uri.parse(uri, true);
  if (!(await mayAttach(target))) return undefined;
  const document = await openText(target);
  const place = placeOf(deps.workspace, target);
  const outline = place && (await deps.language.outline(place));
  const bare = name.replace(/\(.*$/s, '');
  const known = outline
    ?.filter((entry) => entry.line <= line && entry.endLine >= line)
    .toSorted((a, b) => a.endLine - a.line - (b.endLine - b.line))
    .find((entry) => entry.name === name || entry.name.replace(/\(.*$/s, '') === bare);
  const endLine = known?.endLine ?? Math.min(document.lineCount, line + symbolLines);
  return attachmentOfDocument(document, wholeLines(document, known?.line ?? line, endLine), name);
}

const symbolLines = 40;

type ProblemsPick = Extract<ContextPick, { kind: 'problems' }>;

async function readProblems(deps: ReadContextDeps, pick: ProblemsPick): Promise<Attachment | undefined> {
  const uri = pick.uri === undefined ? undefined : vscode.Uri.parse(pick.uri, true);
  const cell = uri && cellOf(uri);
  if (cell) return readCellProblems(cell, pick);
  const place = uri && placeOf(deps.workspace, uri);
  if (uri && !place) throw new NothingToAttach(vscode.l10n.t('The editor reports no problems.'));
  const all = await deps.language.problems(place, new AbortController().signal);
  const { startLine = 1, endLine = Number.POSITIVE_INFINITY } = pick;
  const problems = all.filter(({ line }) => line >= startLine && line <= endLine);
  if (problems.length === 0) throw new NothingToAttach(vscode.l10n.t('The editor reports no problems.'));
  const label = problems.length === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', problems.length);
  const text = describeProblems(deps.workspace, problems);
  if (!uri || !place) return cutAttachment('problems', label, text);
  if (pick.startLine === undefined) return cutAttachment('problems', `${label} · ${place.path}`, text);
  // A few lines are included, which saves a read of the file.
  if (!(await mayAttach(uri))) return undefined;
  const code = linesAround(await openText(uri), startLine, Math.max(...problems.map(({ line }) => line)));
  const attachment = cutAttachment('problems', `${label} · ${place.path}:${startLine}`, `${text}\n\n${code}`);
  return { ...attachment, uri: uri.toString(), startLine, endLine: pick.endLine ?? startLine };
}

/** The language features report on cells, which are not files. */
async function readCellProblems(
  { document }: vscode.NotebookCell,
  { startLine = 1, endLine = Number.POSITIVE_INFINITY }: ProblemsPick,
): Promise<Attachment | undefined> {
  if (!(await mayAttach(document.uri))) return undefined;
  const found = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.start.line + 1 >= startLine && range.start.line + 1 <= endLine);
  if (found.length === 0) throw new NothingToAttach(vscode.l10n.t('The editor reports no problems.'));
  const label = found.length === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', found.length);
  const rows = found.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  const last = Math.max(...found.map(({ range }) => range.start.line + 1));
  const text = `${rows.join('\n')}\n\n${linesAround(document, startLine, last)}`;
  return cutAttachment('problems', `${label} · ${nameOfDocument(document)}`, text);
}

const linesBeside = 4;

function linesAround(document: vscode.TextDocument, startLine: number, endLine: number): string {
  const from = Math.max(1, startLine - linesBeside);
  const to = Math.min(document.lineCount, endLine + linesBeside);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => {
    const line = document.lineAt(from + at - 1).text;
    return `${from + at}: ${line.slice(0, 400).toWellFormed()}`;
  }).join('\n');
}

async function readChanges(deps: ReadContextDeps, staged: boolean): Promise<Attachment> {
  const { text, count } = await describeChanges(deps, { staged }, new AbortController().signal);
  if (count === 0) {
    throw new NothingToAttach(staged ? vscode.l10n.t('Nothing is staged.') : vscode.l10n.t('Git reports no changes.'));
  }
  const files = count === 1 ? vscode.l10n.t('1 changed file') : vscode.l10n.t('{0} changed files', count);
  return cutAttachment('changes', staged ? vscode.l10n.t('{0}, staged', files) : files, text);
}

async function readTerminal(record: TerminalRecord | undefined): Promise<Attachment> {
  if (!record) {
    throw new NothingToAttach(
      vscode.l10n.t(
        'No command has run in a terminal with shell integration since the chat was opened. Select text in the terminal and choose Add to Chat in its menu.',
      ),
    );
  }
  const state = record.running
    ? vscode.l10n.t('still running')
    : record.exitCode === undefined
      ? ''
      : vscode.l10n.t('exit code {0}', record.exitCode);
  const output = record.output.trimEnd();
  // VS Code does not pass on what comes in one piece with the marks of start and end: that it is silent must not be believed.
  const missing =
    output === '' && !record.running
      ? vscode.l10n.t('[VS Code reported no output. Output of very short commands can be missing.]')
      : '';
  const text = [`$ ${record.commandLine}`, output, missing, state && `[${state}]`].filter(Boolean).join('\n');
  const command = record.commandLine.replace(/\s+/g, ' ').trim();
  return cutAttachment('terminal', cutText(command, 60), text);
}

async function readConversation({ store }: ReadContextDeps, id: string): Promise<Attachment> {
  const events = await store.read(id);
  if (!events) throw new NothingToAttach(vscode.l10n.t('That conversation no longer exists.'));
  const state = foldChat(emptyChat, events, () => 0);
  return cutAttachment('conversation', state.title || vscode.l10n.t('Untitled'), exportMarkdown(state));
}

async function pickImage(): Promise<Attachment | PickedImage | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      filters: { [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] },
      openLabel: vscode.l10n.t('Attach'),
    })) ?? [];
  return uri && readFile({ kind: 'file', uri: uri.toString() });
}

/** Without a selection, the active file is attached. */
async function readSelection(): Promise<Attachment | undefined> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) throw new NothingToAttach(vscode.l10n.t('No file is open. Select code, or attach a file with @.'));
  if (!(await mayAttach(editor.document.uri))) return undefined;
  return attachmentOfSelection(editor) ?? attachmentOfDocument(editor.document);
}

export function nameOfPick(pick: ContextPick): { label: string; kind: AttachmentKind; uri?: string } {
  switch (pick.kind) {
    case 'file':
    case 'folder': {
      const path = vscode.workspace.asRelativePath(vscode.Uri.parse(pick.uri, true));
      const lines = pick.kind === 'file' && pick.startLine !== undefined;
      const label = lines ? `${path}:${pick.startLine}-${pick.endLine ?? pick.startLine}` : path;
      return { label, kind: pick.kind, uri: pick.uri };
    }
    case 'symbol':
      return { label: pick.name, kind: 'symbol', uri: pick.uri };
    case 'selection':
      return { label: vscode.l10n.t('Selection'), kind: 'file' };
    case 'problems':
      return { label: vscode.l10n.t('Problems'), kind: 'problems' };
    case 'changes':
      return { label: vscode.l10n.t('Changes'), kind: 'changes' };
    case 'terminal':
      return { label: vscode.l10n.t('Terminal'), kind: 'terminal' };
    case 'conversation':
      return { label: vscode.l10n.t('Conversation'), kind: 'conversation' };
    case 'image':
      return { label: vscode.l10n.t('Image'), kind: 'image' };
  }
}

export async function pickOf(uri: vscode.Uri): Promise<ContextPick> {
  const stat = await statOf(uri).catch(() => undefined);
  const isFolder = stat !== undefined && (stat.type & vscode.FileType.Directory) !== 0;
  return { kind: isFolder ? 'folder' : 'file', uri: uri.toString() };
}
