import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type EditOrigin, sameOrigin } from '../../review/edit-origin.ts';
import { createEditOutcomes, type EditOutcomes } from '../../review/edit-outcomes.ts';
import { lineChangesOf } from '../../review/line-change.ts';
import { fromStored, storedOrigin, storedText, toOrigin, toStored } from '../../review/stored-text.ts';
import { createTextHistory, type TextHistory } from '../../review/text-history.ts';
import {
  fileOrigins,
  type GoneText,
  type KeptAs,
  putDecided,
  putFile,
  putKept,
  putLost,
  putMovedByUser,
  putRenamed,
  putRestored,
  putUndone,
  putWritten,
  type UndecidedFile,
  type UndecidedFiles,
  type Undone,
  undoneFile,
} from '../../review/undecided-files.ts';
import {
  type Hunk,
  hunksOf,
  linesOf,
  originsOf,
  type Selection,
  settledText,
  toLines,
  type UndecidedText,
  withTyped,
  withTypedText,
  withWritten,
} from '../../review/undecided-text.ts';
import { createStateFile, readStateFile, type StateFileDeps } from '../../storage/state-file.ts';
import { bytesOf, openDocument } from '../workspace/place-uri.ts';
import type { Announced, WriteListener } from './file-writer.ts';
import { openInFormat } from './open-as.ts';

export interface EditStore extends WriteListener, vscode.Disposable {
  get(uri: vscode.Uri): UndecidedFile | undefined;
  /** In the order of their first edit. */
  all(): readonly UndecidedFile[];
  /** Of the text that the document has at this moment; none for a deleted file. */
  hunks(uri: vscode.Uri): readonly Hunk[];
  /** The edits were decided or changed, also by typing; or a document has come to show them. */
  onDidChange: vscode.Event<void>;
  keep(uri: vscode.Uri, selection?: Selection): void;
  /** The user typed in these hunks; not told of what the editor's Undo and Redo did. */
  onDidType: vscode.Event<{ uri: vscode.Uri; hunks: readonly Hunk[] }>;
  /** Undefined when nothing of this is undecided. Nothing has happened yet: whoever writes it says so. */
  undo(uri: vscode.Uri, selection?: Selection): (Undone & Announced) | undefined;
  /** Takes in what happened to a file that is not open in an editor. Gives what of it is undecided now. */
  refresh(uri: vscode.Uri): Promise<UndecidedFile | undefined>;
  /** What became of the edits that were decided on. */
  outcomes: Pick<EditOutcomes, 'of'>;
  /** Writes what is not on the disk yet. */
  flush(): Promise<void>;
}

export interface EditStoreDeps extends StateFileDeps {
  /** Where it is kept what became of edits. */
  outcomesFile?: string;
}

const keptAs = {
  format: z.optional(z.object({ encoding: z.string(), mark: z.boolean() })),
  raw: z.optional(z.string()),
};
const name = { uri: z.string(), path: z.string() };
const storedFiles = z.array(
  z.object({
    ...name,
    kind: z.enum(['edited', 'created', 'deleted']),
    text: storedText,
    by: z.optional(storedOrigin),
    ...keptAs,
    from: z.optional(z.object(name)),
    over: z.optional(z.object({ text: storedText, by: storedOrigin, ...keptAs })),
    madeFolders: z.optional(z.array(z.string())),
  }),
);
const storedOutcomes = z.array(
  z.object({
    conversationId: z.string(),
    turnId: z.string(),
    callId: z.string(),
    outcome: z.enum(['kept', 'undone', 'partly']),
  }),
);

/** A write of ours that a document does not show yet. */
interface Awaited {
  lines: readonly string[];
  take(): void;
}

/**
 * The undecided edits of this workspace; they survive a reload (`file`, undefined without a folder). Follows the documents:
 * what the user types outside of the edits is theirs and never undecided. A write counts from the moment at which its
 * document has it, so that what is drawn always belongs to the text it is drawn on.
 */
export async function createEditStore(deps: EditStoreDeps): Promise<EditStore> {
  const files: UndecidedFiles = new Map();
  const outcomeDeps = { file: deps.outcomesFile, onError: deps.onError };
  const outcomes = createEditOutcomes(await readStateFile(outcomeDeps, storedOutcomes));
  const changed = new vscode.EventEmitter<void>();
  const typedIn = new vscode.EventEmitter<{ uri: vscode.Uri; hunks: readonly Hunk[] }>();
  const saver = createStateFile(deps, () => [...files.values()].map(toStoredFile));
  const outcomeSaver = createStateFile(outcomeDeps, outcomes.all);
  for (const file of await loadFiles(deps)) files.set(file.uri, file);
  const awaited = new Map<string, Awaited>();
  const saving = new Map<string, EditOrigin>();
  /** With the file as it was last, for when the editor's Redo brings its edits back. */
  const histories = new Map<string, { history: TextHistory; file: UndecidedFile }>();

  /** `gone`: what it means that edits are there no more. */
  const update = (act: () => void, gone: 'kept' | 'undone' | 'replaced' = 'undone') => {
    const before = [...files.values()].flatMap(fileOrigins);
    act();
    const after = [...files.values()].flatMap(fileOrigins);
    const lost = before.filter((origin) => !after.some((other) => sameOrigin(origin, other)));
    if (gone !== 'replaced' && lost.length > 0) outcomes.add(lost, gone);
    saver.schedule();
    if (gone !== 'replaced') outcomeSaver.schedule();
    changed.fire();
  };
  /** The editor's Undo leads from `text` back to `before`. */
  const remember = (key: string, before: UndecidedText, text: UndecidedText, file = files.get(key)) => {
    const known = histories.get(key);
    const history = known?.history ?? createTextHistory(before);
    history.add(text);
    const last = file ?? known?.file;
    if (last !== undefined) histories.set(key, { history, file: last });
  };
  const put = (file: UndecidedFile, text: UndecidedText, gone?: 'replaced') => {
    update(() => putFile(files, { ...file, text }), gone);
    remember(file.uri, file.text, text);
  };
  const drop = (uri: vscode.Uri) => {
    if (files.has(uri.toString())) update(() => files.delete(uri.toString()));
  };
  const announce = (uri: vscode.Uri, after: string | undefined, take: () => void): Announced => {
    const key = uri.toString();
    const own: Awaited = {
      lines: toLines(after ?? ''),
      take() {
        if (isOver) return;
        isOver = true;
        if (awaited.get(key) === own) awaited.delete(key);
        take();
      },
    };
    let isOver = false;
    if (after !== undefined) awaited.set(key, own);
    return {
      done: own.take,
      failed() {
        isOver = true;
        if (awaited.get(key) === own) awaited.delete(key);
      },
    };
  };
  const typed = (uri: vscode.Uri, text: UndecidedText, isTyping: boolean) => {
    const file = files.get(uri.toString());
    if (file === undefined) return;
    const before = linesOf(file.text);
    put(file, text);
    const hunks = isTyping ? hunksChanged(text, before) : [];
    if (hunks.length > 0) typedIn.fire({ uri, hunks });
  };
  const follow = ({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent) => {
    const key = document.uri.toString();
    if (contentChanges.length === 0 || !(files.has(key) || awaited.has(key) || histories.has(key))) return;
    const now = toLines(document.getText());
    const own = awaited.get(key);
    if (own !== undefined && isSame(own.lines, now)) return own.take();
    const known = histories.get(key);
    const earlier = reason && known?.history.go(reason === vscode.TextDocumentChangeReason.Undo ? 'undo' : 'redo', now);
    if (known !== undefined && earlier !== undefined) {
      const file = files.get(key) ?? known.file;
      outcomes.forget(originsOf(earlier));
      update(() => putFile(files, { ...file, text: earlier }));
      return;
    }
    const file = files.get(key);
    if (file === undefined || file.kind === 'deleted') return;
    // A file that was written on the disk, and the document has noticed now.
    if (isSame(linesOf(file.text), now)) return changed.fire();
    const by = saving.get(key);
    if (by !== undefined && !contentChanges.some((change) => isAtCursor(document, change))) {
      put(file, withWritten(file.text, document.getText(), by), 'replaced');
      return;
    }
    const next = withTyped(file.text, lineChangesOf(linesOf(file.text), contentChanges));
    const text = isSame(linesOf(next), now) ? next : withTypedText(file.text, document.getText());
    typed(document.uri, text, reason === undefined);
  };
  const takeIn = (uri: vscode.Uri, text: string) => {
    const file = files.get(uri.toString());
    if (file === undefined || file.kind === 'deleted' || isSame(linesOf(file.text), toLines(text))) return;
    typed(uri, withTypedText(file.text, text), false);
  };
  /** Files that the model is giving another name, by their old one. */
  const renaming = new Map<string, () => void>();
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(follow),
    // What has no file is gone with its editor, and its name goes to the next one. A document that only changes its language
    // closes as well and is open again at once.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      histories.delete(uri.toString());
      if (uri.scheme !== 'untitled' && uri.scheme !== 'vscode-notebook-cell') return;
      queueMicrotask(() => openDocument(uri) ?? drop(uri));
    }),
    // What happened while nobody looked: before the reload, or to a file without an editor.
    vscode.workspace.onDidOpenTextDocument((document) => takeIn(document.uri, document.getText())),
    // A file or folder that the user deletes is decided and one that they move goes along.
    vscode.workspace.onDidDeleteFiles((event) => {
      for (const { file } of filesUnder(files, event.files)) drop(vscode.Uri.parse(file.uri, true));
    }),
    vscode.workspace.onDidRenameFiles((event) => {
      for (const { oldUri, newUri } of event.files) {
        renaming.get(oldUri.toString())?.();
        for (const { file, rest } of filesUnder(files, [oldUri])) {
          const uri = newUri.with({ path: newUri.path + rest });
          const to = { uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) };
          update(() => putMovedByUser(files, file, to), 'replaced');
        }
      }
    }),
  );

  for (const document of vscode.workspace.textDocuments) takeIn(document.uri, document.getText());

  return {
    get: (uri) => files.get(uri.toString()),
    all: () => [...files.values()],
    hunks: (uri) => {
      const file = files.get(uri.toString());
      return file === undefined || file.kind === 'deleted' ? [] : hunksOf(file.text);
    },
    onDidChange: changed.event,
    onDidType: typedIn.event,
    outcomes,
    writing({ uri, ...written }) {
      const key = uri.toString();
      // Only a document tells when it has the text; what is created or deleted is told of when it is done.
      const after = written.before === undefined ? undefined : written.after;
      return announce(uri, after, () => {
        const before = files.get(key)?.text ?? settledText(written.before ?? '');
        update(() => putWritten(files, { ...written, uri: key }), 'replaced');
        const text = files.get(key)?.text;
        if (text !== undefined) remember(key, before, text);
      });
    },
    renaming({ from, to, text, by }) {
      const key = from.uri.toString();
      const names = { from: { ...from, uri: key }, to: { ...to, uri: to.uri.toString() } };
      const own = announce(from.uri, undefined, () => {
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
      const told = announce(uri, isWritten ? linesOf(undone.text).join('\n') : undefined, () => {
        if (undone.conflicts === 0) outcomes.add(origins, 'undone');
        update(() => putUndone(files, file, undone));
        remember(undone.to.uri, file.text, undone.text, file);
      });
      return { ...undone, ...told };
    },
    async refresh(uri) {
      const key = uri.toString();
      const file = files.get(key);
      if (file === undefined || file.kind === 'deleted' || openDocument(uri) !== undefined) return file;
      if ((await bytesOf(uri)) === undefined) {
        update(() => (file.from === undefined ? files.delete(key) : putLost(files, file)));
        return file.from && files.get(file.from.uri);
      }
      const open = file.format ? openInFormat(uri, file.format) : vscode.workspace.openTextDocument(uri);
      takeIn(uri, (await open).getText());
      return files.get(key);
    },
    async flush() {
      await saver.flush();
      await outcomeSaver.flush();
    },
    dispose() {
      subscription.dispose();
      vscode.Disposable.from(changed, typedIn).dispose();
      saver.flush().catch(deps.onError);
      outcomeSaver.flush().catch(deps.onError);
    },
  };
}

/** Who typing is told apart from a formatter by: it happens where a cursor is. */
function isAtCursor(document: vscode.TextDocument, { range }: vscode.TextDocumentContentChangeEvent): boolean {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .some(({ selections }) => selections.some((selection) => selection.intersection(range) !== undefined));
}

function hunksChanged(text: UndecidedText, before: readonly string[]): Hunk[] {
  const now = linesOf(text);
  let head = 0;
  while (head < now.length && now[head] === before[head]) head++;
  let tail = 0;
  while (tail < now.length - head && now.at(-1 - tail) === before.at(-1 - tail)) tail++;
  return hunksOf(text).filter(({ after }) => after.start < now.length - tail && after.start + after.count > head);
}

function chosenOrigins(file: UndecidedFile, { hunks, of }: Selection): EditOrigin[] {
  const origins =
    hunks === undefined
      ? fileOrigins(file)
      : hunksOf(file.text)
          .filter((one) => hunks.some(({ after }) => after.start === one.after.start))
          .flatMap((one) => one.origins);
  return origins.filter((origin) => of?.(origin) ?? true);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  // An empty text has no line, or an empty one.
  const [own, others] = [one, other].map((lines) => (lines.length === 0 ? [''] : lines));
  return own?.length === others?.length && (own?.every((line, at) => line === others?.[at]) ?? true);
}

/** Files that are there, with their path from the one of `uris` that they are or are in. */
function filesUnder(
  files: ReadonlyMap<string, UndecidedFile>,
  uris: readonly vscode.Uri[],
): { file: UndecidedFile; rest: string }[] {
  const there = [...files.values()].filter(({ kind }) => kind !== 'deleted');
  return there.flatMap((file) => {
    const own = vscode.Uri.parse(file.uri, true);
    const above = uris.find(
      ({ scheme, authority, path: folder }) =>
        scheme === own.scheme &&
        authority === own.authority &&
        (own.path === folder || own.path.startsWith(`${folder}/`)),
    );
    return above === undefined ? [] : [{ file, rest: own.path.slice(above.path.length) }];
  });
}

async function loadFiles(deps: StateFileDeps): Promise<UndecidedFile[]> {
  const gone = ({ text, by, ...kept }: NonNullable<z.infer<typeof storedFiles>[number]['over']>): GoneText => ({
    text: fromStored(text),
    by: toOrigin(by),
    ...toKeptAs(kept),
  });
  return (await readStateFile(deps, storedFiles)).map(
    ({ uri, path, kind, text, by, format, raw, from, over, madeFolders }) => ({
      uri,
      path,
      kind,
      text: fromStored(text),
      ...(by && { by: toOrigin(by) }),
      ...toKeptAs({ format, raw }),
      ...(from && { from }),
      ...(over && { over: gone(over) }),
      ...(madeFolders && { madeFolders }),
    }),
  );
}

function toKeptAs({ format, raw }: { [Key in keyof KeptAs]: KeptAs[Key] | undefined }): KeptAs {
  return { ...(format && { format }), ...(raw !== undefined && { raw }) };
}

function toStoredFile({ text, over, ...file }: UndecidedFile) {
  return { ...file, text: toStored(text), ...(over && { over: { ...over, text: toStored(over.text) } }) };
}
