import * as vscode from 'vscode';
import { comparedText, isByCells } from '../../edits/pending/compared-text.ts';
import { type EditOrigin, sameCall } from '../../edits/pending/edit-origin.ts';
import type { EditOutcomes } from '../../edits/pending/edit-outcomes.ts';
import { type Hunk, hunksOf, linesOf } from '../../edits/pending/hunks.ts';
import {
  fileOrigins,
  type PendingFile,
  putDecided,
  putKept,
  putLost,
  putRenamed,
  putRestored,
  putUndone,
  putWritten,
  type Undone,
  undoneFile,
} from '../../edits/pending/pending-files.ts';
import { groupsOf, type Selection, settledText } from '../../edits/pending/pending-text.ts';
import { cellOf } from '../workspace/notebook-cells.ts';
import { bytesOf, openDocument, statOf } from '../workspace/place-uri.ts';
import { createEditState, type EditState, type EditStateDeps } from './edit-state.ts';
import type { WriteListener } from './file-writer.ts';
import { followDocuments, takeIn } from './follow-documents.ts';
import { openInFormat, textArrives } from './open-as.ts';
import type { PendingWrite } from './pending-write.ts';

export interface EditStore extends WriteListener, vscode.Disposable {
  get(uri: vscode.Uri): PendingFile | undefined;
  all(): readonly PendingFile[];
  /** Returns the hunks in the current text of the document; none for a deleted file. */
  hunks(uri: vscode.Uri): readonly Hunk[];
  groups(uri: vscode.Uri): readonly (readonly Hunk[])[];
  /** Fires when edits are decided or changed, also by typing, and when a document shows them. */
  onDidChange: vscode.Event<void>;
  keep(uri: vscode.Uri, selection?: Selection): void;
  /** Fires when the user types in these hunks, but not for the editor's Undo and Redo. */
  onDidType: vscode.Event<{ uri: vscode.Uri; hunks: readonly Hunk[] }>;
  /**
   * Computes the undo without writing; the caller writes it and reports the result. Undefined when nothing of this is
   * pending.
   */
  undo(uri: vscode.Uri, selection?: Selection): (Undone & PendingWrite) | undefined;
  refresh(uri: vscode.Uri): Promise<PendingFile | undefined>;
  outcomes: Pick<EditOutcomes, 'of'>;
  flush(): Promise<void>;
}

/**
 * Keeps the pending edits of this workspace, which survive a reload unless `file` is undefined. What the user types
 * outside of the edits is never pending. A write counts only once its document has the text, so that decorations
 * always match the text they are drawn on.
 */
export async function createEditStore(deps: EditStateDeps): Promise<EditStore> {
  const state = await createEditState(deps);
  const { files } = state;
  const following = followDocuments(state);
  return {
    get: (uri) => files.get(uri.toString()),
    all: () => [...files.values()],
    hunks: (uri) => {
      const file = files.get(uri.toString());
      return file === undefined || !hasLines(file) ? [] : hunksOf(file.text);
    },
    groups: (uri) => {
      const file = files.get(uri.toString());
      return file === undefined || !hasLines(file) ? [] : groupsOf(file.text);
    },
    onDidChange: state.onDidChange,
    onDidType: state.onDidType,
    outcomes: state.outcomes,
    ...writesOf(state),
    ...decisionsOf(state),
    async refresh(uri) {
      const key = uri.toString();
      const file = files.get(key);
      if (file === undefined || file.kind === 'deleted') return file;
      const document = openDocument(uri);
      // An editor keeps the text of a file that is gone.
      const isOnDisk = !document?.isUntitled && !document?.isDirty && cellOf(uri) === undefined;
      if (isOnDisk && (await statOf(uri)) === undefined) {
        const isLost = file.from !== undefined && (await statOf(vscode.Uri.parse(file.from.uri, true))) === undefined;
        if (isLost) state.update(() => putLost(files, file));
        else state.park(file);
        return file.from && files.get(file.from.uri);
      }
      if (document !== undefined) {
        if (file.byCells && !document.isDirty) await catchUp(document);
        return files.get(key);
      }
      const open = file.format ? openInFormat(uri, file.format) : vscode.workspace.openTextDocument(uri);
      takeIn(state, uri, (await open).getText());
      return files.get(key);
    },
    flush: state.flush,
    dispose() {
      following.dispose();
      state.dispose();
    },
  };
}

/** The notebook's cell editor may have saved just now. */
async function catchUp(document: vscode.TextDocument): Promise<void> {
  const bytes = await bytesOf(document.uri);
  const text = comparedText({ byCells: true }, new TextDecoder().decode(bytes));
  const isIt = (one: vscode.TextDocument) => comparedText({ byCells: true }, one.getText()) === text;
  if (bytes !== undefined && !isIt(document)) await textArrives(document, isIt);
}

function hasLines({ kind, byCells }: PendingFile): boolean {
  return kind !== 'deleted' && !byCells;
}

function writesOf({ files, saving, update, remember, remind, writes, outcomes }: EditState): WriteListener {
  return {
    begin({ uri, ...written }) {
      const key = uri.toString();
      // Only a document reports when it has the text; creations and deletions are reported when they are done.
      const byCells = isByCells(files.get(key), written);
      const compared = (text: string) => comparedText({ byCells }, text);
      const after = written.before === undefined ? undefined : written.after && compared(written.after);
      return writes.begin(uri, { text: after, byCells }, () => {
        const before = files.get(key)?.text ?? settledText(compared(written.before ?? ''));
        update(() => putWritten(files, { ...written, uri: key }), 'replaced');
        const settled = after === undefined ? undefined : settledText(after);
        const text = files.get(key)?.text ?? settled;
        if (text !== undefined) remember(key, before, text);
        // Without an editor nobody tells that it is saved.
        if (openDocument(uri) === undefined) remind(files.get(key));
      });
    },
    beginRename({ from, to, text, by }) {
      const names = { from: { ...from, uri: from.uri.toString() }, to: { ...to, uri: to.uri.toString() } };
      return writes.begin(from.uri, { isRename: true }, () =>
        update(() => putRenamed(files, { ...names, text, by }), 'replaced'),
      );
    },
    saving(uri, by) {
      saving.set(uri.toString(), by);
      return () => saving.delete(uri.toString());
    },
    decided({ uri, after, by }) {
      update(() => {
        putDecided(files, { uri: uri.toString(), after });
        outcomes.add([by], 'kept');
      }, 'replaced');
    },
    restored(restored) {
      update(() =>
        putRestored(
          files,
          restored.map(({ uri, after }) => ({ uri: uri.toString(), ...(after !== undefined && { after }) })),
        ),
      );
    },
  };
}

function decisionsOf({
  files,
  outcomes,
  histories,
  update,
  remember,
  writes,
  parked,
  parkedOf,
  remind,
  forgetParked: forget,
}: EditState): Pick<EditStore, 'keep' | 'undo'> {
  /**
   * Edits that were decided on are not asked about again, whatever text Git gives the file. A text that was seen
   * before a part was decided on belongs to edits that are no longer all undecided.
   */
  const forgetParked = (file: PendingFile, selection: Selection) => {
    const known = parkedOf(file.uri);
    if (selection.hunks !== undefined) return forget(known.filter((one) => !parked().includes(one)));
    const decided = chosenOrigins(file, selection);
    const isDecided = (one: EditOrigin) => decided.some((other) => sameCall(one, other));
    forget(known.filter((one) => fileOrigins(one).every(isDecided)));
  };
  return {
    keep(uri, selection = {}) {
      const key = uri.toString();
      const file = files.get(key);
      if (file === undefined) return;
      outcomes.add(chosenOrigins(file, selection), 'kept');
      forgetParked(file, selection);
      update(() => putKept(files, file, selection), 'kept');
      if (openDocument(uri)?.isDirty !== true) remind(files.get(key));
      // What is kept stays kept, whatever the editor's Undo and Redo do.
      const left = files.get(key);
      if (left === undefined) histories.delete(key);
      else histories.get(key)?.history.reset(left.text);
    },
    undo(uri, selection = {}) {
      const key = uri.toString();
      const file = files.get(key);
      const undone = file && undoneFile(file, selection);
      if (file === undefined || undone === undefined) return undefined;
      const origins = chosenOrigins(file, selection);
      const isWritten = file.kind !== 'deleted' && !undone.isGone;
      const after = isWritten ? linesOf(undone.text).join('\n') : undefined;
      const write = writes.begin(uri, { text: after, byCells: file.byCells }, () => {
        if (undone.conflicts === 0) {
          outcomes.add(origins, 'undone');
          forgetParked(file, selection);
        }
        update(() => putUndone(files, file, undone));
        remember(undone.to.uri, file.text, undone.text, file);
      });
      return { ...undone, ...write };
    },
  };
}

function chosenOrigins(file: PendingFile, { hunks, of }: Selection): EditOrigin[] {
  const isChosen = (one: Hunk) => hunks?.some(({ after }) => after.start === one.after.start) ?? true;
  const groups = groupsOf(file.text).filter((group) => group.some(isChosen));
  const origins = hunks === undefined ? fileOrigins(file) : groups.flat().flatMap((one) => one.origins);
  return origins.filter((origin) => of?.(origin) ?? true);
}
