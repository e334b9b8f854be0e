import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { ToolError } from '../../../agent/tool.ts';
import { createSerial } from '../../../base/serial.ts';
import type { OpenConversations } from '../../../chat/open-conversations.ts';
import type { ChatViewModel } from '../../../chat/view-model.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { ConversationStore } from '../../../conversation/store/store.ts';
import type { Worktree } from '../../../shared/events.ts';
import type { SectionAction } from '../../../shared/panel/sections.ts';
import { showWarning } from '../../../vscode/host/show-message.ts';
import { openGit } from '../../../vscode/workspace/git-adapter.ts';
import { createWorktrees, type Worktrees } from '../core/worktrees.ts';
import { type BringBackDeps, bringBack } from './bring-back.ts';
import { type NewTaskDeps, type OpenRepository, repositoriesOf, startTask } from './new-task.ts';
import { createBaseTexts, showWorktreeChanges } from './show-changes.ts';

export interface WorktreeTasksDeps
  extends Omit<NewTaskDeps, 'worktrees' | 'openGit' | 'workspace'>,
    Omit<BringBackDeps, 'worktrees'> {
  dir: string;
  conversations: Pick<OpenConversations, 'acquire' | 'onDidEmit' | 'release'>;
  store: Pick<ConversationStore, 'list'>;
  stopProcesses(conversationId: string): Promise<void>;
  log: { error(line: string, error?: unknown): void };
}

export type WorktreeAction = SectionAction<'worktree'>;

export interface WorktreeTasks extends vscode.Disposable {
  start(viewModel: ChatViewModel): Promise<void>;
  /** Resolves with the worktrees once those that a killed window left are in order. */
  prepared(): Promise<Worktrees>;
  repositories(): Promise<OpenRepository[]>;
  /** Removes the worktrees of these conversations with a patch of each, once the user agrees. */
  removeAll(conversations: readonly Conversation[]): Promise<void>;
  act(action: WorktreeAction, conversation: Conversation): Promise<void>;
  /**
   * Removes worktrees whose conversations no longer exist, and saves a patch of the work of each. `olderThan` is in
   * epoch milliseconds.
   */
  tidy(olderThan: number): Promise<void>;
  /** Removes worktrees for good, without their patches. One that cannot be removed is named to the user. */
  erase(isErased: (folder: string) => boolean): Promise<void>;
}

export function createWorktreeTasks(deps: WorktreeTasksDeps): WorktreeTasks {
  const worktrees = createWorktrees({ dir: deps.dir, openGit });
  const baseTexts = createBaseTexts(worktrees);
  const { signal } = new AbortController();
  // Two things at once with one worktree would be in each other's way.
  const inTurn = createSerial();
  let recovered: Promise<void> | undefined;
  const ready = () => {
    recovered ??= worktrees.recover(signal).then((left) => {
      if (left.length === 0) return;
      const text = vscode.l10n.t("Left where it is, because it couldn't be put back or removed: {0}", left.join(', '));
      showWarning(text);
    });
    return recovered;
  };
  const showingErrors = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      showWarning(error.message);
    }
  };

  async function count(id: string): Promise<void> {
    const conversation = await deps.conversations.acquire(id);
    if (conversation === undefined) return;
    try {
      const { worktree } = conversation.state();
      if (worktree === undefined || !existsSync(worktree.folder)) return;
      const files = (await worktrees.inspect(worktree.folder, signal)).changes.length;
      const now = conversation.state().worktree;
      if (now?.folder !== worktree.folder || now.files === files || conversation.readOnly) return;
      conversation.setWorktree({ ...now, files });
      await conversation.stored();
    } finally {
      deps.conversations.release(conversation);
    }
  }

  async function remove(conversations: readonly Conversation[]): Promise<void> {
    const there: { conversation: Conversation; folder: string }[] = [];
    const ignored: string[] = [];
    let changed = 0;
    for (const conversation of conversations) {
      const folder = conversation.state().worktree?.folder ?? '';
      if (!existsSync(folder)) {
        conversation.setWorktree(undefined);
        continue;
      }
      there.push({ conversation, folder });
      changed += (await worktrees.inspect(folder, signal)).changes.length;
      ignored.push(...(await worktrees.ignored(folder, signal)));
    }
    if (there.length === 0 || !(await agreesToRemove(there.length, changed, [...new Set(ignored)]))) return;
    for (const { conversation, folder } of there) {
      await deps.stopProcesses(conversation.id);
      conversation.setWorktree(undefined, await worktrees.remove(folder, signal));
    }
  }

  const actions: Record<
    Exclude<WorktreeAction, 'openPatch'>,
    (conversation: Conversation, worktree: Worktree) => Promise<void>
  > = {
    bringBack: (conversation, worktree) => bringBack({ ...deps, worktrees }, conversation, worktree),
    show: (_conversation, worktree) => showWorktreeChanges(worktrees, baseTexts, worktree),
    remove: (conversation) => remove([conversation]),
  };
  const counting = deps.conversations.onDidEmit((conversation, events) => {
    if (!events.some(({ type }) => type === 'turnEnded') || conversation.state().worktree === undefined) return;
    inTurn(() => count(conversation.id)).catch((error: unknown) =>
      deps.log.error('The changes of a worktree could not be counted', error),
    );
  });

  const prepared = async () => {
    await ready();
    return worktrees;
  };

  return {
    prepared,
    repositories: () => repositoriesOf({ ...deps, openGit }, signal),
    removeAll: (conversations) =>
      showingErrors(() =>
        inTurn(async () => {
          await ready();
          refuseRunning(conversations);
          await remove(conversations);
        }),
      ),
    start: (viewModel) =>
      showingErrors(async () => {
        await ready();
        await startTask({ ...deps, worktrees, openGit }, viewModel);
      }),
    act: (action, conversation) =>
      showingErrors(async () => {
        const { worktree, worktreePatch } = conversation.state();
        if (action === 'openPatch') {
          if (worktreePatch !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(worktreePatch));
          return;
        }
        if (worktree === undefined) return;
        if (action !== 'show') refuseRunning([conversation]);
        try {
          await inTurn(async () => {
            await ready();
            await actions[action](conversation, worktree);
          });
        } catch (error) {
          const isTold = error instanceof ToolError && existsSync(worktree.folder);
          if (!isTold && existsSync(worktree.folder)) throw error;
          // Not waited for: the notice may stand there for long.
          void offerWaysOn(conversation, worktree, isTold ? error : undefined);
        }
      }),
    async tidy(olderThan) {
      const old = await worktrees.old(olderThan);
      if (old.length === 0) return;
      await ready();
      const kept = new Set((await deps.store.list()).flatMap(({ worktreeFolder }) => worktreeFolder ?? []));
      for (const folder of old.filter((each) => !kept.has(each))) {
        await worktrees
          .remove(folder, signal)
          .catch((error: unknown) => deps.log.error('A worktree of no conversation stays where it is', error));
      }
    },
    async erase(isErased) {
      for (const folder of (await worktrees.old(Number.POSITIVE_INFINITY)).filter(isErased)) {
        await showingErrors(() =>
          inTurn(async () => {
            await ready();
            await worktrees.erase(folder, signal);
          }),
        );
      }
    },
    dispose() {
      counting.dispose();
      baseTexts.dispose();
    },
  };
}

function refuseRunning(conversations: readonly Conversation[]): void {
  if (conversations.every(({ running, readOnly }) => !running && !readOnly)) return;
  throw new ToolError(vscode.l10n.t('The task is still running. Wait until it has ended, or stop it first.'));
}

/** Whatever keeps git from answering, the files of the task are files, and the chat does not depend on them. */
async function offerWaysOn(conversation: Conversation, { folder }: Worktree, error?: ToolError): Promise<void> {
  const [open, leave] = [vscode.l10n.t('Open Folder'), vscode.l10n.t('Leave the Worktree')];
  const text = error
    ? vscode.l10n.t('{0} The files of this task are still in {1}.', error.message, folder)
    : vscode.l10n.t('The folder of this task is gone: {0}', folder);
  const answer = await vscode.window.showWarningMessage(text, ...(error ? [open] : []), leave);
  if (answer === open) {
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
  }
  if (answer === leave && !conversation.running) conversation.setWorktree(undefined);
}

async function agreesToRemove(count: number, changed: number, ignored: readonly string[]): Promise<boolean> {
  if (changed === 0 && ignored.length === 0) return true;
  const files = changed === 1 ? vscode.l10n.t('1 changed file') : vscode.l10n.t('{0} changed files', changed);
  const detail = [
    ...(changed === 0 ? [] : [vscode.l10n.t('Saved as a patch first: {0}', files)]),
    ...(ignored.length === 0
      ? []
      : [vscode.l10n.t('What Git ignores goes, too: {0}', ignored.slice(0, maxNamed).join(', '))]),
  ];
  const yes = vscode.l10n.t('Remove');
  const answer = await vscode.window.showWarningMessage(
    count === 1
      ? vscode.l10n.t('Remove the worktree of this task?')
      : vscode.l10n.t('Remove the worktrees of {0} models?', count),
    { modal: true, detail: detail.join('\n') },
    yes,
  );
  return answer === yes;
}

const maxNamed = 10;
