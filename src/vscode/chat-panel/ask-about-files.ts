import * as vscode from 'vscode';
import type { RerunDeps } from '../../chat/rerun.ts';

export const askAboutFiles: RerunDeps['askAboutFiles'] = async (because) => {
  const detail =
    because === 'asked-again'
      ? vscode.l10n.t('Answers after this message changed files. The message will now be asked again.')
      : vscode.l10n.t("The messages you're deleting changed files.");
  const restoring = vscode.l10n.t('Restore Files');
  const keeping = vscode.l10n.t('Keep Files');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Restore files to this point?'),
    { modal: true, detail },
    restoring,
    keeping,
  );
  if (answer === undefined) return undefined;
  return answer === restoring ? 'restore' : 'keep';
};
