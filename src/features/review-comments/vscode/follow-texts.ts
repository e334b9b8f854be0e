import * as vscode from 'vscode';
import { lineChangesOf } from '../../../edits/pending/line-change.ts';
import type { LineChange } from '../../../edits/pending/row-changes.ts';
import type { Anchored } from '../core/anchored.ts';

interface StoreOfLines {
  all(): readonly Anchored[];
  follow(uri: string, before: readonly string[], change: LineChange): void;
  find(uri: string, text: readonly string[]): void;
}

export interface FollowedTexts extends vscode.Disposable {
  linesOf(uri: string): readonly string[] | undefined;
  refresh(): void;
}

/**
 * Keeps the stored entries at their lines while documents change, because VS Code never reports where its threads
 * moved.
 */
export function followTexts(store: StoreOfLines, onMoved: () => void): FollowedTexts {
  const texts = new Map<string, readonly string[]>();
  const isStored = (uri: string) => store.all().some((one) => one.uri === uri);
  const refresh = () => {
    for (const document of vscode.workspace.textDocuments) {
      const uri = document.uri.toString();
      if (texts.has(uri) || !isStored(uri)) continue;
      const lines = linesOfDocument(document);
      texts.set(uri, lines);
      store.find(uri, lines);
    }
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (isStored(uri.toString())) onMoved();
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void texts.delete(uri.toString())),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const uri = document.uri.toString();
      const before = texts.get(uri);
      if (before === undefined || contentChanges.length === 0) return;
      let lines = before;
      for (const change of lineChangesOf(before, contentChanges)) {
        store.follow(uri, lines, change);
        lines = lines.toSpliced(change.start, change.count, ...change.lines);
      }
      texts.set(uri, linesOfDocument(document));
      onMoved();
    }),
  );
  return { linesOf: (uri) => texts.get(uri), refresh, dispose: () => listening.dispose() };
}

export function linesOfDocument(document: vscode.TextDocument): string[] {
  return document.getText().split(/\r?\n/);
}

export function rangeOf({ anchor: { first, count } }: Anchored): vscode.Range {
  return new vscode.Range(first, 0, first + Math.max(1, count) - 1, 0);
}

export function endThreads(threads: Map<string, vscode.CommentThread>, all: readonly { id: string }[]): void {
  const known = new Set(all.map(({ id }) => id));
  for (const [id, thread] of threads) {
    if (known.has(id)) continue;
    thread.dispose();
    threads.delete(id);
  }
}

export function atCursor<One extends Anchored>(all: readonly One[]): One | undefined {
  const editor = vscode.window.activeTextEditor;
  const line = editor?.selection.active.line ?? -1;
  const here = all.filter(({ uri }) => uri === editor?.document.uri.toString());
  return here.find(({ anchor: { first, count } }) => line >= first && line < first + Math.max(1, count));
}
