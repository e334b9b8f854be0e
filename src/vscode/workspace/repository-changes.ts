import * as vscode from 'vscode';
import { describeNewFiles, type NewFile } from '../../features/inline/core/commit-message.ts';
import { pathOnDisk, realPlaceOf } from '../../files/path-guard.ts';
import { readText } from '../../files/read-text.ts';
import type { WorkspaceRoot } from '../../files/workspace.ts';
import { describeChanges } from '../../tools/get-changes.ts';
import type { Git } from '../../tools/git/git.ts';
import { showMessage } from '../host/show-message.ts';
import { type GitRepository, gitRepositories } from './git-extension.ts';
import { pathIn } from './place-uri.ts';
import { createWorkspace } from './workspace-adapter.ts';

const maxFileBytes = 200_000;
const maxFilesRead = 30;

export function rootOf({ rootUri }: GitRepository): WorkspaceRoot {
  return { name: '', uri: rootUri.toString(), fsPath: rootUri.fsPath };
}

/**
 * Resolves with the changes of one repository, wherever its folder is. Ignored files and the content of files that
 * usually hold secrets are left out; the beginnings of new files, which no diff shows, are added. Rejects with
 * `ToolError` when git fails.
 */
export async function changesOfRepository(
  git: Git,
  repository: GitRepository,
  staged: boolean,
  signal: AbortSignal,
): Promise<{ text: string; count: number }> {
  const root = rootOf(repository);
  const { workspace, files } = createWorkspace(() => [root]);
  const { text, count, untracked } = await describeChanges({ workspace, git }, { staged }, signal);
  const fresh = await Promise.all(
    untracked.slice(0, maxFilesRead).map(async (place): Promise<NewFile | undefined> => {
      // What a link leads to is not in the repository.
      if ((await realPlaceOf(place))?.path !== place.path) return undefined;
      const checked = await pathOnDisk(place);
      const read = await readText({ workspace, files }, place, { max: maxFileBytes, checked });
      return read.text === undefined ? undefined : { path: place.path, text: read.text };
    }),
  );
  const described = describeNewFiles(fresh.filter((file) => file !== undefined));
  return { text: described === '' ? text : `${text}\n\n${described}`, count };
}

export async function repositoryHolding(uri: vscode.Uri): Promise<GitRepository | undefined> {
  return innermost(await gitRepositories(), uri);
}

/** Picks only in a trusted workspace, because git obeys what a repository configures. */
export async function pickTrustedRepository(argument: unknown): Promise<GitRepository | undefined> {
  return ensureChangesTrusted() ? pickRepository(argument) : undefined;
}

export function ensureChangesTrusted(): boolean {
  if (vscode.workspace.isTrusted) return true;
  showMessage(vscode.l10n.t('This folder is in Restricted Mode, so its changes are not read. Trust it first.'));
  return false;
}

export async function pickRepository(argument: unknown): Promise<GitRepository | undefined> {
  const all = await gitRepositories();
  if (all.length === 0) return showMessage(vscode.l10n.t('No Git repository is open in the Source Control view.'));
  const named = await namedRepository(argument);
  if (named !== undefined || all.length === 1) return named ?? all[0];
  const front = vscode.window.activeTextEditor?.document.uri;
  const holding = front && innermost(all, front);
  if (holding !== undefined) return holding;
  const rows = all.map((repository) => ({
    label: vscode.workspace.asRelativePath(repository.rootUri),
    description: repository.rootUri.fsPath,
    repository,
  }));
  const placeHolder = vscode.l10n.t('Select a repository');
  return (await vscode.window.showQuickPick(rows, { placeHolder }))?.repository;
}

export async function namedRepository(argument: unknown): Promise<GitRepository | undefined> {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const all = await gitRepositories();
  if (argument instanceof vscode.Uri) return innermost(all, argument);
  if ('rootUri' in argument && argument.rootUri instanceof vscode.Uri) {
    const named = argument.rootUri.toString();
    return all.find(({ rootUri }) => rootUri.toString() === named);
  }
  const states: unknown = 'resourceStates' in argument ? argument.resourceStates : undefined;
  const first: unknown = Array.isArray(states) ? states[0] : undefined;
  const uri = resourceUriIn(first);
  return uri && innermost(all, uri);
}

export function resourceUriIn(state: unknown): vscode.Uri | undefined {
  if (typeof state !== 'object' || state === null || !('resourceUri' in state)) return undefined;
  return state.resourceUri instanceof vscode.Uri ? state.resourceUri : undefined;
}

function innermost(all: readonly GitRepository[], uri: vscode.Uri): GitRepository | undefined {
  return all
    .filter(({ rootUri }) => pathIn(rootUri, uri) !== undefined)
    .toSorted((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
}
