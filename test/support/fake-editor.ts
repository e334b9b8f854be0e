import {
  EventEmitter,
  FileSystemError,
  FileType,
  Position,
  Range,
  type Uri,
  type WorkspaceEdit,
  workspace,
} from './fake-vscode.ts';

interface TextChange {
  range: Range;
  text: string;
}

/** What saving does to a text, as formatters and the settings of an editor do. */
export type OnSave = (text: string) => string;

class Document {
  readonly uri: Uri;
  readonly languageId = 'plaintext';
  readonly isUntitled = false;
  readonly encoding = 'utf8';
  isClosed = false;
  isDirty = false;
  lines: string[];
  readonly save: () => Promise<boolean>;
  constructor(uri: Uri, text: string, save: (document: Document) => Promise<boolean>) {
    this.uri = uri;
    this.lines = text.split('\n');
    this.save = () => save(this);
  }
  get lineCount() {
    return this.lines.length;
  }
  getText = () => this.lines.join('\n');
  lineAt = (line: number) => ({ text: this.lines[line] ?? '' });
  at({ line, character }: Position): Position {
    const last = this.lines.length - 1;
    if (line > last) return new Position(last, (this.lines[last] ?? '').length);
    return new Position(line, Math.min(character, (this.lines[line] ?? '').length));
  }
  validateRange = ({ start, end }: Range) => new Range(this.at(start), this.at(end));
  /** All places count in the text before the first of them. */
  replace(changes: readonly TextChange[]) {
    const offset = ({ line, character }: Position) =>
      this.lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
    const placed = changes.map(({ range, text }) => ({ from: offset(range.start), to: offset(range.end), text }));
    const text = placed
      .toSorted((one, other) => other.from - one.from)
      .reduce((all, { from, to, text: fresh }) => all.slice(0, from) + fresh + all.slice(to), this.getText());
    this.lines = text.split('\n');
  }
}

/**
 * Documents and files in memory, with the events that VS Code gives of them and in its order: a program writes a file,
 * the editor reads it again, and watchers hear of it, before or after.
 */
export function createFakeEditor({ onSave, areWatchersFirst }: { onSave: OnSave; areWatchersFirst: boolean }) {
  const disk = new Map<string, string>();
  const documents: Document[] = [];
  const [changed, opened, saved, closed, deleted, renamed] = Array.from(
    { length: 6 },
    () => new EventEmitter<unknown>(),
  );
  const watchers = {
    create: new EventEmitter<Uri>(),
    change: new EventEmitter<Uri>(),
    delete: new EventEmitter<Uri>(),
  };
  const openAt = (uri: Uri) => documents.find((one) => !one.isClosed && one.uri.toString() === uri.toString());

  function change(document: Document, contentChanges: readonly TextChange[], isDirty: boolean) {
    if (contentChanges.length === 0) return;
    const { line: last } = contentChanges.at(-1)?.range.start ?? { line: 0 };
    const isInOrder = (contentChanges[0]?.range.start.line ?? 0) < last;
    document.replace(contentChanges);
    document.isDirty = isDirty;
    // The last place comes first.
    changed?.fire({
      document,
      contentChanges: isInOrder ? contentChanges.toReversed() : contentChanges,
      reason: undefined,
    });
  }

  /** The lines that differ, as one change; lines that only change within, as one each. */
  function changesTo(document: Document, text: string): TextChange[] {
    const [before, after] = [document.lines, text.split('\n')];
    const endOf = (line: number) => new Position(line, (before[line] ?? '').length);
    const shorter = Math.min(before.length, after.length);
    if (before.length === after.length) {
      return before.flatMap((line, at) =>
        line === after[at] ? [] : [{ range: new Range(new Position(at, 0), endOf(at)), text: after[at] ?? '' }],
      );
    }
    let head = 0;
    while (head < shorter && before[head] === after[head]) head++;
    let tail = 0;
    while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
    if (tail > 0) {
      const range = new Range(new Position(head, 0), new Position(before.length - tail, 0));
      return [
        {
          range,
          text: after
            .slice(head, after.length - tail)
            .map((line) => `${line}\n`)
            .join(''),
        },
      ];
    }
    const from = head > 0 ? endOf(head - 1) : new Position(0, 0);
    const fresh = after.slice(head);
    const added = head > 0 ? fresh.map((line) => `\n${line}`).join('') : fresh.join('\n');
    return [{ range: new Range(from, endOf(before.length - 1)), text: added }];
  }

  async function save(document: Document): Promise<boolean> {
    await undefined;
    if (document.isClosed) return false;
    if (!document.isDirty) return true;
    const formatted = onSave(document.getText());
    change(document, changesTo(document, formatted.replace(/\n$/, document.lines.at(-1) === '' ? '\n' : '')), true);
    change(document, changesTo(document, formatted), true);
    await undefined;
    write(document.uri, document.getText(), document);
    document.isDirty = false;
    saved?.fire(document);
    return true;
  }

  /** A program, Git or this editor (`by`) writes the file, or takes it away. */
  function write(uri: Uri, text: string | undefined, by?: Document) {
    const wasThere = disk.has(uri.path);
    if (text === undefined) disk.delete(uri.path);
    else disk.set(uri.path, text);
    const watched = () => {
      if (text === undefined) {
        if (wasThere) watchers.delete.fire(uri);
      } else (wasThere ? watchers.change : watchers.create).fire(uri);
    };
    if (areWatchersFirst) watched();
    const document = openAt(uri);
    // An editor keeps the text of a file that is gone, and what is not saved.
    if (document !== undefined && document !== by && !document.isDirty && text !== undefined) {
      change(document, changesTo(document, text), false);
    }
    if (!areWatchersFirst) watched();
  }

  const readFile = async ({ path }: Uri) => {
    const text = disk.get(path);
    if (text === undefined) throw new FileSystemError(path);
    return Buffer.from(text);
  };
  const openTextDocument = async (uri: Uri) => {
    const known = openAt(uri);
    if (known !== undefined) return known;
    const document = new Document(uri, (await readFile(uri)).toString(), save);
    documents.push(document);
    opened?.fire(document);
    return document;
  };
  function close(uri: Uri) {
    const document = openAt(uri);
    if (document === undefined || document.isDirty) return;
    document.isClosed = true;
    documents.splice(documents.indexOf(document), 1);
    closed?.fire(document);
  }

  Object.assign(workspace, {
    notebookDocuments: [],
    fs: {
      readFile,
      writeFile: async (uri: Uri, bytes: Uint8Array) => write(uri, Buffer.from(bytes).toString()),
      stat: async (uri: Uri) => ({ type: FileType.File, size: (await readFile(uri)).length }),
      isWritableFileSystem: () => true,
    },
    onDidChangeTextDocument: changed?.event,
    onDidOpenTextDocument: opened?.event,
    onDidSaveTextDocument: saved?.event,
    onDidCloseTextDocument: closed?.event,
    onDidDeleteFiles: deleted?.event,
    onDidRenameFiles: renamed?.event,
    createFileSystemWatcher: () => ({
      onDidCreate: watchers.create.event,
      onDidChange: watchers.change.event,
      onDidDelete: watchers.delete.event,
      dispose: () => undefined,
    }),
    openTextDocument,
    textDocuments: documents,
    async applyEdit({ replaced, files }: WorkspaceEdit) {
      for (const [uri, all] of Map.groupBy(replaced, (one) => one.uri)) change(await openTextDocument(uri), all, true);
      for (const { uri, contents } of files) {
        write(uri, contents && Buffer.from(contents).toString());
        if (contents !== undefined) continue;
        close(uri);
        deleted?.fire({ files: [uri] });
      }
      return true;
    },
  });

  return {
    write,
    close,
    open: openTextDocument,
    onDisk: (uri: Uri) => disk.get(uri.path),
    openAt,
    type(uri: Uri, changes: readonly TextChange[]) {
      const document = openAt(uri);
      if (document !== undefined) change(document, changes, true);
    },
    /** Everything that follows from what happened has happened. */
    async settled() {
      for (let tick = 0; tick < 40; tick++) await undefined;
    },
  };
}
