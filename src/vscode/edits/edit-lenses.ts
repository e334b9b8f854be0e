import * as vscode from 'vscode';
import type { LineHunk } from '../../edits/apply/line-diff.ts';
import { createLenses } from '../host/lenses.ts';

/** Identifies a hunk in the argument of a lens command. `nonce` proves that a lens of this window made it. */
export interface LensTarget {
  nonce: string;
  uri: string;
  line: number;
}

export interface EditLensesDeps {
  isEmpty(): boolean;
  groups(uri: vscode.Uri): readonly (readonly (LineHunk & { isMixed?: boolean })[])[];
  isInDiff(uri: vscode.Uri): boolean;
  position(uri: vscode.Uri, line: number): { number: number; of: number } | undefined;
  nonce: string;
}

/**
 * Shows `Keep · Undo · Show Diff` above each pending hunk. The lenses say how many parts are decided together, where
 * Undo is impossible because the user typed there, and the number of the hunk.
 */
export function createEditLenses(deps: EditLensesDeps) {
  const lenses = createLenses({ pattern: '**' }, ({ uri, lineCount }) =>
    deps.groups(uri).flatMap((group) => {
      const isMixed = group.some((hunk) => hunk.isMixed);
      return group.flatMap(({ before, after }) => {
        const place = new vscode.Position(Math.min(after.start, lineCount - 1), 0);
        const target: LensTarget = { nonce: deps.nonce, uri: uri.toString(), line: after.start };
        const lens = (title: string, command: string, tooltip?: string) => {
          const shown = { title, command, arguments: [target], ...(tooltip && { tooltip }) };
          return new vscode.CodeLens(new vscode.Range(place, place), shown);
        };
        const isRemovedHidden = before.count > 0 && !deps.isInDiff(uri);
        const position = deps.position(uri, after.start);
        return [
          lens(keepTitle(group.length), 'svc.keepEdit'),
          lens(undoTitle(group.length), 'svc.undoEdit'),
          lens(vscode.l10n.t('Show Diff'), 'svc.showEditDiff'),
          ...(isMixed ? [lens(vscode.l10n.t('Mixed with your changes'), 'svc.showEditDiff')] : []),
          ...(isRemovedHidden ? [lens(removedTitle(before.count), 'svc.showRemovedLines')] : []),
          ...(position ? [lens(positionTitle(position), 'svc.nextEdit', vscode.l10n.t('Next Edit'))] : []),
        ];
      });
    }),
  );
  return { refresh: () => lenses.refresh(!deps.isEmpty()), dispose: lenses.dispose };
}

function keepTitle(parts: number): string {
  return parts === 1 ? vscode.l10n.t('Keep') : vscode.l10n.t('Keep All {0} Parts', parts);
}

function undoTitle(parts: number): string {
  return parts === 1 ? vscode.l10n.t('Undo') : vscode.l10n.t('Undo All {0} Parts', parts);
}

function removedTitle(count: number): string {
  return count === 1 ? vscode.l10n.t('1 line removed') : vscode.l10n.t('{0} lines removed', count);
}

function positionTitle({ number, of }: { number: number; of: number }): string {
  return vscode.l10n.t('{0} of {1}', number, of);
}
