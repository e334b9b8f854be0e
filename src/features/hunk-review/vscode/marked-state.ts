import * as vscode from 'vscode';
import type { EditJournal } from '../../../edits/apply/edit-ports.ts';
import type { Place } from '../../../files/workspace.ts';
import {
  type CommandSnapshots,
  createCommandSnapshots,
  type SnapshotDeps,
  type WorkspaceSnapshot,
} from '../../../tools/command/command-snapshots.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';

export interface MarkedFile {
  place: Place;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** Copies the files of the workspace, so that what changes later can be told from what was there. Git is not needed. */
export interface MarkedState extends vscode.Disposable {
  mark(): Promise<void>;
  markedAt(): string | undefined;
  takeChanges(): Promise<MarkedFile[]>;
}

export function createMarkedState(deps: SnapshotDeps): MarkedState {
  let snapshots: CommandSnapshots | undefined;
  let marked: { at: Date; look: WorkspaceSnapshot } | undefined;
  const timeOf = (at: Date) => at.toLocaleTimeString(vscode.env.language, { hour: 'numeric', minute: '2-digit' });
  const takeChanges = async (): Promise<MarkedFile[]> => {
    const look = marked?.look;
    marked = undefined;
    const before = new Map<Place, Uint8Array | undefined>();
    const found: MarkedFile[] = [];
    const journal: EditJournal = {
      willChange: async (_, place, bytes) => void before.set(place, bytes),
      didChange: async (_, place, after) => void found.push({ place, before: before.get(place), after }),
    };
    if (look !== undefined) await snapshots?.after(look, '', journal);
    return found;
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
