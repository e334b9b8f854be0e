import * as vscode from 'vscode';
import type { LineHunk } from '../tools/line-diff.ts';

/** What a lens passes to its command: enough to find the hunk again, and a word that only this window's lenses know (X37). */
export interface LensTarget {
  nonce: string;
  uri: string;
  /** First line of the hunk, from 0. */
  line: number;
}

export interface EditLenses extends vscode.Disposable {
  refresh(): void;
}

/** `Keep · Undo · Show Diff` above each pending hunk. Registered only while edits are pending (ux 1.3). */
export function createEditLenses(
  pending: { isEmpty(): boolean; hunks(uri: vscode.Uri): readonly LineHunk[] },
  nonce: string,
): EditLenses {
  const changed = new vscode.EventEmitter<void>();
  let registration: vscode.Disposable | undefined;
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: ({ uri, lineCount }) =>
      pending.hunks(uri).flatMap(({ after }) => {
        const line = Math.min(after.start, lineCount - 1);
        const target: LensTarget = { nonce, uri: uri.toString(), line: after.start };
        const lens = (title: string, command: string) =>
          new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [target] });
        return [
          lens(vscode.l10n.t('Keep'), 'svc.keepEdit'),
          lens(vscode.l10n.t('Undo'), 'svc.undoEdit'),
          lens(vscode.l10n.t('Show Diff'), 'svc.showEditDiff'),
        ];
      }),
  };
  return {
    refresh() {
      if (pending.isEmpty()) {
        registration?.dispose();
        registration = undefined;
      } else {
        registration ??= vscode.languages.registerCodeLensProvider({ pattern: '**' }, provider);
        changed.fire();
      }
    },
    dispose() {
      registration?.dispose();
      changed.dispose();
    },
  };
}
