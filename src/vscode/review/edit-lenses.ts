import * as vscode from 'vscode';
import type { LineHunk } from '../../tools/edit/line-diff.ts';

/** A lens's argument for its command: enough to find the hunk again, and a word that only this window's lenses know. */
export interface LensTarget {
  nonce: string;
  uri: string;
  /** First line of the hunk, from 0. */
  line: number;
}

export interface EditLenses extends vscode.Disposable {
  refresh(): void;
}

export interface EditLensesDeps {
  isEmpty(): boolean;
  /** In groups that are decided on as one. */
  groups(uri: vscode.Uri): readonly (readonly (LineHunk & { isMixed?: boolean })[])[];
  /** The document with the text before the edits; undefined where a diff shows it already. */
  original(uri: vscode.Uri): vscode.Uri | undefined;
  nonce: string;
}

/**
 * `Keep · Undo · Show Diff` above each undecided hunk, and what was removed there as a peek in the editor itself. They say how
 * many parts are decided on with it, and where Undo cannot tell because the user typed there. Registered with the first of
 * them.
 */
export function createEditLenses(deps: EditLensesDeps): EditLenses {
  const changed = new vscode.EventEmitter<void>();
  let registration: vscode.Disposable | undefined;
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: ({ uri, lineCount }) =>
      deps.groups(uri).flatMap((group) => {
        const isMixed = group.some((hunk) => hunk.isMixed);
        return group.flatMap(({ before, after }) => {
          const place = new vscode.Position(Math.min(after.start, lineCount - 1), 0);
          const target: LensTarget = { nonce: deps.nonce, uri: uri.toString(), line: after.start };
          const lens = (title: string, command: string, args: unknown[] = [target]) =>
            new vscode.CodeLens(new vscode.Range(place, place), { title, command, arguments: args });
          const original = before.count === 0 ? undefined : deps.original(uri);
          return [
            lens(keepTitle(group.length), 'svc.keepEdit'),
            lens(undoTitle(group.length), 'svc.undoEdit'),
            lens(vscode.l10n.t('Show Diff'), 'svc.showEditDiff'),
            ...(isMixed ? [lens(vscode.l10n.t('Mixed with your changes'), 'svc.showEditDiff')] : []),
            ...(original
              ? [lens(removedTitle(before.count), peek, [uri, place, [removedAt(original, before)], 'peek'])]
              : []),
          ];
        });
      }),
  };
  return {
    refresh() {
      if (!deps.isEmpty()) registration ??= vscode.languages.registerCodeLensProvider({ pattern: '**' }, provider);
      // It stays after the last decision: of a provider that is gone the editor goes on showing the lenses that it had.
      changed.fire();
    },
    dispose() {
      registration?.dispose();
      changed.dispose();
    },
  };
}

function keepTitle(parts: number): string {
  return parts === 1 ? vscode.l10n.t('Keep') : vscode.l10n.t('Keep All {0} Parts', parts);
}

function undoTitle(parts: number): string {
  return parts === 1 ? vscode.l10n.t('Undo') : vscode.l10n.t('Undo All {0} Parts', parts);
}

/** The editor's own: shows a place of another document between the lines. */
const peek = 'editor.action.peekLocations';

function removedTitle(count: number): string {
  return count === 1 ? vscode.l10n.t('1 line removed') : vscode.l10n.t('{0} lines removed', count);
}

function removedAt(original: vscode.Uri, { start, count }: LineHunk['before']): vscode.Location {
  return new vscode.Location(original, new vscode.Range(start, 0, start + count, 0));
}
