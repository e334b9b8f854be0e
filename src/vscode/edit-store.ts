import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { LineHunk } from '../tools/line-diff.ts';
import type { WriteListener, WrittenFile } from './file-writer.ts';
import {
  hunksTyped,
  type PendingText,
  pendingHunks,
  startPending,
  toLines,
  withAgentChange,
  withAllUndone,
  withEachUndone,
  withKept,
  withUserChange,
} from './pending-text.ts';
import { bytesOf, openDocument } from './place-uri.ts';
import { createStateFile, readStateFile, type StateFileDeps } from './state-file.ts';

/** One file with edits that nobody has decided on. */
export interface PendingFile {
  uri: vscode.Uri;
  /** As displayed. */
  path: string;
  kind: 'edited' | 'created' | 'deleted';
  text: PendingText;
  /** Of a deleted file: an open document knows its own. */
  lineEnd?: '\r\n';
}

/** What undoing makes of a file; `done` is called once the document has that text. */
export interface Undoing {
  text: string;
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
  /** Takes in what happened to a file that is not open in an editor. */
  refresh(uri: vscode.Uri): Promise<void>;
  /** Writes what is not on the disk yet. */
  flush(): Promise<void>;
}

const lines = z.string();
const storedFiles = z.array(
  z.object({
    uri: z.string(),
    path: z.string(),
    kind: z.enum(['edited', 'created', 'deleted']),
    base: lines,
    agent: lines,
    current: lines,
    lineEnd: z.optional(z.literal('\r\n')),
  }),
);

/**
 * The undecided edits of this workspace; they survive a reload (`file`, undefined without a folder). Follows the documents:
 * what the user types outside of the edits is theirs and never pending.
 */
export async function createEditStore(deps: StateFileDeps): Promise<EditStore> {
  const files = new Map<string, PendingFile>();
  const changed = new vscode.EventEmitter<void>();
  const typedIn = new vscode.EventEmitter<{ uri: vscode.Uri; hunks: readonly LineHunk[] }>();
  const saver = createStateFile(deps, () => [...files.values()].map(toStored));
  for (const file of await loadFiles(deps)) files.set(file.uri.toString(), file);

  const set = (file: PendingFile) => {
    const isOver = file.kind === 'edited' && pendingHunks(file.text).length === 0;
    if (isOver) files.delete(file.uri.toString());
    else files.set(file.uri.toString(), file);
    saver.schedule();
    changed.fire();
  };
  const drop = (uri: vscode.Uri) => {
    if (!files.delete(uri.toString())) return;
    saver.schedule();
    changed.fire();
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
          drop(file.uri);
          const uri = newUri.with({ path: newUri.path + rest });
          set({ ...file, uri, path: vscode.workspace.asRelativePath(uri) });
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
    written(file) {
      const key = file.uri.toString();
      const known = files.get(key);
      const next = afterWrite(known, file);
      if (next === undefined) drop(file.uri);
      else set(next);
      return () => {
        if (known === undefined) drop(file.uri);
        else set(known);
      };
    },
    decided({ uri, after }) {
      const known = files.get(uri.toString());
      if (known === undefined) return;
      if (after === undefined) return drop(uri);
      const text = withUserChange(known.text, toLines(after));
      set({ ...known, kind: known.kind === 'deleted' ? 'edited' : known.kind, text });
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
      return {
        text: undone.pending.current.join(''),
        conflicts: undone.conflicts,
        // The document's own event came before and took this for typing; this says what it was.
        done: () => set({ ...file, text: undone.pending }),
      };
    },
    async refresh(uri) {
      if (openDocument(uri) !== undefined) return;
      const file = files.get(uri.toString());
      if (file === undefined || file.kind === 'deleted') return;
      if ((await bytesOf(uri)) === undefined) return drop(uri);
      typed(uri, (await vscode.workspace.openTextDocument(uri)).getText());
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

/** Undefined: the model took back what it had made. */
function afterWrite(
  known: PendingFile | undefined,
  { uri, path: shown, before, after }: WrittenFile,
): PendingFile | undefined {
  const file = { uri, path: shown };
  if (after === undefined) {
    if (known?.kind === 'created') return undefined;
    const base = known?.text.base ?? toLines(before ?? '');
    const ends = before?.includes('\r\n') ? { lineEnd: '\r\n' as const } : {};
    return { ...file, kind: 'deleted', text: { base, agent: [], current: [] }, ...ends };
  }
  if (known === undefined) {
    return { ...file, kind: before === undefined ? 'created' : 'edited', text: startPending(before ?? '', after) };
  }
  if (known.kind === 'deleted') return { ...file, kind: 'edited', text: startPending(known.text.base.join(''), after) };
  const caughtUp = before === undefined ? known.text : withUserChange(known.text, toLines(before));
  return { ...known, text: withAgentChange(caughtUp, toLines(after)) };
}

async function loadFiles(deps: StateFileDeps): Promise<PendingFile[]> {
  const stored = await readStateFile(deps, storedFiles);
  return stored.map(({ uri, path: shown, kind, base, agent, current, lineEnd }) => ({
    uri: vscode.Uri.parse(uri, true),
    path: shown,
    kind,
    ...(lineEnd && { lineEnd }),
    text: { base: toLines(base), agent: toLines(agent), current: toLines(current) },
  }));
}

function toStored({ uri, path: shown, kind, lineEnd, text: { base, agent, current } }: PendingFile) {
  return {
    uri: uri.toString(),
    path: shown,
    kind,
    lineEnd,
    base: base.join(''),
    agent: agent.join(''),
    current: current.join(''),
  };
}
