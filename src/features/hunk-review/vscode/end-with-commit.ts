import * as vscode from 'vscode';
import { ToolError } from '../../../agent/tool.ts';
import type { Git } from '../../../tools/git/git.ts';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';
import { pathIn } from '../../../vscode/workspace/place-uri.ts';
import { rootOf } from '../../../vscode/workspace/repository-changes.ts';

export interface EndWithCommitDeps {
  git: Git;
  pending: Pick<PendingEdits, 'keep' | 'refresh'>;
  log: { error(line: string, error?: unknown): void };
}

/**
 * Ends the review of files that stand in a commit: whoever commits them has decided. What Git takes away from a file is
 * parked by the edits themselves, and comes back with it.
 */
export function createEndWithCommit({ git, pending, log }: EndWithCommitDeps) {
  const followed = new Map<string, { uris: Set<string>; listening: vscode.Disposable }>();
  const look = async (repository: GitRepository, uris: Set<string>) => {
    const { files, untracked } = await git.changes(rootOf(repository), { staged: false }, new AbortController().signal);
    const open = new Set([...files.flatMap(({ path, oldPath }) => [path, oldPath]), ...untracked]);
    for (const each of uris) {
      const uri = vscode.Uri.parse(each, true);
      const file = await pending.refresh(uri);
      const path = pathIn(repository.rootUri, uri);
      if (file !== undefined && path !== undefined && !open.has(path)) pending.keep(uri);
      if (file === undefined || !open.has(path)) uris.delete(each);
    }
  };
  return {
    follow(repository: GitRepository, uris: readonly vscode.Uri[]) {
      const key = repository.rootUri.toString();
      const known = followed.get(key);
      for (const uri of uris) known?.uris.add(uri.toString());
      if (known !== undefined) return;
      const own = new Set(uris.map(String));
      let head = repository.state.HEAD?.commit;
      const listening = repository.state.onDidChange(() => {
        const now = repository.state.HEAD?.commit;
        if (now === head) return;
        head = now;
        look(repository, own).catch((error: unknown) => {
          if (!(error instanceof ToolError)) log.error('What was committed could not be found out', error);
        });
      });
      followed.set(key, { uris: own, listening });
    },
    dispose() {
      for (const { listening } of followed.values()) listening.dispose();
    },
  };
}
