import * as vscode from 'vscode';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';

/** Offers to stage what was kept, once all files of a review are decided: what was undone is not in them any more. */
export function createStagingOffer(pending: Pick<PendingEdits, 'get' | 'onDidChange'>) {
  const open = new Map<GitRepository, readonly vscode.Uri[]>();
  const listening = pending.onDidChange(() => {
    for (const [repository, uris] of open) {
      if (uris.some((uri) => pending.get(uri) !== undefined)) continue;
      open.delete(repository);
      void offer(repository, uris);
    }
  });
  return {
    offerStaging(repository: GitRepository, uris: readonly vscode.Uri[]) {
      open.set(repository, [...(open.get(repository) ?? []), ...uris]);
    },
    dispose: () => listening.dispose(),
  };
}

async function offer(repository: GitRepository, uris: readonly vscode.Uri[]): Promise<void> {
  await repository.status();
  const { workingTreeChanges, untrackedChanges = [] } = repository.state;
  const changed = new Set([...workingTreeChanges, ...untrackedChanges].map(({ uri }) => uri.toString()));
  const left = uris.filter((uri) => changed.has(uri.toString()));
  if (left.length === 0) return;
  const stage = vscode.l10n.t('Stage');
  const [only] = left;
  const text =
    left.length === 1 && only !== undefined
      ? vscode.l10n.t('{0} is reviewed.', vscode.workspace.asRelativePath(only))
      : vscode.l10n.t('{0} files are reviewed.', left.length);
  if ((await vscode.window.showInformationMessage(text, stage)) !== stage) return;
  await repository.add(left.map((uri) => uri.fsPath));
}
