import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { dropOldest } from '../../base/drop-oldest.ts';
import { type EditOrigin, sameCall } from '../../edits/pending/edit-origin.ts';
import { createEditOutcomes, type EditOutcomes } from '../../edits/pending/edit-outcomes.ts';
import type { Hunk, PendingText } from '../../edits/pending/hunks.ts';
import {
  fileOrigins,
  type GoneText,
  type PendingFile,
  type PendingFiles,
  putFile,
} from '../../edits/pending/pending-files.ts';
import { currentText } from '../../edits/pending/pending-text.ts';
import { fromStored, storedOrigin, storedText, toStored } from '../../edits/pending/stored-text.ts';
import { createTextHistory, type TextHistory } from '../../edits/pending/text-history.ts';
import { openStateFile, type StateFileDeps } from '../../storage/state-file.ts';
import { createPendingWrites, type PendingWrites } from './pending-write.ts';

export interface EditStateDeps extends StateFileDeps {
  outcomesFile?: string;
}

const maxParked = 200;

/**
 * Holds the pending edits of this window and stores them after each change. It learns of documents only through its
 * methods.
 */
export interface EditState extends vscode.Disposable {
  files: PendingFiles;
  outcomes: EditOutcomes;
  writes: PendingWrites;
  saving: Map<string, EditOrigin>;
  /**
   * Holds the texts that the editor's Undo and Redo lead to, with the last state of the file, so that Redo can
   * restore its edits.
   */
  histories: Map<string, { history: TextHistory; file: PendingFile }>;
  onDidChange: vscode.Event<void>;
  onDidType: vscode.Event<{ uri: vscode.Uri; hunks: readonly Hunk[] }>;
  changed(): void;
  typed(uri: vscode.Uri, hunks: readonly Hunk[]): void;
  update(act: () => void, gone?: 'kept' | 'undone' | 'replaced'): void;
  remember(key: string, before: PendingText, text: PendingText, file?: PendingFile): void;
  put(file: PendingFile, text: PendingText, gone?: 'replaced'): void;
  drop(uri: vscode.Uri): void;
  /**
   * Returns the edits that Git or another program may bring back, each with the text that it belongs to, of one file or
   * of all; they are undecided and shown nowhere.
   */
  parkedOf(uri?: string): readonly PendingFile[];
  /** Returns, of each file, only the edits that were taken away last. */
  parked(): readonly PendingFile[];
  park(file: PendingFile): void;
  /** Remembers the edits of a text that Git may give the file again, for as long as this window is open. */
  remind(file: PendingFile | undefined): void;
  /** Brings parked edits back, and parks what is pending of the file. */
  bringBack(file: PendingFile): void;
  forgetParked(files: readonly PendingFile[]): void;
  flush(): Promise<void>;
}

export async function createEditState(deps: EditStateDeps): Promise<EditState> {
  const stored = await openStateFile(deps, storedFile);
  const loaded = stored.stored.map(toPendingFile);
  const files: PendingFiles = new Map(loaded.flatMap(({ file, isAway }) => (isAway ? [] : [[file.uri, file]])));
  const parked = new Map(loaded.flatMap(({ file, isAway }) => (isAway ? [[parkedKey(file), file]] : [])));
  const storedOutcomes = await openStateFile({ file: deps.outcomesFile, onError: deps.onError }, storedOutcome);
  const outcomes = createEditOutcomes(storedOutcomes.stored);
  const changed = new vscode.EventEmitter<void>();
  const typedIn = new vscode.EventEmitter<{ uri: vscode.Uri; hunks: readonly Hunk[] }>();
  const saver = stored.follow(() => [
    ...[...files.values()].map(toStoredFile),
    ...[...parked.values()].map((file) => ({ ...toStoredFile(file), parked: true })),
  ]);
  const outcomeSaver = storedOutcomes.follow(outcomes.all);
  const histories: EditState['histories'] = new Map();
  const update: EditState['update'] = (act, gone = 'undone') => {
    const before = [...files.values()].flatMap(fileOrigins);
    act();
    const after = [...files.values()].flatMap(fileOrigins);
    const lost = before.filter((origin) => !after.some((other) => sameCall(origin, other)));
    if (gone !== 'replaced' && lost.length > 0) outcomes.add(lost, gone);
    saver.schedule();
    if (gone !== 'replaced') outcomeSaver.schedule();
    changed.fire();
  };
  const remember: EditState['remember'] = (key, before, text, file = files.get(key)) => {
    const known = histories.get(key);
    const history = known?.history ?? createTextHistory(before);
    history.add(text);
    const last = file ?? known?.file;
    if (last !== undefined) histories.set(key, { history, file: last });
  };
  const seen = new Map<string, PendingFile>();
  return {
    files,
    outcomes,
    writes: createPendingWrites(),
    saving: new Map(),
    histories,
    onDidChange: changed.event,
    onDidType: typedIn.event,
    changed: () => changed.fire(),
    typed: (uri, hunks) => typedIn.fire({ uri, hunks }),
    update,
    remember,
    put(file, text, gone) {
      update(() => putFile(files, { ...file, text }), gone);
      remember(file.uri, file.text, text, files.get(file.uri) ?? file);
    },
    drop(uri) {
      if (files.has(uri.toString())) update(() => files.delete(uri.toString()));
    },
    parkedOf: (uri) => [...seen.values(), ...parked.values()].filter((file) => file.uri === (uri ?? file.uri)),
    parked: () => [...parked.values()],
    park(file) {
      putLast(parked, file);
      update(() => files.delete(file.uri), 'replaced');
    },
    remind(file) {
      if (file !== undefined) putLast(seen, file);
    },
    bringBack(file) {
      const there = files.get(file.uri);
      parked.delete(parkedKey(file));
      if (there !== undefined) putLast(parked, there);
      update(() => files.set(file.uri, file), 'replaced');
    },
    forgetParked(gone) {
      for (const key of gone.map(parkedKey)) for (const some of [seen, parked]) some.delete(key);
    },
    async flush() {
      await saver.flush();
      await outcomeSaver.flush();
    },
    dispose() {
      vscode.Disposable.from(changed, typedIn).dispose();
      saver.flush().catch(deps.onError);
      outcomeSaver.flush().catch(deps.onError);
    },
  };
}

function putLast(files: Map<string, PendingFile>, file: PendingFile): void {
  files.delete(parkedKey(file));
  files.set(parkedKey(file), file);
  dropOldest(files, maxParked);
}

function parkedKey({ uri, text }: PendingFile): string {
  return `${uri}\n${currentText(text)}`;
}

const keptAs = {
  format: z.optional(z.object({ encoding: z.string(), mark: z.boolean() })),
  raw: z.optional(z.string()),
  byCells: z.optional(z.boolean()),
};
const name = { uri: z.string(), path: z.string() };
const storedFile = z.object({
  ...name,
  kind: z.enum(['edited', 'created', 'deleted']),
  text: storedText,
  by: z.optional(storedOrigin),
  ...keptAs,
  from: z.optional(z.object(name)),
  over: z.optional(z.object({ text: storedText, by: storedOrigin, ...keptAs })),
  madeFolders: z.optional(z.array(z.string())),
  parked: z.optional(z.boolean()),
});
type StoredFile = z.infer<typeof storedFile>;
const storedOutcome = z.object({
  conversationId: z.string(),
  turnId: z.string(),
  callId: z.string(),
  outcome: z.enum(['kept', 'undone', 'partly']),
  kept: z.optional(z.array(z.number())),
  undone: z.optional(z.array(z.number())),
});

function toPendingFile({ text, over, parked = false, ...rest }: StoredFile): { file: PendingFile; isAway: boolean } {
  const gone = ({ text, ...kept }: NonNullable<StoredFile['over']>): GoneText => ({ text: fromStored(text), ...kept });
  return { isAway: parked, file: { ...rest, text: fromStored(text), ...(over && { over: gone(over) }) } };
}

function toStoredFile({ text, over, ...file }: PendingFile) {
  return { ...file, text: toStored(text), ...(over && { over: { ...over, text: toStored(over.text) } }) };
}
