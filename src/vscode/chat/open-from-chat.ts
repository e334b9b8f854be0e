import * as vscode from 'vscode';
import { writeOutInvisible } from '../../shared/invisible-signs.ts';
import { statOf } from '../workspace/place-uri.ts';
import type { PanelActionDeps } from './panel-actions.ts';

/**
 * A call as the model wrote it and all that it gave back, for which its card had no room. Its title may be the
 * model's words: only letters of it name the document.
 */
export async function showOutput(
  { session, pages }: Pick<PanelActionDeps, 'session' | 'pages'>,
  callId: string,
): Promise<void> {
  const parts = session()
    .state()
    .items.flatMap((item) => (item.kind === 'answer' ? item.parts : []));
  const part = parts.findLast((each) => each.type === 'tool' && each.id === callId);
  if (part?.type !== 'tool' || part.output === undefined) return;
  const name = part.title.replace(/[^\p{L}\p{N}._ -]+/gu, ' ').trim();
  const text = `${writeOutInvisible(indented(part.arguments))}\n\n${part.output}`;
  await pages.showText(vscode.l10n.t('Output of {0}', name.slice(0, 80)), text);
}

/** JSON for people; what is none stays as the model wrote it. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** Only web links leave, only after a click, and VS Code asks for hosts that the user does not trust. */
export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme !== 'https' && uri.scheme !== 'http') return;
  await vscode.env.openExternal(uri);
}

/** Opens a file that an answer cites, when it is one of the workspace's own. */
export async function openWorkspaceFile(path: string, line: number | undefined): Promise<void> {
  const uri = await findInWorkspace(path);
  if (!uri) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no file {0} in this workspace.', path));
    return;
  }
  if ((await statOf(uri))?.type === vscode.FileType.Directory) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const position = new vscode.Position((line ?? 1) - 1, 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(position, position) });
}

/** Never outside of the open folders. */
export async function findInWorkspace(path: string): Promise<vscode.Uri | undefined> {
  const segments = path.split(/[\\/]/);
  if (segments.includes('..') || path.startsWith('/') || /^[A-Za-z]:/.test(path)) return undefined;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const inFolder = segments[0] === folder.name && segments.length > 1 ? [segments, segments.slice(1)] : [segments];
    for (const candidate of inFolder) {
      const uri = vscode.Uri.joinPath(folder.uri, ...candidate);
      if (await statOf(uri).catch(() => undefined)) return uri;
    }
  }
  return undefined;
}
