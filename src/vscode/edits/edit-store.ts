import * as vscode from 'vscode';
import { comparedText, isByCells } from '../../edits/pending/compared-text.ts';
import type { EditOrigin } from '../../edits/pending/edit-origin.ts';
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
import { bytesOf, openDocument } from '../workspace/place-uri.ts';
import { createEditState, type EditState, type EditStateDeps } from './edit-state.ts';
import type { Announced, WriteListener } from './file-writer.ts';
import { followDocuments, takeIn } from './follow-documents.ts';
import { openInFormat, textArrives } from './open-as.ts';

export interface EditStore extends WriteListener, vscode.Disposable {
  get(uri: vscode.Uri): PendingFile | undefined;
  /** In the order of their first edit. */
  all(): readonly PendingFile[];
  /** In the text that the document has at this moment; none for a deleted file. */
  hunks(uri: vscode.Uri): readonly Hunk[];
  /** The hunks in groups that are decided on as one. */
  groups(uri: vscode.Uri): readonly (readonly Hunk[])[];
  /** The edits were decided or changed, also by typing; or a document has come to show them. */
  onDidChange: vscode.Event<void>;
  keep(uri: vscode.Uri, selection?: Selection): void;
  /** The user typed in these hunks; not told of what the editor's Undo and Redo did. */
  onDidType: vscode.Event<{ uri: vscode.Uri; hunks: readonly Hunk[] }>;
  /** Undefined when nothing of this is undecided. Nothing has happened yet: whoever writes it says so. */
  undo(uri: vscode.Uri, selection?: Selection): (Undone & Announced) | undefined;
  /** Takes in what happened to a file that is not open in an editor. Gives what of it is undecided now. */
  refresh(uri: vscode.Uri): Promise<PendingFile | undefined>;
  /** Decisions by call. */
  outcomes: Pick<EditOutcomes, 'of'>;
  /** Writes what is not on the disk yet. */
  flush(): Promise<void>;
}

/**
 * The undecided edits of this workspace; they survive a reload (`file`, undefined without a folder). Follows the documents:
 * what the user types outside of the edits is theirs and never undecided. A write counts from the moment at which its
 * document has it, so that what is drawn always belongs to the text it is drawn on.
 */
export async function createEditStore(deps: EditStateDeps): Promise<EditStore> {
  const state = await createEditState(deps);
  const { files, update } = state;
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
      if (document !== undefined) {
        if (file.byCells && !document.isDirty) await catchUp(document);
        return files.get(key);
      }
      if ((await bytesOf(uri)) === undefined) {
        update(() => (file.from === undefined ? files.delete(key) : putLost(files, file)));
        return file.from && files.get(file.from.uri);
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

/** Its other editor, with the cells, may have saved just now. */
async function catchUp(document: vscode.TextDocument): Promise<void> {
  const bytes = await bytesOf(document.uri);
  const text = comparedText({ byCells: true }, new TextDecoder().decode(bytes));
  const isIt = (one: vscode.TextDocument) => comparedText({ byCells: true }, one.getText()) === text;
  if (bytes !== undefined && !isIt(document)) await textArrives(document, isIt);
}

/** Whether the lines that are compared are those of its document. */
function hasLines({ kind, byCells }: PendingFile): boolean {
  return kind !== 'deleted' && !byCells;
}

/** Listens to writes of ours. */
function writesOf({ files, renaming, saving, update, remember, announce }: EditState): WriteListener {
  return {
    writing({ uri, ...written }) {
      const key = uri.toString();
      // Only a document tells when it has the text; what is created or deleted is told of when it is done.
      const byCells = isByCells(files.get(key), written);
      const compared = (text: string) => comparedText({ byCells }, text);
      const after = written.before === undefined ? undefined : written.after && compared(written.after);
      return announce(uri, { after, byCells }, () => {
        const before = files.get(key)?.text ?? settledText(compared(written.before ?? ''));
        update(() => putWritten(files, { ...written, uri: key }), 'replaced');
        const text = files.get(key)?.text;
        if (text !== undefined) remember(key, before, text);
      });
    },
    renaming({ from, to, text, by }) {
      const key = from.uri.toString();
      const names = { from: { ...from, uri: key }, to: { ...to, uri: to.uri.toString() } };
      const own = announce(from.uri, { after: undefined }, () => {
        renaming.delete(key);
        update(() => putRenamed(files, { ...names, text, by }), 'replaced');
      });
      renaming.set(key, own.done);
      return {
        done: own.done,
        failed() {
          renaming.delete(key);
          own.failed();
        },
      };
    },
    saving(uri, by) {
      saving.set(uri.toString(), by);
      return () => saving.delete(uri.toString());
    },
    decided({ uri, after }) {
      update(() => putDecided(files, { uri: uri.toString(), after }), 'replaced');
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
  announce,
}: EditState): Pick<EditStore, 'keep' | 'undo'> {
  return {
    keep(uri, selection = {}) {
      const key = uri.toString();
      const file = files.get(key);
      if (file === undefined) return;
      outcomes.add(chosenOrigins(file, selection), 'kept');
      update(() => putKept(files, file, selection), 'kept');
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
      const announced = announce(uri, { after, byCells: file.byCells }, () => {
        if (undone.conflicts === 0) outcomes.add(origins, 'undone');
        update(() => putUndone(files, file, undone));
        remember(undone.to.uri, file.text, undone.text, file);
      });
      return { ...undone, ...announced };
    },
  };
}

function chosenOrigins(file: PendingFile, { hunks, of }: Selection): EditOrigin[] {
  const isChosen = (one: Hunk) => hunks?.some(({ after }) => after.start === one.after.start) ?? true;
  const groups = groupsOf(file.text).filter((group) => group.some(isChosen));
  const origins = hunks === undefined ? fileOrigins(file) : groups.flat().flatMap((one) => one.origins);
  return origins.filter((origin) => of?.(origin) ?? true);
}
