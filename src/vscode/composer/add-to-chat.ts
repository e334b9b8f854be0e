import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Search, Workspace } from '../../files/workspace.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import { showMessage } from '../host/show-message.ts';
import { findWorkspaceFiles } from '../workspace/find-workspace-files.ts';
import { uriOfPlace } from '../workspace/place-uri.ts';
import { copiedFromTerminal } from '../workspace/terminal-clipboard.ts';
import { attachmentOfSelection, cutAttachment } from './attachments.ts';
import { pickOf } from './read-context.ts';

const maxFiles = 2000;

export interface AddToChatDeps {
  workspace: Workspace;
  search: Search;
}

/**
 * Takes, in this order, what the explorer, a tab or the line numbers name, the text selected in a terminal, the
 * selection of the editor, the problem at the cursor, or a file that the user picks. It reads no file.
 */
export async function chosenToAdd(
  args: readonly unknown[],
  deps: AddToChatDeps,
): Promise<readonly ContextPick[] | Attachment | undefined> {
  const picks = await picksOf(args);
  if (picks.length === 0 && isTerminalMenu(args)) return terminalSelection();
  return picks.length > 0 ? picks : pickHere(deps);
}

async function pickHere(deps: AddToChatDeps): Promise<ContextPick[]> {
  const editor = vscode.window.activeTextEditor;
  if (editor && attachmentOfSelection(editor)) return [{ kind: 'selection' }];
  const problem = editor && problemsIn(editor);
  if (problem) return [problem];
  const picked = await pickFile(deps);
  return picked ? [{ kind: 'file', uri: picked.toString() }] : [];
}

export function problemsIn({ document: { uri }, selection }: vscode.TextEditor): ContextPick | undefined {
  const found = vscode.languages.getDiagnostics(uri).filter(({ range }) => range.intersection(selection) !== undefined);
  if (found.length === 0) return undefined;
  const startLine = Math.min(...found.map(({ range }) => range.start.line)) + 1;
  const endLine = Math.max(...found.map(({ range }) => range.start.line)) + 1;
  return { kind: 'problems', uri: uri.toString(), startLine, endLine };
}

const problemTarget = z.object({ uri: z.string(), startLine: z.int(), endLine: z.int() });

/** Anybody may pass arguments, so one that names no problem counts as none. */
export function problemsOf(argument: unknown): ContextPick | undefined {
  const named = problemTarget.safeParse(argument);
  return named.success ? { kind: 'problems', ...named.data } : undefined;
}

/**
 * The explorer passes the clicked file first and everything that is selected second; the line numbers pass their
 * line.
 */
async function picksOf([clicked, selected]: readonly unknown[]): Promise<ContextPick[]> {
  const named = lineOf(clicked) ?? problemsOf(clicked);
  if (named) return [named];
  // The editor's own menu names its file and nothing else, and what is selected is meant.
  if (selected === undefined && isSelectedIn(clicked)) return [{ kind: 'selection' }];
  const all = Array.isArray(selected) ? selected.filter((item) => item instanceof vscode.Uri) : [];
  const uris = all.length > 0 ? all : clicked instanceof vscode.Uri ? [clicked] : [];
  return Promise.all(uris.map(pickOf));
}

function isSelectedIn(clicked: unknown): boolean {
  const editor = vscode.window.activeTextEditor;
  return (
    clicked instanceof vscode.Uri && editor?.document.uri.toString() === clicked.toString() && !editor.selection.isEmpty
  );
}

/** A clicked line inside the selection means the whole selection. */
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

/** The terminal's menu passes an argument that names no file; the palette and keys pass nothing. */
function isTerminalMenu([first]: readonly unknown[]): boolean {
  return first !== undefined && vscode.window.activeTerminal !== undefined;
}

async function terminalSelection(): Promise<Attachment | undefined> {
  const text = await copiedFromTerminal([['workbench.action.terminal.copySelection']]);
  if (text === undefined) return undefined;
  if (text.trim() === '') return showMessage(vscode.l10n.t('Select text in the terminal first.'));
  const name = vscode.window.activeTerminal?.name ?? '';
  return cutAttachment('terminal', vscode.l10n.t('Terminal {0}', name).trim(), text);
}

export async function pickFile(
  { workspace, search }: AddToChatDeps,
  placeHolder = vscode.l10n.t('Attach a file to the next message'),
): Promise<vscode.Uri | undefined> {
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
    placeHolder,
    matchOnDescription: true,
  });
  return picked?.uri;
}
