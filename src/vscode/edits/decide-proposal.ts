import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { askText } from '../host/ask-text.ts';
import type { EditProposals } from './edit-proposals.ts';

export async function decideProposal(
  proposals: EditProposals,
  action: 'keep' | 'undo',
  uri: vscode.Uri,
): Promise<void> {
  if (action === 'keep') return keepProposal(proposals, uri);
  if (proposals.get(uri)?.expired) return discardExpired(proposals, uri);
  const reason = await askText({
    title: vscode.l10n.t('Undo Proposal'),
    prompt: vscode.l10n.t('What should be different? The model reads this. You can leave it empty.'),
  });
  if (reason !== undefined) await proposals.undo(uri, reason);
}

/**
 * Writes an expired proposal only onto the text that it was made from; otherwise it stays open, so that none of it is
 * lost.
 */
export async function keepProposal(proposals: EditProposals, uri: vscode.Uri): Promise<void> {
  try {
    await proposals.keep(uri);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    await proposals.show(uri);
    void vscode.window.showWarningMessage(
      vscode.l10n.t("The proposal wasn't written and stays open. {0}", error.message),
    );
  }
}

export async function discardExpired(proposals: EditProposals, uri: vscode.Uri): Promise<void> {
  const discard = vscode.l10n.t('Discard');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("Discard this proposal? There's no other copy."),
    { modal: true },
    discard,
  );
  if (answer === discard) await proposals.undo(uri, '');
}
