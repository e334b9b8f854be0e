import { posix } from 'node:path';
import * as vscode from 'vscode';
import { parseJson } from '../../base/parse-json.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { ToolPart } from '../../shared/chat/chat-state.ts';
import { writeOutInvisible } from '../../shared/invisible-signs.ts';
import type { PanelMessage } from '../../shared/panel/protocol.ts';
import { runCommand } from '../../tools/run-command.ts';
import { showMessage } from '../host/show-message.ts';
import { pathIn, statOf } from '../workspace/place-uri.ts';
import type { PanelActionDeps } from './panel-actions.ts';

/**
 * Shows a call as the model wrote it and everything that it returned. The title may be the model's words, so only
 * letters of it name the document.
 */
export async function showOutput(
  { viewModel, pages }: Pick<PanelActionDeps, 'viewModel' | 'pages'>,
  callId: string,
): Promise<void> {
  const part = findCall(viewModel, callId);
  if (part?.output === undefined) return;
  const name = part.title.replace(/[^\p{L}\p{N}._ -]+/gu, ' ').trim();
  const written = indented(part.arguments).split('\n').map(writeOutInvisible).join('\n');
  const text = `${written}\n\n${part.output}`;
  await pages.showText(vscode.l10n.t('Output of {0}', name.slice(0, 80)), text);
}

function findCall(viewModel: ChatViewModel, callId: string): ToolPart | undefined {
  const parts = viewModel.state().items.flatMap((item) => (item.kind === 'answer' ? item.parts : []));
  return parts.findLast((part) => part.type === 'tool' && part.id === callId) as ToolPart | undefined;
}

/** Asks the model to run the command of a call again outside of the sandbox; the user has to agree once more. */
export function outsidePrompt(viewModel: ChatViewModel, callId: string): string | undefined {
  const part = findCall(viewModel, callId);
  const written = part?.name === runCommand.name ? parseJson(part.arguments) : undefined;
  if (typeof written !== 'object' || written === null || !('command' in written)) return undefined;
  return `${vscode.l10n.t('Run this command again, outside the sandbox:')}\n\n${fenced(String(written.command))}`;
}

/** The fence is longer than any in the text, so that the text cannot end it. */
function fenced(text: string): string {
  const longest = Math.max(0, ...text.split(/[^`]+/).map((signs) => signs.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Acts only on files that the call is known to have made, and only while they are in the workspace. */
export async function handleAppeared(
  { folders, edits: { restore }, viewModel }: Pick<PanelActionDeps, 'viewModel' | 'folders' | 'edits'>,
  { action, callId, path }: Extract<PanelMessage, { type: 'appeared' }>,
): Promise<void> {
  const { appeared = [], loaded = [] } = findCall(viewModel, callId) ?? {};
  if (![...appeared, ...(action === 'remove' ? [] : loaded)].includes(path)) return;
  if (action === 'restore') {
    const answers = viewModel.state().items.filter((item) => item.kind === 'answer');
    const its = answers.findLast(({ parts }) => parts.some((part) => part.type === 'tool' && part.id === callId));
    return its && restore(its.turnId);
  }
  const uri = await findAppeared(path, folders());
  if (uri === undefined) {
    return showMessage(vscode.l10n.t('There is no file {0} in this workspace.', writeOutInvisible(path)));
  }
  const isFolder = ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  if (action === 'show') {
    await (isFolder
      ? vscode.commands.executeCommand('revealInExplorer', uri)
      : vscode.commands.executeCommand('vscode.open', uri, { preview: true }));
    return;
  }
  const remove = vscode.l10n.t('Remove');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove {0}?', writeOutInvisible(path)),
    { modal: true, detail: vscode.l10n.t("It's moved to the trash. Where there is no trash, it's deleted.") },
    remove,
  );
  if (answer !== remove) return;
  await Promise.resolve(vscode.workspace.fs.delete(uri, { recursive: true, useTrash: true })).catch(() =>
    vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false }),
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** Opens only web links, only after a click, and VS Code asks about hosts that the user does not trust. */
export async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme !== 'https' && uri.scheme !== 'http') return;
  await vscode.env.openExternal(uri);
}

export async function openWorkspaceFile(
  folders: readonly NamedFolder[],
  path: string,
  line: number | undefined,
): Promise<void> {
  const uri = await findInFolders(folders, path);
  if (!uri) return showMessage(vscode.l10n.t('There is no file {0} in this workspace.', path));
  if ((await statOf(uri))?.type === vscode.FileType.Directory) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const position = new vscode.Position((line ?? 1) - 1, 0);
  await vscode.commands.executeCommand('vscode.open', uri, {
    ...(line !== undefined && { selection: new vscode.Range(position, position) }),
  });
}

/**
 * Finds exactly the file that the sandbox named, because it may be removed, and never another one that a link could
 * mean. `path` begins with its folder's name where there are several folders. Resolves with undefined when nothing is
 * there, or two files could be meant.
 */
export async function findAppeared(
  path: string,
  folders: readonly Pick<NamedFolder, 'uri'>[],
): Promise<vscode.Uri | undefined> {
  const [name, ...rest] = path.split('/');
  if (name === '..' || rest.includes('..')) return undefined;
  const candidates =
    folders.length === 1
      ? folders.map(({ uri }) => vscode.Uri.joinPath(uri, path))
      : folders
          .filter(({ uri }) => posix.basename(uri.path) === name)
          .map(({ uri }) => vscode.Uri.joinPath(uri, ...rest));
  const found: vscode.Uri[] = [];
  for (const uri of candidates) if (await statOf(uri).catch(() => undefined)) found.push(uri);
  return found.length === 1 ? found[0] : undefined;
}

export type NamedFolder = Pick<vscode.WorkspaceFolder, 'uri' | 'name'>;

/** Never finds a file outside of the folders. */
export async function findInFolders(folders: readonly NamedFolder[], path: string): Promise<vscode.Uri | undefined> {
  const segments = path.split(/[\\/]/);
  if (segments.includes('..') || /^[A-Za-z]:/.test(path)) return undefined;
  for (const folder of folders) {
    const below = path.startsWith('/') ? pathIn(folder.uri, folder.uri.with({ path })) : undefined;
    if (path.startsWith('/') && below === undefined) continue;
    const inFolder =
      below !== undefined
        ? [[below]]
        : segments[0] === folder.name && segments.length > 1
          ? [segments, segments.slice(1)]
          : [segments];
    for (const candidate of inFolder) {
      const uri = vscode.Uri.joinPath(folder.uri, ...candidate);
      if (await statOf(uri).catch(() => undefined)) return uri;
    }
  }
  return undefined;
}
