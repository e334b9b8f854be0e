import path from 'node:path';
import * as vscode from 'vscode';
import type { Worktree } from '../../../shared/events.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import type { WorktreeChange, Worktrees } from '../core/worktrees.ts';

const scheme = 'svc-worktree-base';

/** Provides base texts of a worktree's changes for VS Code's own diff. Nothing is registered before the first use. */
export function createBaseTexts(worktrees: Pick<Worktrees, 'bytes'>) {
  const shown = new Map<string, { folder: string; change: WorktreeChange }>();
  let registration: vscode.Disposable | undefined;
  const provider: vscode.TextDocumentContentProvider = {
    async provideTextDocumentContent(uri) {
      const known = shown.get(uri.toString());
      const { signal } = new AbortController();
      if (known === undefined) return '';
      const [bytes] = await worktrees.bytes(known.folder, [{ change: known.change, side: 'before' }], signal);
      return new TextDecoder().decode(bytes);
    },
  };
  return {
    /** Uses the path of the file itself, because the diff would show another path as its old name. */
    uriFor(folder: string, change: WorktreeChange): vscode.Uri {
      registration ??= vscode.workspace.registerTextDocumentContentProvider(scheme, provider);
      // Another object is another text.
      const uri = vscode.Uri.from({
        scheme,
        path: vscode.Uri.file(path.join(folder, change.path)).path,
        query: change.before?.id ?? '',
      });
      shown.set(uri.toString(), { folder, change });
      return uri;
    },
    dispose: () => registration?.dispose(),
  };
}

export async function showWorktreeChanges(
  worktrees: Worktrees,
  baseTexts: ReturnType<typeof createBaseTexts>,
  { folder }: Worktree,
): Promise<void> {
  const { changes } = await worktrees.inspect(folder, new AbortController().signal);
  if (changes.length === 0) return showMessage(vscode.l10n.t('Nothing is changed in the worktree.'));
  const resources = changes.map((change) => {
    const now = vscode.Uri.file(path.join(folder, change.path));
    const before = change.before && baseTexts.uriFor(folder, change);
    return [now, before, change.after && now];
  });
  const count = changes.length;
  const title =
    count === 1
      ? vscode.l10n.t('1 file changed in the worktree')
      : vscode.l10n.t('{0} files changed in the worktree', count);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}
