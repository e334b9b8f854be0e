import * as vscode from 'vscode';
import type { CheckpointFile, Checkpoints, RestoreChoice } from '../../edits/checkpoints/checkpoints.ts';
import type { AnswerItem, ChatState } from '../../shared/chat/chat-state.ts';
import { showMessage } from '../host/show-message.ts';

export interface RestoreDeps {
  checkpoints: Checkpoints;
  state(turnId?: unknown): ChatState;
}

const maxListed = 20;
const statusMs = 10_000;

export interface RestoredFiles {
  count: number;
  left: readonly string[];
}

export interface Restoring extends vscode.Disposable {
  restore(turnId?: unknown): Promise<void>;
  /** Returns the latest restore until it is undone or dismissed, or until a turn changes a file again. */
  last(conversationId: string): RestoredFiles | undefined;
  undoLast(): Promise<void>;
  dismiss(): void;
  onDidChange: vscode.Event<void>;
}

/** Restores files and lets the chat undo that; a notification would cover the text being typed. */
export function createRestoring(deps: RestoreDeps): Restoring {
  const changed = new vscode.EventEmitter<void>();
  let last: (RestoredFiles & { undoId: string; conversationId: string }) | undefined;
  const set = (next: typeof last) => {
    if (next === last) return;
    last = next;
    changed.fire();
  };
  const run = async (turnIds: readonly string[], conversationId: string, told: readonly string[] = []) => {
    const { restored, left, undoId } = await deps.checkpoints.restore(turnIds, confirm, told);
    if (undoId === undefined) return;
    set({ count: restored.length, left, undoId, conversationId });
    // For whoever restored from the palette with the chat closed.
    const one = restored.length === 1;
    const text = one ? vscode.l10n.t('1 file restored.') : vscode.l10n.t('{0} files restored.', restored.length);
    vscode.window.setStatusBarMessage(text, statusMs);
  };
  return {
    async restore(turnId) {
      const turns = await turnsFrom(deps, turnId);
      if (turns === undefined) return;
      const ids = turns.map((turn) => turn.turnId);
      const told = turns.flatMap(({ checkpoint }) => checkpoint?.paths ?? []);
      await run(ids, deps.state(ids[0]).conversationId, told);
    },
    last: (conversationId) => (last?.conversationId === conversationId ? last : undefined),
    async undoLast() {
      if (last !== undefined) await run([last.undoId], last.conversationId);
    },
    dismiss: () => set(undefined),
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

/**
 * Resolves with the turn and all later ones of the conversation. Anything but the id of one of its turns lets the
 * user pick.
 */
async function turnsFrom(deps: RestoreDeps, turnId: unknown): Promise<readonly AnswerItem[] | undefined> {
  const state = () => deps.state(turnId);
  if (state().running !== undefined) return showMessage(vscode.l10n.t('Stop the answer before you restore.'));
  const answers = state().items.filter((item) => item.kind === 'answer');
  const known = answers.find((answer) => answer.turnId === turnId && answer.checkpoint !== undefined);
  const chosen = known ?? (await pickTurn(state()));
  if (chosen === undefined) return undefined;
  return answers.slice(answers.indexOf(chosen));
}

async function pickTurn({ items }: ChatState): Promise<AnswerItem | undefined> {
  const rows = items.flatMap((item, at) => {
    if (item.kind !== 'answer' || item.checkpoint === undefined) return [];
    const asked = items.slice(0, at).findLast((candidate) => candidate.kind === 'user');
    const label = asked?.kind === 'user' ? asked.text.trim().split('\n', 1)[0] : '';
    return [{ label: label || vscode.l10n.t('Untitled'), description: item.checkpoint.paths.join(', '), answer: item }];
  });
  if (rows.length === 0) return showMessage(vscode.l10n.t('Nothing in this conversation changed a file.'));
  const placeHolder = vscode.l10n.t('Restore files to their state before this message');
  return (await vscode.window.showQuickPick(rows.toReversed(), { placeHolder, matchOnDescription: true }))?.answer;
}

async function confirm(files: readonly CheckpointFile[]): Promise<RestoreChoice> {
  const changed = files.filter(({ state }) => state === 'changed');
  const ready = files.filter(({ state }) => state === 'ready');
  if (changed.length + ready.length === 0) {
    const lost = files.filter(({ state }) => state === 'lost').map((file) => file.path);
    showMessage(
      lost.length > 0
        ? vscode.l10n.t(
            "Can't restore {0}: the earlier text isn't there any more.",
            [...lost.slice(0, 3), ...(lost.length > 3 ? ['…'] : [])].join(', '),
          )
        : vscode.l10n.t('There is nothing to restore.'),
    );
    return 'cancel';
  }
  const restoreAll = vscode.l10n.t('Restore All');
  const restoreUnchanged = changed.length === 0 ? vscode.l10n.t('Restore') : vscode.l10n.t('Restore Unchanged');
  const choose = vscode.l10n.t('Choose Files…');
  const choices = [
    ...(ready.length > 0 ? [restoreUnchanged] : []),
    ...(changed.length > 0 ? [restoreAll] : []),
    ...(changed.length + ready.length > 1 ? [choose] : []),
  ];
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Restore files to their state before this message?'),
    { modal: true, detail: detailOf(files) },
    ...choices,
  );
  if (answer === restoreAll) return 'all';
  if (answer === choose) return pickFiles([...ready, ...changed]);
  return answer === restoreUnchanged ? 'unchanged' : 'cancel';
}

async function pickFiles(files: readonly CheckpointFile[]): Promise<RestoreChoice> {
  const rows = files.map((file) => ({
    label: file.path,
    description: file.state === 'changed' ? vscode.l10n.t('changed since') : whatHappens[file.state](file),
    picked: file.state === 'ready',
    file,
  }));
  const placeHolder = vscode.l10n.t('Files to restore to their state before this message');
  const chosen = await vscode.window.showQuickPick(rows, { canPickMany: true, placeHolder });
  return chosen === undefined || chosen.length === 0 ? 'cancel' : chosen.map(({ file }) => file);
}

function detailOf(files: readonly CheckpointFile[]): string {
  const lines = files.slice(0, maxListed).map((file) => `${file.path}: ${whatHappens[file.state](file)}`);
  const more = files.length > maxListed ? [vscode.l10n.t('and {0} more', files.length - maxListed)] : [];
  const notes = vscode.l10n.t("Effects of commands elsewhere aren't undone. You can undo the restore itself.");
  return [...lines, ...more, '', notes].join('\n');
}

const whatHappens: Readonly<Record<CheckpointFile['state'], (file: CheckpointFile) => string>> = {
  ready: ({ wasAbsent }) =>
    wasAbsent ? vscode.l10n.t('will be moved to the trash') : vscode.l10n.t('will be restored'),
  changed: () => vscode.l10n.t('changed since; restored only with Restore All or if you select it'),
  same: () => vscode.l10n.t('already the same'),
  lost: () => vscode.l10n.t('can no longer be restored'),
};
