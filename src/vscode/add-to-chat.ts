import * as vscode from 'vscode';
import type { Attachment } from '../shared/messages.ts';
import type { ContextPick } from '../shared/protocol.ts';
import type { Search, Workspace } from '../tools/workspace.ts';
import { attachmentOfSelection, cutAttachment } from './attachments.ts';
import { findWorkspaceFiles } from './find-workspace-files.ts';
import { uriOfPlace } from './place-uri.ts';
import { NothingToAttach, pickOf, type ReadContext } from './read-context.ts';

const maxFiles = 2000;

export interface AddToChatDeps {
  read: ReadContext;
  workspace: Workspace;
  search: Search;
}

/**
 * What "Add to Chat" attaches: what the explorer, a tab or the line numbers name, the text that is selected in a terminal, else
 * the selection of the editor, else what the user picks. What cannot be attached is said.
 */
export async function attachmentsToAdd(args: readonly unknown[], deps: AddToChatDeps): Promise<Attachment[]> {
  try {
    const picks = await picksOf(args);
    if (picks.length === 0 && isTerminalMenu(args)) return [await terminalSelection()];
    const found: Attachment[] = [];
    for (const pick of picks.length > 0 ? picks : await pickHere(deps)) {
      const attachment = await deps.read(pick);
      if (attachment) found.push(attachment);
    }
    return found;
  } catch (error) {
    if (!(error instanceof NothingToAttach)) throw error;
    void vscode.window.showInformationMessage(error.message);
    return [];
  }
}

async function pickHere(deps: AddToChatDeps): Promise<ContextPick[]> {
  const editor = vscode.window.activeTextEditor;
  if (editor && attachmentOfSelection(editor)) return [{ kind: 'selection' }];
  const picked = await pickFile(deps);
  return picked ? [{ kind: 'file', uri: picked.toString() }] : [];
}

/** The explorer passes the clicked file and, second, everything that is selected; the line numbers their line. */
async function picksOf([clicked, selected]: readonly unknown[]): Promise<ContextPick[]> {
  const line = lineOf(clicked);
  if (line) return [line];
  const all = Array.isArray(selected) ? selected.filter((item) => item instanceof vscode.Uri) : [];
  const uris = all.length > 0 ? all : clicked instanceof vscode.Uri ? [clicked] : [];
  return Promise.all(uris.map(pickOf));
}

/** A selection that the clicked line is in is meant as a whole. */
function lineOf(argument: unknown): ContextPick | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { lineNumber, uri } = argument as { lineNumber?: unknown; uri?: unknown };
  if (typeof lineNumber !== 'number' || !(uri instanceof vscode.Uri)) return undefined;
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const selection = editor?.selection;
  const inside =
    selection && !selection.isEmpty && selection.start.line < lineNumber && selection.end.line >= lineNumber - 1;
  const startLine = inside ? selection.start.line + 1 : lineNumber;
  const endLine = inside ? selection.end.line + 1 : lineNumber;
  return { kind: 'file', uri: uri.toString(), startLine, endLine };
}

/** Its menu passes something that names no file; the palette and keys pass nothing. */
function isTerminalMenu([first]: readonly unknown[]): boolean {
  return first !== undefined && vscode.window.activeTerminal !== undefined;
}

/** There is no other way to a terminal's selection than the clipboard, which gets back what it held. */
async function terminalSelection(): Promise<Attachment> {
  const before = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText('');
  await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
  const text = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText(before);
  if (text.trim() === '') throw new NothingToAttach(vscode.l10n.t('Select text in the terminal first.'));
  const name = vscode.window.activeTerminal?.name ?? '';
  return cutAttachment('terminal', vscode.l10n.t('Terminal {0}', name).trim(), text);
}

async function pickFile({ workspace, search }: AddToChatDeps): Promise<vscode.Uri | undefined> {
  const open = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : []));
  const roots = workspace.roots();
  const found = Promise.all(roots.map((root) => findWorkspaceFiles(search, { root, glob: '**/*', maxFiles })));
  const rowOf = (uri: vscode.Uri) => ({ label: vscode.workspace.asRelativePath(uri), uri });
  const rows = found.then((places) => {
    const openPaths = new Set(open.map(String));
    const uris = places.flat().slice(0, maxFiles).map(uriOfPlace);
    const others = uris.filter((uri) => !openPaths.has(String(uri))).map(rowOf);
    const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, uri: undefined });
    return [
      separator(vscode.l10n.t('open editors')),
      ...open.map(rowOf),
      separator(vscode.l10n.t('files')),
      ...others.sort((a, b) => a.label.localeCompare(b.label)),
    ];
  });
  const picked = await vscode.window.showQuickPick(rows, {
    placeHolder: vscode.l10n.t('Attach a file to the next message'),
    matchOnDescription: true,
  });
  return picked?.uri;
}
