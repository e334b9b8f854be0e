import * as vscode from 'vscode';
import { toLines } from '../../edits/pending/pending-text.ts';
import { bytesOf } from '../workspace/place-uri.ts';
import { addReplacement } from './replace-text.ts';

/**
 * A write that has begun. It counts with the text that it leads to: a document that shows this text commits it, because
 * events come before results, and else its writer. Exactly one of the two counts; a second call does nothing.
 */
export interface PendingWrite {
  commit(): void;
  abort(): void;
}

/** A missing `text` means that no document will show what is written: the file is made, deleted or renamed. */
export interface ExpectedText {
  text?: string | undefined;
  byCells?: boolean | undefined;
  isRename?: boolean;
}

interface Begun extends PendingWrite {
  expected: ExpectedText;
  lines: readonly string[] | undefined;
}

export interface PendingWrites {
  begin(uri: vscode.Uri, expected: ExpectedText, onCommit: () => void): PendingWrite;
  get(uri: vscode.Uri): Begun | undefined;
}

/** Holds at most one write for each file, the one that began last. */
export function createPendingWrites(): PendingWrites {
  const begun = new Map<string, Begun>();
  return {
    get: (uri) => begun.get(uri.toString()),
    begin(uri, expected, onCommit) {
      const key = uri.toString();
      let isOver = false;
      const abort = () => {
        isOver = true;
        if (begun.get(key)?.expected === expected) begun.delete(key);
      };
      const commit = () => {
        if (isOver) return;
        abort();
        onCommit();
      };
      const lines = expected.text === undefined ? undefined : toLines(expected.text);
      begun.set(key, { expected, lines, commit, abort });
      return { commit, abort };
    },
  };
}

/** Begins before writing, because the events of a write come before its result. Rejects as `act` does. */
export async function committed<T>(begin: () => PendingWrite, act: () => Thenable<T>): Promise<T> {
  const write = begin();
  try {
    const result = await act();
    write.commit();
    return result;
  } catch (error) {
    write.abort();
    throw error;
  }
}

/**
 * Compares what came of a write: saving may write other bytes, because the editor unifies line ends and a formatter has
 * its own opinion. Afterwards the file has these bytes. Rejects when it cannot be read or written.
 */
export async function ensureBytes(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const now = await bytesOf(uri);
  if (now === undefined || Buffer.compare(now, bytes) !== 0) await vscode.workspace.fs.writeFile(uri, bytes);
}

/** Gives a document this text in one step of its Undo. Resolves with false when VS Code did not apply it. */
export async function replaceText(
  document: vscode.TextDocument,
  text: string,
  begin: () => PendingWrite,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  addReplacement(edit, document, text);
  const write = begin();
  const isApplied = await vscode.workspace.applyEdit(edit);
  if (isApplied) write.commit();
  else write.abort();
  return isApplied;
}
