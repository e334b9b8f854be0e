import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { LineHunk } from '../tools/line-diff.ts';
import type { WriteListener } from './file-writer.ts';
import {
  type FileName,
  type PendingFile,
  type PendingFiles,
  putDecided,
  putLost,
  putMovedByUser,
  putPending,
  putRenamed,
  putRestored,
  putUndone,
  putWritten,
} from './pending-files.ts';
import {
  hunksTyped,
  pendingHunks,
  toLines,
  withAllUndone,
  withEachUndone,
  withKept,
  withUserChange,
} from './pending-text.ts';
import { bytesOf, openDocument } from './place-uri.ts';
import { createStateFile, readStateFile, type StateFileDeps } from './state-file.ts';

/** What undoing makes of a file; `done` is called once the document has that text and the file that name. */
export interface Undoing {
  text: string;
  to: FileName;
  /** Edits that stay, because the user changed the same lines. */
  conflicts: number;
  done(): void;
}

export interface EditStore extends WriteListener, vscode.Disposable {
  get(uri: vscode.Uri): PendingFile | undefined;
  /** In the order of their first edit. */
  all(): readonly PendingFile[];
  hunks(uri: vscode.Uri): readonly LineHunk[];
  /** The edits were decided or changed, also by typing. */
  onDidChange: vscode.Event<void>;
  /** The hunk stays. Without one: all of the file. */
  keep(uri: vscode.Uri, hunk?: LineHunk): void;
  /** The user typed in these hunks; not told of what the editor's Undo and Redo did. */
  onDidType: vscode.Event<{ uri: vscode.Uri; hunks: readonly LineHunk[] }>;
  /** Without hunks: all of the file. Undefined when nothing is pending. */
  undo(uri: vscode.Uri, hunks?: readonly LineHunk[]): Undoing | undefined;
  /** Takes in what happened to a file that is not open in an editor. Gives what of it is undecided now. */
  refresh(uri: vscode.Uri): Promise<PendingFile | undefined>;
  /** Writes what is not on the disk yet. */
  flush(): Promise<void>;
}

const lines = z.string();
const lineEnd = z.optional(z.literal('\r\n'));
const name = { uri: z.string(), path: z.string() };
const storedFiles = z.array(
  z.object({
    ...name,
    kind: z.enum(['edited', 'created', 'deleted']),
    base: lines,
    agent: lines,
    current: lines,
    lineEnd,
    from: z.optional(z.object(name)),
    over: z.optional(z.object({ base: lines, lineEnd })),
  }),
);

/**
 * The undecided edits of this workspace; they survive a reload (`file`, undefined without a folder). Follows the documents:
 * what the user types outside of the edits is theirs and never pending.
 */
export async function createEditStore(deps: StateFileDeps): Promise<EditStore> {
  const files: PendingFiles = new Map();
  const changed = new vscode.EventEmitter<void>();
  const typedIn = new vscode.EventEmitter<{ uri: vscode.Uri; hunks: readonly LineHunk[] }>();
  const saver = createStateFile(deps, () => [...files.values()].map(toStored));
  for (const file of await loadFiles(deps)) files.set(file.uri.toString(), file);

  const tell = () => {
    saver.schedule();
    changed.fire();
  };
  const set = (file: PendingFile) => {
    putPending(files, file);
    tell();
  };
  const drop = (uri: vscode.Uri) => {
    if (files.delete(uri.toString())) tell();
  };
  /** Gives what takes it back, and nothing that happened to other files since. */
  const take = (news: () => void) => {
    const before = new Map(files);
    news();
    tell();
    const touched = [...new Set([...before.keys(), ...files.keys()])].filter(
      (key) => before.get(key) !== files.get(key),
    );
    return () => {
      for (const key of touched) {
        const known = before.get(key);
        if (known === undefined) files.delete(key);
        else files.set(key, known);
      }
      tell();
    };
  };
  const typed = (uri: vscode.Uri, text: string, isTyping = false) => {
    const file = files.get(uri.toString());
    if (file === undefined || file.kind === 'deleted') return;
    const next = toLines(text);
    if (next.join('') === file.text.current.join('')) return;
    const changed = withUserChange(file.text, next);
    set({ ...file, text: changed });
    const hunks = isTyping ? hunksTyped(changed, file.text.current) : [];
    if (hunks.length > 0) typedIn.fire({ uri, hunks });
  };
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      if (contentChanges.length > 0) typed(document.uri, document.getText(), reason === undefined);
    }),
    // What has no file is gone with its editor, and its name goes to the next one. A document that only changes its language
    // closes as well and is open again at once.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme !== 'untitled' && uri.scheme !== 'vscode-notebook-cell') return;
      queueMicrotask(() => openDocument(uri) ?? drop(uri));
    }),
    // What happened while nobody looked: before the reload, or to a file without an editor.
    vscode.workspace.onDidOpenTextDocument((document) => typed(document.uri, document.getText())),
    // A file or folder that the user deletes is decided and one that they move goes along. What the model deleted or moved is
    // known as such already.
    vscode.workspace.onDidDeleteFiles((event) => {
      for (const { file } of filesUnder(files, event.files)) drop(file.uri);
    }),
    vscode.workspace.onDidRenameFiles((event) => {
      for (const { oldUri, newUri } of event.files) {
        for (const { file, rest } of filesUnder(files, [oldUri])) {
          const uri = newUri.with({ path: newUri.path + rest });
          putMovedByUser(files, file, { uri, path: vscode.workspace.asRelativePath(uri) });
          tell();
        }
      }
    }),
  );

  for (const document of vscode.workspace.textDocuments) typed(document.uri, document.getText());

  return {
    get: (uri) => files.get(uri.toString()),
    all: () => [...files.values()],
    hunks: (uri) => hunksOf(files.get(uri.toString())),
    onDidChange: changed.event,
    onDidType: typedIn.event,
    written: (file) => take(() => putWritten(files, file)),
    renamed: (from, to, text) => take(() => putRenamed(files, from, to, text)),
    decided(file) {
      putDecided(files, file);
      tell();
    },
    restored(restored) {
      putRestored(files, restored);
      tell();
    },
    keep(uri, hunk) {
      const file = files.get(uri.toString());
      if (file === undefined) return;
      if (hunk === undefined || file.kind !== 'edited') drop(uri);
      else set({ ...file, text: withKept(file.text, hunk) });
    },
    undo(uri, hunks) {
      const file = files.get(uri.toString());
      if (file === undefined) return undefined;
      const undone = hunks === undefined ? withAllUndone(file.text) : withEachUndone(file.text, hunks);
      const to = hunks === undefined ? (file.from ?? file) : file;
      return {
        text: undone.pending.current.join(''),
        to,
        conflicts: undone.conflicts,
        // The document's own event came before and took this for typing; this says what it was.
        done() {
          putUndone(files, file, undone.pending, to);
          tell();
        },
      };
    },
    async refresh(uri) {
      const file = files.get(uri.toString());
      if (file === undefined || file.kind === 'deleted' || openDocument(uri) !== undefined) return file;
      if ((await bytesOf(uri)) === undefined) {
        if (file.from === undefined) files.delete(uri.toString());
        else putLost(files, file);
        tell();
        return file.from && files.get(file.from.uri.toString());
      }
      typed(uri, (await vscode.workspace.openTextDocument(uri)).getText());
      return files.get(uri.toString());
    },
    flush: saver.flush,
    dispose() {
      subscription.dispose();
      vscode.Disposable.from(changed, typedIn).dispose();
      saver.flush().catch(deps.onError);
    },
  };
}

/** Files that are there, with their path from the one of `uris` that they are or are in. */
function filesUnder(
  files: ReadonlyMap<string, PendingFile>,
  uris: readonly vscode.Uri[],
): { file: PendingFile; rest: string }[] {
  const there = [...files.values()].filter(({ kind }) => kind !== 'deleted');
  return there.flatMap((file) => {
    const above = uris.find(
      ({ scheme, authority, path: folder }) =>
        scheme === file.uri.scheme &&
        authority === file.uri.authority &&
        (file.uri.path === folder || file.uri.path.startsWith(`${folder}/`)),
    );
    return above === undefined ? [] : [{ file, rest: file.uri.path.slice(above.path.length) }];
  });
}

function hunksOf(file: PendingFile | undefined): readonly LineHunk[] {
  return file === undefined || file.kind === 'deleted' ? [] : pendingHunks(file.text);
}

async function loadFiles(deps: StateFileDeps): Promise<PendingFile[]> {
  const stored = await readStateFile(deps, storedFiles);
  return stored.map(({ uri, path: shown, kind, base, agent, current, lineEnd, from, over }) => ({
    uri: vscode.Uri.parse(uri, true),
    path: shown,
    kind,
    ...(lineEnd && { lineEnd }),
    ...(from && { from: { uri: vscode.Uri.parse(from.uri, true), path: from.path } }),
    ...(over && { over: { base: toLines(over.base), ...(over.lineEnd && { lineEnd: over.lineEnd }) } }),
    text: { base: toLines(base), agent: toLines(agent), current: toLines(current) },
  }));
}

function toStored({ uri, path: shown, kind, lineEnd, from, over, text: { base, agent, current } }: PendingFile) {
  return {
    uri: uri.toString(),
    path: shown,
    kind,
    lineEnd,
    base: base.join(''),
    agent: agent.join(''),
    current: current.join(''),
    from: from && { uri: from.uri.toString(), path: from.path },
    over: over && { base: over.base.join(''), lineEnd: over.lineEnd },
  };
}
