import * as vscode from 'vscode';
import type { Attachment } from '../shared/messages.ts';
import { attachmentOf, attachmentOfSelection } from './attachments.ts';

/**
 * What "Add to Chat" attaches: the files that the explorer names, else the selection of the editor, else what the user
 * picks from the open editors and the workspace's files.
 */
export async function attachmentsToAdd(args: readonly unknown[]): Promise<Attachment[]> {
  const uris = explorerUris(args);
  if (uris.length > 0) return Promise.all(uris.map(attachmentOf));
  const editor = vscode.window.activeTextEditor;
  const selection = editor && attachmentOfSelection(editor);
  if (selection) return [selection];
  const picked = await pickFile();
  return picked ? [await attachmentOf(picked)] : [];
}

/** The explorer passes the clicked file and, second, everything that is selected. */
function explorerUris(args: readonly unknown[]): vscode.Uri[] {
  const [clicked, selected] = args;
  if (Array.isArray(selected)) return selected.filter((item): item is vscode.Uri => item instanceof vscode.Uri);
  return clicked instanceof vscode.Uri ? [clicked] : [];
}

async function pickFile(): Promise<vscode.Uri | undefined> {
  const open = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : []));
  const found = vscode.workspace.findFiles('**/*', undefined, 2000);
  const rowOf = (uri: vscode.Uri) => ({ label: vscode.workspace.asRelativePath(uri), uri });
  const rows = found.then((uris) => {
    const openPaths = new Set(open.map(String));
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
