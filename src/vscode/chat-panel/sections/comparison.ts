import * as vscode from 'vscode';
import type { Comparisons } from '../../../chat/comparisons.ts';
import { type CreateSection, panelLine } from '../../../chat/panel-sections.ts';
import type { Service } from '../../account/create-service.ts';
import type { Compared } from '../compared.ts';

export const comparisonSection =
  (
    models: Pick<Service['models'], 'nameOf'>,
    comparisons: Comparisons,
    compared: Pick<Compared, 'keep'>,
  ): CreateSection =>
  ({ viewModel }) =>
    panelLine({
      line: 'comparison',
      state() {
        const other = comparisons.of(viewModel.conversation().id)?.otherModel;
        if (other === undefined) return undefined;
        return {
          label: vscode.l10n.t('Side by side'),
          icon: 'split',
          text: vscode.l10n.t('Side by side with {0}', models.nameOf(other)),
          buttons: [{ action: 'keep', label: vscode.l10n.t('Keep This Answer') }],
        };
      },
      actions: { keep: (page) => compared.keep(viewModel.conversation(), page.focusInput) },
      onDidChange: comparisons.onDidChange,
    });
