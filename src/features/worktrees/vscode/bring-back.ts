import { randomUUID } from 'node:crypto';
import { chmod, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../../agent/tool.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { EditPort } from '../../../edits/apply/edit-ports.ts';
import type { Protection } from '../../../files/protection.ts';
import type { Files, Place, Workspace } from '../../../files/workspace.ts';
import type { Worktree } from '../../../shared/events.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { type BroughtEdit, type LeftChange, type LeftReason, planBringBack } from '../core/bring-back.ts';
import type { Worktrees } from '../core/worktrees.ts';

export interface BringBackDeps {
  workspace: Workspace;
  files: Files;
  worktrees: Worktrees;
  review: { port(conversationId: string): EditPort; protection(): Protection };
}

/** Makes changes of the worktree edits of the conversation in the workspace, under review. */
export async function bringBack(
  deps: BringBackDeps,
  conversation: Pick<Conversation, 'id' | 'setWorktree'>,
  worktree: Worktree,
): Promise<void> {
  const { workspace, files, worktrees, review } = deps;
  const { signal } = new AbortController();
  const { folder } = worktree;
  const placeOf = await placesIn(workspace, worktree.repository);
  if (placeOf === undefined) {
    const message = vscode.l10n.t('Open {0} in this window to bring the changes back.', worktree.repository);
    return showMessage(message);
  }
  const port = review.port(conversation.id);
  const inspect = await worktrees.inspect(folder, signal);
  const policy = { isProtected: review.protection() };
  const plan = await planBringBack({ workspace, files, port, policy, worktrees }, { folder, inspect, placeOf }, signal);
  const chosen = await withoutRefused(plan.edits);
  if (chosen === undefined) return;
  const left = [...plan.left, ...chosen.refused];
  let count = 0;
  for (const brought of chosen.edits) {
    try {
      await write(port, brought);
      count++;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      left.push({ change: brought.change, reason: 'conflict' });
    }
  }
  await worktrees.settle(
    folder,
    inspect.tree,
    left.map(({ change }) => change),
    signal,
  );
  conversation.setWorktree({ ...worktree, files: new Set(left.map(({ change }) => change.path)).size });
  // Not waited for: a notice may stand there for long.
  void report(count, left, { worktree, placeOf });
}

async function placesIn(
  workspace: Workspace,
  repository: string,
): Promise<((name: string) => Place | undefined) | undefined> {
  const inside = await Promise.all(
    workspace.roots().map(async (root) => {
      const real = root.fsPath === undefined ? undefined : await realpath(root.fsPath).catch(() => undefined);
      const relative = real === undefined ? '..' : path.relative(repository, real).split(path.sep).join('/');
      return relative === '..' || relative.startsWith('../') || path.isAbsolute(relative) ? [] : [{ root, relative }];
    }),
  );
  // The innermost folder of several that a file is in.
  const roots = inside.flat().toSorted((a, b) => b.relative.length - a.relative.length);
  if (roots.length === 0) return undefined;
  return (name) => {
    const found = roots.find(({ relative }) => relative === '' || name.startsWith(`${relative}/`));
    return found && { root: found.root, path: found.relative === '' ? name : name.slice(found.relative.length + 1) };
  };
}

/**
 * Files that the editor, git or assistants obey are brought back only with the user's consent. Resolves undefined
 * where nothing is to be done.
 */
async function withoutRefused(
  edits: readonly BroughtEdit[],
): Promise<{ edits: readonly BroughtEdit[]; refused: readonly LeftChange[] } | undefined> {
  const sensitive = edits.filter(({ target }) => target.sensitive !== undefined);
  if (sensitive.length === 0) return { edits, refused: [] };
  const [all, others] = [vscode.l10n.t('Bring Back All'), vscode.l10n.t('Bring Back the Others')];
  const message = vscode.l10n.t(
    'Some of these files are obeyed by the editor, Git, or assistants. Bring them back too?',
  );
  const detail = sensitive.map(({ target }) => target.path).join('\n');
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, all, others);
  if (answer === undefined) return undefined;
  if (answer === all) return { edits, refused: [] };
  return {
    edits: edits.filter((edit) => !sensitive.includes(edit)),
    refused: sensitive.map(({ change }) => ({ change, reason: 'closed' })),
  };
}

async function write(port: EditPort, { edit, isExecutable }: BroughtEdit): Promise<void> {
  await port.apply(edit, { turnId: 'bring-back', callId: randomUUID() });
  const { root, path: relative } = edit.place;
  if (!isExecutable || root.fsPath === undefined) return;
  const file = path.join(root.fsPath, relative);
  await chmod(file, ((await stat(file)).mode & 0o777) | 0o111);
}

async function report(
  count: number,
  left: readonly LeftChange[],
  { worktree, placeOf }: { worktree: Worktree; placeOf(name: string): Place | undefined },
): Promise<void> {
  const brought =
    count === 1
      ? vscode.l10n.t('Brought back 1 file. Review it.')
      : vscode.l10n.t('Brought back {0} files. Review them.', count);
  if (left.length === 0) {
    const nothing = vscode.l10n.t('There is nothing to bring back: everything is here already.');
    return showMessage(count === 0 ? nothing : brought);
  }
  const compare = vscode.l10n.t('Compare');
  const reasons = left.map(({ change, reason }) => `${change.path} (${leftTexts[reason]()})`);
  const shown = reasons.slice(0, maxNamed).join(', ');
  const rest = reasons.length > maxNamed ? vscode.l10n.t(', and {0} more', reasons.length - maxNamed) : '';
  const stays = vscode.l10n.t('Not brought back, your files are unchanged: {0}', `${shown}${rest}`);
  const answer = await vscode.window.showWarningMessage(count === 0 ? stays : `${brought} ${stays}`, compare);
  if (answer !== compare) return;
  const rows = left.map(({ change }) => {
    const place = placeOf(change.path);
    const there = vscode.Uri.file(path.join(worktree.folder, change.path));
    const here = place && vscode.Uri.joinPath(vscode.Uri.parse(place.root.uri), place.path);
    return [there, here, change.after ? there : undefined];
  });
  await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Here ↔ Worktree'), rows);
}

const maxNamed = 3;

const leftTexts: Readonly<Record<LeftReason, () => string>> = {
  conflict: () => vscode.l10n.t('changed in both'),
  'no-text': () => vscode.l10n.t('no text file'),
  mode: () => vscode.l10n.t('whether it can be run'),
  outside: () => vscode.l10n.t('outside of this workspace'),
  closed: () => vscode.l10n.t("can't be edited here"),
};
