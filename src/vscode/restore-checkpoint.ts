import * as vscode from 'vscode';
import type { CheckpointFile, Checkpoints } from '../conversation/checkpoints.ts';
import type { AnswerItem, ChatState } from '../shared/chat-state.ts';

export interface RestoreDeps {
  checkpoints: Checkpoints;
  /** The conversation that is open. */
  state(): ChatState;
}

const maxListed = 20;

/**
 * F16: lists what would happen, asks, restores the turn and all later ones of the conversation, and offers to undo that. Anything
 * but the id of a turn of this conversation lets the user pick one.
 */
export async function restoreCheckpoint(deps: RestoreDeps, turnId?: unknown): Promise<void> {
  const { checkpoints, state } = deps;
  if (state().running !== undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Stop the running turn first, then restore.'));
    return;
  }
  const answers = state().items.filter((item) => item.kind === 'answer');
  const known = answers.find((answer) => answer.turnId === turnId && answer.checkpoint !== undefined);
  const chosen = known ?? (await pickTurn(state()));
  if (chosen === undefined) return;
  const turnIds = answers.slice(answers.indexOf(chosen)).map((answer) => answer.turnId);
  await restore(checkpoints, turnIds);
}

async function pickTurn({ items }: ChatState): Promise<AnswerItem | undefined> {
  const rows = items.flatMap((item, at) => {
    if (item.kind !== 'answer' || item.checkpoint === undefined) return [];
    const asked = items.slice(0, at).findLast((candidate) => candidate.kind === 'user');
    const label = asked?.kind === 'user' ? asked.text.trim().split('\n', 1)[0] : '';
    return [{ label: label || vscode.l10n.t('Untitled'), description: item.checkpoint.paths.join(', '), answer: item }];
  });
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing in this conversation has changed a file.'));
    return undefined;
  }
  const placeHolder = vscode.l10n.t('Put files back as they were before this message');
  return (await vscode.window.showQuickPick(rows.toReversed(), { placeHolder, matchOnDescription: true }))?.answer;
}

async function restore(checkpoints: Checkpoints, turnIds: readonly string[]): Promise<void> {
  const { restored, left, undoId } = await checkpoints.restore(turnIds, confirm);
  if (undoId === undefined) return;
  const undo = vscode.l10n.t('Undo Restore');
  const done =
    restored.length === 1 ? vscode.l10n.t('1 file restored.') : vscode.l10n.t('{0} files restored.', restored.length);
  const message = left.length === 0 ? done : vscode.l10n.t('{0} Left as they are: {1}', done, left.join(', '));
  // Not waited for: the message may stay for as long as the user likes.
  void vscode.window.showInformationMessage(message, undo).then((answer) => {
    if (answer === undo) return restore(checkpoints, [undoId]);
    return undefined;
  });
}

async function confirm(files: readonly CheckpointFile[]): Promise<'all' | 'unchanged' | 'cancel'> {
  const changed = files.filter(({ state }) => state === 'changed');
  const ready = files.filter(({ state }) => state === 'ready');
  if (changed.length + ready.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing to restore.'));
    return 'cancel';
  }
  const restoreAll = vscode.l10n.t('Restore All');
  const restoreUnchanged = changed.length === 0 ? vscode.l10n.t('Restore') : vscode.l10n.t('Restore Unchanged');
  const choices = [...(ready.length > 0 ? [restoreUnchanged] : []), ...(changed.length > 0 ? [restoreAll] : [])];
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Put files back as they were before this message?'),
    { modal: true, detail: detailOf(files) },
    ...choices,
  );
  if (answer === restoreAll) return 'all';
  return answer === restoreUnchanged ? 'unchanged' : 'cancel';
}

function detailOf(files: readonly CheckpointFile[]): string {
  const lines = files.slice(0, maxListed).map((file) => `${file.path}: ${whatHappens(file)}`);
  const more = files.length > maxListed ? [vscode.l10n.t('and {0} more', files.length - maxListed)] : [];
  const notes = vscode.l10n.t('What commands did elsewhere is not undone. Restoring can itself be undone.');
  return [...lines, ...more, '', notes].join('\n');
}

function whatHappens({ state, wasAbsent }: CheckpointFile): string {
  switch (state) {
    case 'ready':
      return wasAbsent ? vscode.l10n.t('is moved to the trash') : vscode.l10n.t('is restored');
    case 'changed':
      return vscode.l10n.t('changed since; only with Restore All');
    case 'same':
      return vscode.l10n.t('is as it was already');
    case 'lost':
      return vscode.l10n.t('cannot be restored any more');
  }
}
