import * as vscode from 'vscode';
import { messageOf } from '../../../base/message-of.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { withSignal } from '../../../vscode/host/with-signal.ts';
import { pathIn } from '../../../vscode/workspace/place-uri.ts';
import { ensureChangesTrusted, repositoryHolding } from '../../../vscode/workspace/repository-changes.ts';
import { materialOf, type ProvidedPullRequest, type RepositoryFiles } from '../core/provided-pull-request.ts';
import { pullRequestAsk, pullRequestReply, titleAndDescription } from '../core/pull-request.ts';
import { planGitRequest } from './git-request.ts';
import type { TitleAndDescriptionProvider } from './github-view.ts';
import { type WritePullRequestDeps, writtenFromBiggest, writtenText } from './write-pull-request.ts';

export type PullRequestProviderDeps = Omit<WritePullRequestDeps, 'openGit'>;

/**
 * Serves the sparkle button of GitHub's view: each press is one request with what the view provides. Problems are
 * shown to the user here.
 */
export function createPullRequestProvider(deps: PullRequestProviderDeps): TitleAndDescriptionProvider {
  return {
    async provideTitleAndDescription(given, token) {
      if (!ensureChangesTrusted() || !(await deps.ensureReady())) return undefined;
      try {
        return await withSignal(token, async (signal) => {
          const material = await materialOf(given, await filesOf(given.patches, deps.hides));
          if (material.commitCount === 0 && material.changes.length === 0) {
            return showMessage(vscode.l10n.t('There are no commits or changes to write about.'));
          }
          if (signal.aborted) return undefined;
          const ask = pullRequestAsk(material);
          const request = planGitRequest(deps, ask.messages, pullRequestReply);
          const written = await writtenText(request, undefined, signal);
          if (written === undefined) return undefined;
          showMessage(
            ask.sentHunks === ask.allHunks
              ? vscode.l10n.t("Title and description written for GitHub's view · {0}", written.price)
              : writtenFromBiggest(ask, written.price),
          );
          return titleAndDescription(written.content);
        });
      } catch (error) {
        const why = messageOf(error);
        void vscode.window.showErrorMessage(vscode.l10n.t("The pull request text couldn't be written: {0}", why));
        return undefined;
      }
    },
  };
}

/** Finds the files in their repository. Without one nothing shows which files are ignored, so no lines are sent. */
async function filesOf(
  patches: ProvidedPullRequest['patches'],
  hides: PullRequestProviderDeps['hides'],
): Promise<RepositoryFiles> {
  const [first] = patches.flatMap((one) => (typeof one === 'string' ? [] : [vscode.Uri.parse(one.fileUri)]));
  const repository = first && (await repositoryHolding(first));
  if (repository === undefined) {
    return { pathOf: (uri) => vscode.Uri.parse(uri).path.replace(/^\//, ''), hides: async () => true };
  }
  return { pathOf: (uri) => pathIn(repository.rootUri, vscode.Uri.parse(uri)), hides: hides(repository) };
}
