import * as vscode from 'vscode';
import { type ChangedFile, noJournal } from '../../../edits/apply/edit-ports.ts';
import {
  type CommandSnapshots,
  createCommandSnapshots,
  type SnapshotDeps,
  type WorkspaceSnapshot,
} from '../../../tools/command/command-snapshots.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';

/** Copies the files of the workspace, so that what changes later can be told from what was there. Git is not needed. */
export interface MarkedState extends vscode.Disposable {
  mark(): Promise<void>;
  markedAt(): string | undefined;
  takeChanges(): Promise<readonly ChangedFile[]>;
}

export function createMarkedState(deps: SnapshotDeps): MarkedState {
  let snapshots: CommandSnapshots | undefined;
  let marked: { at: Date; look: WorkspaceSnapshot } | undefined;
  const timeOf = (at: Date) => at.toLocaleTimeString(vscode.env.language, { hour: 'numeric', minute: '2-digit' });
  const takeChanges = async () => {
    const look = marked?.look;
    marked = undefined;
    return (look && (await snapshots?.after(look, '', noJournal))) ?? [];
  };
  return {
    async mark() {
      await takeChanges();
      snapshots ??= createCommandSnapshots(deps);
      const title = vscode.l10n.t('Copying files…');
      const look = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
        (snapshots as CommandSnapshots).before(new AbortController().signal),
      );
      marked = { at: new Date(), look };
      showMessage(vscode.l10n.t('Marked. Review Changes by Hunk shows what changes from now on.'));
    },
    markedAt: () => marked && timeOf(marked.at),
    takeChanges,
    dispose: () => void snapshots?.dispose(),
  };
}
