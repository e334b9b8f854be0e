import * as vscode from 'vscode';
import { ToolError } from '../../../agent/tool.ts';
import type { GitProgram } from '../../../tools/git/git-program.ts';
import type { Pages } from '../../../vscode/host/pages.ts';
import { showMessage, showWarning } from '../../../vscode/host/show-message.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';
import { pickTrustedRepository } from '../../../vscode/workspace/repository-changes.ts';
import { askToReplace } from '../../inline/vscode/ask-to-replace.ts';
import { readGroups } from '../core/groups.ts';
import {
  beginPlan,
  collectSplit,
  type OpenSplit,
  openSplit,
  readPlan,
  type SplitMaterial,
  type SplitPlan,
} from '../core/split-plan.ts';
import { createSplitRepository, type SplitRepository } from '../core/split-repository.ts';
import { splitReply, splitRequestMessages } from '../core/split-request.ts';
import { type GitRequestDeps, planGitRequest } from './git-request.ts';
import { countText, isOpen, pickGroup, titleOf } from './group-pick.ts';

export interface SplitCommitDeps extends GitRequestDeps {
  pages: Pick<Pages, 'showPatch'>;
  ensureReady(): Promise<boolean>;
  openGit(folder: string, signal: AbortSignal): Promise<GitProgram>;
  hides(repository: GitRepository): (path: string) => Promise<boolean>;
  state: Pick<vscode.Memento, 'get' | 'update'>;
}

interface Place {
  repository: GitRepository;
  git: SplitRepository;
  again(isNew: boolean): void;
}

interface Splitting {
  split: OpenSplit;
  plan: SplitPlan;
  price?: string;
}

/**
 * Runs *Split Changes into Commits*: one request makes the groups, each is staged on the user's request, and the user
 * commits.
 */
export function createSplitCommit(deps: SplitCommitDeps): (argument: unknown) => Promise<void> {
  let isRunning = false;
  const run = async (argument: unknown, isNew = false): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    let repository: GitRepository | undefined;
    const again = (anew: boolean) => void run(repository ?? argument, anew);
    try {
      repository = await pickTrustedRepository(argument);
      if (repository === undefined) return;
      const { fsPath } = repository.rootUri;
      // Staging is never stopped half way.
      const git = createSplitRepository(await deps.openGit(fsPath, new AbortController().signal), fsPath);
      const place = { repository, git, again };
      const splitting = (isNew ? undefined : await continued(deps, place)) ?? (await begun(deps, place));
      if (splitting !== undefined) await stageNext(deps, place, splitting);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      showRefused(error, repository !== undefined && deps.state.get(keyOf(repository)) !== undefined, again);
    } finally {
      isRunning = false;
    }
  };
  return (argument) => run(argument);
}

const keyOf = ({ rootUri }: GitRepository) => `svc.split ${rootUri.toString()}`;

function store({ state }: SplitCommitDeps, repository: GitRepository, plan: SplitPlan | undefined): Thenable<void> {
  return state.update(keyOf(repository), plan);
}

async function continued(deps: SplitCommitDeps, { repository, git }: Place): Promise<Splitting | undefined> {
  const stored = readPlan(deps.state.get(keyOf(repository)));
  if (stored === undefined) return undefined;
  const isUntouched = stored.staged === undefined && (stored.committed.length === 0 || !stored.isStaged);
  try {
    const split = await openSplit(git, stored);
    const plan = await split.read();
    const isDone = plan.committed.length === plan.groups.length;
    await store(deps, repository, isDone ? undefined : plan);
    return isDone ? undefined : { split, plan };
  } catch (error) {
    // What nothing was staged of is simply out of date.
    if (!(error instanceof ToolError) || !isUntouched) throw error;
    await store(deps, repository, undefined);
    return undefined;
  }
}

async function begun(deps: SplitCommitDeps, place: Place): Promise<Splitting | undefined> {
  const { repository, git } = place;
  if (!(await deps.ensureReady())) return undefined;
  const prepare = async () => {
    const material = await collectSplit(git, deps.hides(repository));
    await store(deps, repository, undefined);
    const recent = await repository.log({ maxEntries: 12 }).catch(() => []);
    const messages = splitRequestMessages(
      material.units,
      recent.map(({ message }) => message),
    );
    return { material, request: planGitRequest(deps, messages, splitReply) };
  };
  const prepared = prepare();
  if (!(await agreed(deps, prepared))) return undefined;
  const { material, request } = await prepared;
  const title = vscode.l10n.t('Splitting {0} · {1}', countText(material.units), request.estimatedPrice);
  const answer = await request.send(title, () => place.again(true));
  if (answer === undefined) return undefined;
  const groups = readGroups(answer.reply.text, material.units.length);
  if (groups.length === 0) {
    return showWarning(
      vscode.l10n.t('The model answered without groups, so nothing was split. Try again. · {0}', answer.price),
    );
  }
  const plan = beginPlan(material, groups, await git.flags());
  await store(deps, repository, plan);
  return { split: await openSplit(git, plan), plan, price: answer.price };
}

interface PreparedSplit {
  material: SplitMaterial;
  request: ReturnType<typeof planGitRequest>;
}

/** Asks before the request. The question opens at once and names the price when Git has answered. */
async function agreed(deps: SplitCommitDeps, prepared: Promise<PreparedSplit>): Promise<boolean> {
  const row = async (): Promise<vscode.QuickPickItem> => {
    const { material, request } = await prepared;
    return {
      label: material.range.isStaged ? vscode.l10n.t('Staged Changes') : vscode.l10n.t('All Uncommitted Changes'),
      description: countText(material.units),
      detail: vscode.l10n.t(
        '{0} for one request. Nothing is committed, and no file is changed.',
        request.estimatedPrice,
      ),
    };
  };
  const title = vscode.l10n.t('Split Changes into Commits · {0}', deps.nameOf(deps.model()));
  return (await vscode.window.showQuickPick(Promise.all([row()]), { title })) !== undefined;
}

async function stageNext(deps: SplitCommitDeps, place: Place, { split, plan, price }: Splitting): Promise<void> {
  const title = [vscode.l10n.t('Stage This Group'), countText(split.units), ...(price === undefined ? [] : [price])];
  const choice = await pickGroup(
    { plan, unitsIn: split.unitsIn },
    { title: title.join(' · '), showPatch: deps.pages.showPatch },
  );
  if (choice === undefined) return;
  if (choice === 'again') {
    // Else only the staged group would be split.
    if (plan.staged !== undefined) await undoStaging(deps, place, split);
    // The question about the price comes first.
    setTimeout(() => place.again(true));
    return;
  }
  if (choice === 'undo') return undoStaging(deps, place, split);
  const inView = { location: vscode.ProgressLocation.SourceControl };
  const now = await vscode.window.withProgress(inView, () => split.stage(choice.stage));
  await store(deps, place.repository, now);
  await place.repository.status();
  await writeMessage(place.repository, now, choice.stage);
  void showStaged(deps, place, { split, plan: now }, choice.stage);
}

async function undoStaging(deps: SplitCommitDeps, { repository }: Place, split: OpenSplit): Promise<void> {
  const plan = await split.undo();
  await store(deps, repository, plan);
  await repository.status();
  if (plan.groups.some(({ message }) => message === repository.inputBox.value)) repository.inputBox.value = '';
  void vscode.window.setStatusBarMessage(
    plan.isStaged
      ? vscode.l10n.t('Staged again, as before the split')
      : vscode.l10n.t('Nothing is staged, as before the split'),
    10_000,
  );
}

/** Never overwrites what the user has typed without asking. */
async function writeMessage({ inputBox }: GitRepository, { groups }: SplitPlan, group: number): Promise<void> {
  const { message = '' } = groups[group] ?? {};
  const isOurs = inputBox.value.trim() === '' || groups.some((one) => one.message === inputBox.value);
  if (isOurs || message === '') {
    if (isOurs) inputBox.value = message;
    return;
  }
  const question = vscode.l10n.t('The Source Control box has a message that you typed. Replace it with: {0}', message);
  if (await askToReplace(question, message)) inputBox.value = message;
}

async function showStaged(
  deps: SplitCommitDeps,
  place: Place,
  { split, plan }: Splitting,
  group: number,
): Promise<void> {
  const isLast = !plan.groups.some((_group, at) => isOpen(plan, at));
  const next = vscode.l10n.t('Next Group');
  const undo = vscode.l10n.t('Undo Staging');
  const name = titleOf(plan.groups[group] ?? { message: '', units: [] });
  const words = isLast
    ? vscode.l10n.t('Staged, the last group: {0} · {1}. Review and commit it.', name, countText(split.unitsIn(group)))
    : vscode.l10n.t(
        'Staged: {0} · {1}. Review and commit it, then go to the next group.',
        name,
        countText(split.unitsIn(group)),
      );
  const picked = await vscode.window.showInformationMessage(words, ...(isLast ? [] : [next]), undo);
  if (picked === next) place.again(false);
  if (picked !== undo) return;
  try {
    await undoStaging(deps, place, split);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    showRefused(error, true, place.again);
  }
}

function showRefused(error: ToolError, isBegun: boolean, again: (isNew: boolean) => void): void {
  if (!isBegun) return void showMessage(error.message);
  const button = vscode.l10n.t('Split Again…');
  void vscode.window.showWarningMessage(error.message, button).then((picked) => {
    if (picked === button) again(true);
  });
}
