import * as vscode from 'vscode';
import { type CreateSection, panelLine } from '../../chat/panel-sections.ts';
import type { Review } from './create-review.ts';

/** Says which files were restored last, as long as that can be undone. */
export const restoredSection =
  ({ restored }: Pick<Review, 'restored'>): CreateSection =>
  ({ viewModel }) =>
    panelLine({
      line: 'restored',
      state() {
        const last = restored.last(viewModel.conversation().id);
        if (last === undefined) return undefined;
        const { count, left } = last;
        const done = count === 1 ? vscode.l10n.t('1 file restored.') : vscode.l10n.t('{0} files restored.', count);
        return {
          label: vscode.l10n.t('Restored'),
          text: left.length === 0 ? done : `${done} ${vscode.l10n.t('Left unchanged: {0}', left.join(', '))}`,
          isStatus: true,
          buttons: [
            { action: 'undo', label: vscode.l10n.t('Undo Restore') },
            { action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' },
          ],
        };
      },
      actions: { undo: restored.undoLast, dismiss: restored.dismiss },
    });
