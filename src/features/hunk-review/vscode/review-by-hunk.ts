import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { splitDiff } from '../../../edits/apply/unified-hunks.ts';
import { decodeFile } from '../../../files/file-text.ts';
import { displayPath, type Workspace, type WorkspaceRoot } from '../../../files/workspace.ts';
import type { ChangedFile, ChangeRange, Git } from '../../../tools/git/git.ts';
import { showWhyNothing } from '../../../vscode/composer/read-context.ts';
import { writtenFile } from '../../../vscode/edits/command-review.ts';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import type { WrittenFile } from '../../../vscode/edits/file-writer.ts';
import type { ReviewBase, Settings } from '../../../vscode/host/settings.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { type GitRepository, gitRepositories } from '../../../vscode/workspace/git-extension.ts';
import { bytesOf, openDocument, pathIn, uriOfPlace } from '../../../vscode/workspace/place-uri.ts';
import { pickTrustedRepository, resourceUriIn, rootOf } from '../../../vscode/workspace/repository-changes.ts';
import { diffsOf, textBefore } from '../core/text-before.ts';
import type { MarkedState } from './marked-state.ts';

export interface ReviewByHunkDeps {
  git: Git;
  workspace: Workspace;
  pending: Pick<PendingEdits, 'begin' | 'beginRename' | 'get' | 'showAll'>;
  settings: Pick<Settings, 'reviewBase' | 'setReviewBase'>;
  marked: MarkedState;
  follow(repository: GitRepository, uris: readonly vscode.Uri[]): void;
  offerStaging(repository: GitRepository, uris: readonly vscode.Uri[]): void;
  state: vscode.Memento;
}

interface Found {
  found: FoundChange[];
  left: string[];
}

const maxFiles = 500;
const maxBytes = 5 * 1024 * 1024;

/**
 * Takes changes that stand in the working tree, whoever made them, into the review of edits: Keep leaves them, Undo takes
 * them back. No model is asked.
 */
export function createReviewByHunk(deps: ReviewByHunkDeps): (argument: unknown) => Promise<void> {
  return async (argument) => {
    const chosen = chosenIn(argument);
    const start = chosen === undefined ? await pickStart(deps) : rangeFrom(deps.settings.reviewBase());
    if (start === undefined) return;
    if (start === 'mark') return deps.marked.mark();
    const repository = start === 'marked' ? undefined : await pickTrustedRepository(argument);
    if (repository === undefined && start !== 'marked') return;
    try {
      const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading changes…') };
      const { found, left } = await vscode.window.withProgress(progress, () =>
        start === 'marked' || repository === undefined
          ? sinceMark(deps)
          : collect(deps, rootOf(repository), { range: start, chosen }),
      );
      if (found.length + left.length === 0) return showMessage(vscode.l10n.t('No changes.'));
      for (const one of found) take(deps, one);
      const uris = found.map(({ uri }) => uri);
      if (repository !== undefined) deps.follow(repository, uris);
      if (repository !== undefined && typeof start === 'object' && start.unstaged) deps.offerStaging(repository, uris);
      if (left.length > 0) showMessage(vscode.l10n.t('Not in this review: {0}', left.join(', ')));
      if (found.length > 0) await deps.pending.showAll();
    } catch (error) {
      showWhyNothing(error);
    }
  };
}

function rangeFrom(base: ReviewBase): ChangeRange {
  return base === 'index' ? { staged: false, unstaged: true } : { staged: false };
}

async function pickStart({
  settings,
  marked,
  state,
}: ReviewByHunkDeps): Promise<ChangeRange | 'marked' | 'mark' | undefined> {
  const uncommitted = [
    { label: vscode.l10n.t('All Uncommitted Changes'), base: 'head' as const },
    { label: vscode.l10n.t('Only What Is Not Staged'), base: 'index' as const },
  ].toSorted((one) => (one.base === settings.reviewBase() ? -1 : 1));
  const since = { label: vscode.l10n.t('Since a Branch or Commit…') };
  const at = marked.markedAt();
  const sinceMarked = at === undefined ? [] : [{ label: vscode.l10n.t('Since the State Marked at {0}', at) }];
  const mark = {
    label: vscode.l10n.t('Mark This State'),
    detail: vscode.l10n.t('Before another tool changes files: review later what it did.'),
  };
  const ofGit = (await gitRepositories()).length > 0 ? [...uncommitted, since] : [];
  const title = vscode.l10n.t('Review Changes by Hunk · $0');
  const picked = await vscode.window.showQuickPick([...sinceMarked, ...ofGit, mark], { title });
  if (picked === undefined) return undefined;
  if (picked === mark) return 'mark';
  if (picked === sinceMarked[0]) return 'marked';
  const base = uncommitted.find((one) => one === picked)?.base;
  if (base !== undefined) {
    await settings.setReviewBase(base);
    return rangeFrom(base);
  }
  const against = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Branch, tag, or commit to compare with'),
    value: state.get('svc.reviewedSince', ''),
  });
  if (against) await state.update('svc.reviewedSince', against);
  return against ? { staged: false, against } : undefined;
}

async function sinceMark({ marked, workspace, pending }: ReviewByHunkDeps): Promise<Found> {
  const found: FoundChange[] = [];
  const left: string[] = [];
  for (const change of await marked.takeChanges()) {
    const [place] = change;
    const path = displayPath(workspace, place);
    const written = await writtenFile(workspace, change, { callId: randomUUID() });
    if (pending.get(uriOfPlace(place)) !== undefined) left.push(`${path} (${vscode.l10n.t('already in review')})`);
    else if (written === undefined) left.push(`${path} (${vscode.l10n.t('not text')})`);
    else found.push(written);
  }
  return { found, left };
}

/** Returns the files and folders that a menu was opened on; undefined for a whole repository. */
function chosenIn(argument: unknown): readonly vscode.Uri[] | undefined {
  if (argument instanceof vscode.Uri) return [argument];
  const one = resourceUriIn(argument);
  if (one !== undefined) return [one];
  const states: unknown = typeof argument === 'object' && argument !== null && Reflect.get(argument, 'resourceStates');
  return Array.isArray(states) ? states.flatMap((state) => resourceUriIn(state) ?? []) : undefined;
}

interface FoundChange extends Omit<WrittenFile, 'by'> {
  from?: { uri: vscode.Uri; path: string };
}

async function collect(
  deps: ReviewByHunkDeps,
  root: WorkspaceRoot,
  { range, chosen }: { range: ChangeRange; chosen: readonly vscode.Uri[] | undefined },
): Promise<Found> {
  const changes = await deps.git.changes(root, range, new AbortController().signal);
  const isChosen = ({ path }: { path: string }) =>
    chosen?.some((uri) => pathIn(uri, uriOfPlace({ root, path })) !== undefined) ?? true;
  const files = [...changes.files, ...changes.untracked.map((path): ChangedFile => ({ path }))].filter(isChosen);
  const diffs = await diffsOf(changes);
  const found: FoundChange[] = [];
  const left = files.slice(maxFiles).map(({ path }) => path);
  for (const file of files.slice(0, maxFiles)) {
    const change = await changeOf(deps, root, file, diffs.get(file.path));
    if (typeof change === 'string') left.push(`${file.path} (${change})`);
    else found.push(change);
  }
  return { found, left };
}

async function changeOf(
  { workspace, pending }: ReviewByHunkDeps,
  root: WorkspaceRoot,
  { path, oldPath }: ChangedFile,
  diff: string | undefined,
): Promise<FoundChange | string> {
  const place = { root, path };
  const uri = uriOfPlace(place);
  if (pending.get(uri) !== undefined) return vscode.l10n.t('already in review');
  // Another repository is a folder here.
  const bytes = await bytesOf(uri).catch(() => null);
  if (bytes === null) return vscode.l10n.t('not text');
  if (bytes === undefined) {
    const before = diff && textBefore('', diff);
    return before ? { uri, path, before } : vscode.l10n.t('not text');
  }
  const decoded = bytes.length > maxBytes ? undefined : await decodeFile(workspace.codec, place, bytes);
  if (!decoded?.ok) return vscode.l10n.t('not text');
  const { file } = decoded;
  const document = openDocument(uri);
  const after = document?.isDirty ? document.getText() : file.text;
  if (diff === undefined || /^new file mode /m.test(splitDiff(diff).head)) return { uri, path, after, format: file };
  const before = textBefore(file.text, diff);
  if (before === undefined) return vscode.l10n.t('not text');
  if (before === file.text && oldPath === undefined) return vscode.l10n.t('no lines changed');
  const from = oldPath === undefined ? {} : { from: { uri: uriOfPlace({ root, path: oldPath }), path: oldPath } };
  return { uri, path, after, format: file, ...from, before };
}

function take({ pending }: ReviewByHunkDeps, { from, format, ...change }: FoundChange): void {
  const by = { callId: randomUUID() };
  const { uri, before } = change;
  const path = vscode.workspace.asRelativePath(uri);
  if (from !== undefined) pending.beginRename({ from, to: { uri, path }, text: before ?? '', by }).commit();
  const written: WrittenFile = {
    ...change,
    path,
    by,
    ...(format && { format: { encoding: format.encoding, mark: format.mark } }),
  };
  pending.begin(written).commit();
}
