import * as vscode from 'vscode';
import { createEmitter } from '../../../base/emitter.ts';
import { type CreateSection, panelLine } from '../../../chat/panel-sections.ts';
import { type Correction, correctionIn } from '../../../chat/turn-facts/correction.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { Review } from '../../edits/create-review.ts';

/** Offers to keep what the user told the model to do otherwise for every chat, with what that adds to each request. */
export const correctionSection =
  ({ outcomes }: Pick<Review, 'outcomes'>, estimator: Pick<Estimator, 'text'>): CreateSection =>
  ({ viewModel, model }) => {
    const changed = createEmitter();
    let dismissed = '';
    const current = (): Correction | undefined => {
      const conversation = viewModel.conversation();
      const undone = new Set(
        outcomes(conversation.id).flatMap(({ callId, outcome }) => (outcome === 'undone' ? [callId] : [])),
      );
      const found = correctionIn(conversation.state(), (callId) => undone.has(callId));
      return found?.turnId === dismissed ? undefined : found;
    };
    const dismiss = () => {
      dismissed = current()?.turnId ?? dismissed;
      changed.fire();
    };
    return panelLine({
      line: 'correction',
      state() {
        const [folder, found] = [vscode.workspace.workspaceFolders?.[0], current()];
        if (folder === undefined || found === undefined) return undefined;
        const { tokens } = estimator.text(model(), lineOf(found));
        return {
          label: vscode.l10n.t('Instruction'),
          text: vscode.l10n.t('Keep “{0}” for every chat? Adds {1} tokens to each request.', found.text, tokens),
          buttons: [
            { action: 'add', label: vscode.l10n.t('Add to AGENTS.md') },
            { action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' },
          ],
        };
      },
      actions: {
        async add() {
          const [folder, found] = [vscode.workspace.workspaceFolders?.[0], current()];
          if (folder === undefined || found === undefined) return;
          dismiss();
          await appendLine(vscode.Uri.joinPath(folder.uri, 'AGENTS.md'), lineOf(found));
        },
        dismiss,
      },
      onDidChange: changed.event,
    });
  };

function lineOf({ text }: Correction): string {
  return `- ${text}\n`;
}

/** Leaves the file open with the line in it, unsaved, for the user to word it. */
async function appendLine(uri: vscode.Uri, line: string): Promise<void> {
  const { openTextDocument } = vscode.workspace;
  const document = await openTextDocument(uri).then(undefined, () =>
    openTextDocument(uri.with({ scheme: 'untitled' })),
  );
  const editor = await vscode.window.showTextDocument(document);
  const end = document.lineAt(document.lineCount - 1).range.end;
  await editor.edit((builder) => builder.insert(end, end.character === 0 ? line : `\n${line}`));
}
