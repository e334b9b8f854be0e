import * as vscode from 'vscode';
import { type CreateSection, panelSection } from '../../../chat/panel-sections.ts';
import { createTakeOver } from '../../../chat/take-over.ts';
import type { Chat } from '../create-chat.ts';

export const elsewhereSection =
  ({ others }: Pick<Chat['conversations'], 'others'>): CreateSection =>
  ({ viewModel }) => {
    const takeOver = createTakeOver(
      () => others.takeOver(viewModel.conversation().id),
      () =>
        void vscode.window.showWarningMessage(
          vscode.l10n.t("The other window didn't stop. Stop the answer there, or close that window, and try again."),
        ),
    );
    return panelSection({
      key: 'elsewhere',
      state() {
        if (!viewModel.conversation().readOnly) return undefined;
        return takeOver.underWay() ? 'asked' : 'open';
      },
      act: takeOver.run,
      onDidChange: takeOver.onDidChange,
    });
  };
