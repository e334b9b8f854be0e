import * as vscode from 'vscode';
import { ToolError } from '../../../agent/tool.ts';
import type { GitProgram } from '../../../tools/git/git-program.ts';
import { showWhyNothing } from '../../../vscode/composer/read-context.ts';
import { showMessage, showWarning } from '../../../vscode/host/show-message.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';
import { pickTrustedRepository } from '../../../vscode/workspace/repository-changes.ts';
import {
  cleanPullRequest,
  type PullRequestAsk,
  type PullRequestMaterial,
  pullRequestAsk,
  pullRequestReply,
} from '../core/pull-request.ts';
import { createPullRequestRepository, type PullRequestRepository } from '../core/pull-request-repository.ts';
import { type GitRequest, type GitRequestDeps, planGitRequest } from './git-request.ts';
import { offerGitHubView } from './github-view.ts';

export interface WritePullRequestDeps extends GitRequestDeps {
  ensureReady(): Promise<boolean>;
  openGit(folder: string, signal: AbortSignal): Promise<GitProgram>;
  hides(repository: GitRepository): (path: string) => Promise<boolean>;
}

interface Target {
  material: PullRequestMaterial;
  ask: PullRequestAsk;
  request: GitRequest;
}

interface Row extends vscode.QuickPickItem {
  target?: Target;
}

type TargetOf = (base: string) => Promise<Target | undefined>;

/** Runs *Write Pull Request Text*: one request, and an untitled document with its answer. Nothing is pushed. */
export function createWritePullRequest(deps: WritePullRequestDeps): (argument: unknown) => Promise<void> {
  let isRunning = false;
  const run = async (argument: unknown): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      const repository = await pickTrustedRepository(argument);
      if (repository === undefined || !(await deps.ensureReady())) return;
      const git = createPullRequestRepository(
        await deps.openGit(repository.rootUri.fsPath, new AbortController().signal),
      );
      const hides = deps.hides(repository);
      const target = await pickTarget(deps, git, async (base) => {
        const material = await git.material(base, hides);
        if (material.commitCount === 0 || material.changes.length === 0) return undefined;
        const ask = pullRequestAsk(material);
        return { material, ask, request: planGitRequest(deps, ask.messages, pullRequestReply) };
      });
      if (target !== undefined) await write(target, () => void run(repository));
    } catch (error) {
      showWhyNothing(error);
    } finally {
      isRunning = false;
    }
  };
  return run;
}

async function pickTarget(
  deps: WritePullRequestDeps,
  git: PullRequestRepository,
  targetOf: TargetOf,
): Promise<Target | undefined> {
  const { likely, all } = await git.branches();
  const rows: Row[] = [];
  for (const base of likely) {
    const target = await targetOf(base);
    if (target !== undefined) rows.push(rowOf(target));
  }
  const others = all.filter((base) => !rows.some(({ target }) => target?.material.base === base));
  if (rows.length === 0 && (others.length === 0 || likely.length > 0)) throw nothingToShow(likely[0]);
  const title = vscode.l10n.t('Write Pull Request Text · {0}', deps.nameOf(deps.model()));
  const placeHolder = vscode.l10n.t('Select the branch that the work is to go into');
  const other: Row = { label: vscode.l10n.t('Another Branch…') };
  const picked =
    rows.length === 0
      ? other
      : await vscode.window.showQuickPick([...rows, ...(others.length > 0 ? [other] : [])], { title, placeHolder });
  if (picked !== other) return picked?.target;
  const base = await vscode.window.showQuickPick(others, { title, placeHolder });
  if (base === undefined) return undefined;
  const target = await targetOf(base);
  if (target === undefined) throw nothingToShow(base);
  return (await vscode.window.showQuickPick([rowOf(target)], { title, placeHolder }))?.target;
}

function rowOf(target: Target): Row & { target: Target } {
  const { base, commitCount, changes } = target.material;
  const parts = [
    commitCount === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', commitCount),
    changes.length === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', changes.length),
  ];
  return {
    label: vscode.l10n.t('Into {0}', base),
    description: parts.join(' · '),
    detail: vscode.l10n.t('{0} for one request. Nothing is pushed.', target.request.estimatedPrice),
    target,
  };
}

function nothingToShow(base: string | undefined): ToolError {
  return new ToolError(
    base === undefined
      ? vscode.l10n.t('There is no other branch that this work could go into.')
      : vscode.l10n.t('This branch has no commits of its own beside {0}, so there is nothing to write about.', base),
  );
}

async function write({ ask, request }: Target, retry: () => void): Promise<void> {
  const written = await writtenText(request, retry);
  if (written === undefined) return;
  const { content, price } = written;
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
  showMessage(
    ask.sentHunks === ask.allHunks
      ? vscode.l10n.t('Pull request text written, title first · {0}', price)
      : writtenFromBiggest(ask, price),
  );
  void offerGitHubView(price);
}

export function writtenFromBiggest({ sentHunks, allHunks }: PullRequestAsk, price: string): string {
  return vscode.l10n.t('Written from the {0} biggest of {1} changes · {2}', sentHunks, allHunks, price);
}

export async function writtenText(
  request: GitRequest,
  retry: (() => void) | undefined,
  signal?: AbortSignal,
): Promise<{ content: string; price: string } | undefined> {
  const title = vscode.l10n.t('Writing the pull request text · {0}', request.estimatedPrice);
  const answer = await request.send(title, retry, signal);
  if (answer === undefined) return undefined;
  const { text, evidence, damagedEvents, finish } = answer.reply;
  const content = cleanPullRequest(text);
  if (content !== '' && evidence !== 'none' && damagedEvents === 0 && finish !== 'length') {
    return { content, price: answer.price };
  }
  return showWarning(
    vscode.l10n.t('The answer was cut off or held no pull request text. Try again. · {0}', answer.price),
  );
}
