import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChatViewModel } from '../../../chat/view-model.ts';
import type { Workspace } from '../../../files/workspace.ts';
import type { Worktree } from '../../../shared/events.ts';
import type { Attachment } from '../../../shared/messages.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { GitProgram } from '../../../tools/git/git-program.ts';
import { cancellable } from '../../../vscode/host/cancellable.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { type PlanPrice, runPrice } from '../../plan/core/plan-price.ts';
import type { Uncommitted, Worktrees } from '../core/worktrees.ts';

export interface NewTaskDeps {
  workspace: Pick<Workspace, 'roots'>;
  worktrees: Worktrees;
  estimator: Pick<Estimator, 'text' | 'usual'>;
  openGit(folder: string, signal: AbortSignal): Promise<GitProgram>;
  ensureReady(): Promise<boolean>;
  setAgentMode(): Promise<void>;
  defaultModel(): string;
  nameOf(model: string): string;
}

/** Describes a repository that contains folders of the workspace, with the parts of a worktree for each. */
export interface OpenRepository {
  top: string;
  roots: Worktree['roots'];
}

export const stepEstimate = 6;

/** Asks for the task and its starting point, makes the worktree, and sends the task in a conversation of its own. */
export async function startTask(deps: NewTaskDeps, viewModel: ChatViewModel): Promise<void> {
  const { signal } = new AbortController();
  const repository = await pickRepository(await repositoriesOf(deps, signal));
  if (repository === undefined || !(await deps.ensureReady())) return;
  const model = viewModel.conversation().model() || deps.defaultModel();
  const draft = viewModel.draft.text();
  const attachments = draft.trim() === '' ? [] : [...viewModel.draft.attachments()];
  const tokens = { task: taskTokens(deps.estimator, model, draft, attachments), history: 0 };
  const price = runPrice(stepEstimate, tokens, (expects) => deps.estimator.usual(model, expects));
  const asked = await askTask(deps.nameOf(model), draft, price);
  if (asked === undefined) return;
  const { task } = asked;
  if (asked.several) return void vscode.commands.executeCommand('svc.bestOf', { task });
  const { id } = viewModel.conversation();
  const folder = await makeWorktree(deps, repository, signal).catch((error: unknown) => {
    keepTask(viewModel, task, draft);
    throw error;
  });
  if (folder === undefined) return keepTask(viewModel, task, draft);
  await deps.setAgentMode();
  // From here on nothing waits, so that the task is in the composer or in its conversation.
  if (viewModel.conversation().id === id && draft.trim() !== '') {
    viewModel.draft.clear(draft);
    for (const { id: attachment } of attachments) viewModel.draft.detach(attachment);
  }
  viewModel.startOver();
  const conversation = viewModel.conversation();
  conversation.setBudget(price.capMicroUsd, price);
  conversation.setWorktree({ folder, repository: repository.top, roots: repository.roots, files: 0 });
  await conversation.send({ text: task, attachments, model });
}

async function makeWorktree(
  deps: NewTaskDeps,
  repository: OpenRepository,
  signal: AbortSignal,
): Promise<string | undefined> {
  const start = await pickStart(await deps.worktrees.uncommitted(repository.top, signal));
  return start && add(deps, repository, start);
}

/** Puts a task that was typed but not started into the composer. */
function keepTask(viewModel: ChatViewModel, task: string, draft: string): void {
  if (task.trim() !== draft.trim()) viewModel.draft.append(task);
}

export function taskTokens(
  estimator: Pick<Estimator, 'text'>,
  model: string,
  task: string,
  attachments: readonly Pick<Attachment, 'text'>[],
): number {
  return [{ text: task }, ...attachments].reduce((sum, { text }) => sum + estimator.text(model, text).tokens, 0);
}

export async function repositoriesOf(
  { workspace, openGit }: Pick<NewTaskDeps, 'workspace' | 'openGit'>,
  signal: AbortSignal,
): Promise<OpenRepository[]> {
  const found = new Map<string, OpenRepository>();
  for (const { name, fsPath } of workspace.roots()) {
    if (fsPath === undefined) continue;
    const folder = await realpath(fsPath).catch(() => undefined);
    const top = folder && (await topOf(folder, openGit, signal));
    if (folder === undefined || top === undefined) continue;
    const repository = found.get(top) ?? { top, roots: [] };
    repository.roots.push({ name, path: path.relative(top, folder).split(path.sep).join('/') });
    found.set(top, repository);
  }
  return [...found.values()];
}

async function topOf(
  folder: string,
  openGit: NewTaskDeps['openGit'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { run } = await openGit(folder, signal);
  const answer = await run(['rev-parse', '--show-toplevel']).catch(() => '');
  const top = answer.replace(/\r?\n$/, '');
  return top === '' ? undefined : realpath(top);
}

export async function pickRepository(found: readonly OpenRepository[]): Promise<OpenRepository | undefined> {
  if (found.length === 0) {
    return showMessage(vscode.l10n.t('A worktree needs a Git repository, and no folder of this window is in one.'));
  }
  if (found.length === 1) return found[0];
  const rows = found.map((repository) => ({
    label: path.basename(repository.top),
    description: repository.top,
    repository,
  }));
  const placeHolder = vscode.l10n.t('Select a repository');
  return (await vscode.window.showQuickPick(rows, { placeHolder }))?.repository;
}

/** Returns what a task usually costs, and where it stops. */
export function priceWords({ freshMicroUsd, capMicroUsd }: Pick<PlanPrice, 'freshMicroUsd' | 'capMicroUsd'>) {
  const { language } = vscode.env;
  const currency = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  const cap = new Intl.NumberFormat(language, currency).format(capMicroUsd / 1e6);
  return [formatMicroUsd(freshMicroUsd, true, language), cap] as const;
}

/** Resolves with the task; `several` means that it goes to several models. */
function askTask(
  model: string,
  draft: string,
  price: PlanPrice,
): Promise<{ task: string; several?: true } | undefined> {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('New Task in a Worktree · {0}', model);
  box.value = draft;
  box.valueSelection = [draft.length, draft.length];
  box.ignoreFocusOut = true;
  box.placeholder = vscode.l10n.t('What is to be done?');
  box.prompt = vscode.l10n.t(
    'Runs beside your work, in a copy of the repository. Usually {0}; stops at {1}.',
    ...priceWords(price),
  );
  box.buttons = [
    { iconPath: new vscode.ThemeIcon('versions'), tooltip: vscode.l10n.t('Run a Task on Several Models…') },
  ];
  return new Promise((resolve) => {
    const end = (answer: { task: string; several?: true }) => {
      resolve(answer);
      box.hide();
    };
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(() => {
      if (box.value.trim() === '') box.validationMessage = vscode.l10n.t('Describe the task.');
      else end({ task: box.value });
    });
    box.onDidTriggerButton(() => end({ task: box.value, several: true }));
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

interface Start extends vscode.QuickPickItem {
  tree?: string;
}

export async function pickStart(
  uncommitted: Uncommitted | undefined,
  title = vscode.l10n.t('New Task in a Worktree'),
): Promise<Start | undefined> {
  const last: Start = { label: vscode.l10n.t('Last Commit') };
  if (uncommitted === undefined) return last;
  const { tree, files, secrets } = uncommitted;
  const left = secrets.length === 0 ? [] : [vscode.l10n.t('without {0}', secrets.slice(0, 3).join(', '))];
  const count = files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files);
  const mine: Start = {
    label: vscode.l10n.t('Last Commit and Your Uncommitted Changes'),
    description: [count, ...left].join(' · '),
    tree,
  };
  return vscode.window.showQuickPick([last, mine], {
    title,
    placeHolder: vscode.l10n.t("Select where it starts. Unsaved changes aren't included."),
    ignoreFocusOut: true,
  });
}

function add({ worktrees }: NewTaskDeps, { top }: OpenRepository, { tree }: Start): Thenable<string | undefined> {
  return cancellable(vscode.l10n.t('Making a worktree of {0}', path.basename(top)), async (signal) => {
    try {
      return await worktrees.add({ repository: top, name: nameFor(top), tree }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

export function nameFor(top: string): string {
  const name =
    path
      .basename(top)
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .slice(0, 40) || 'repository';
  return `${name}-${Date.now().toString(36)}`;
}
