import * as vscode from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import type { Tools } from '../../../vscode/chat-panel/create-tools.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import type { Register } from '../../../vscode/host/disposable-store.ts';
import { uriOfPlace } from '../../../vscode/workspace/place-uri.ts';
import { namedRepository, pickRepository, rootOf } from '../../../vscode/workspace/repository-changes.ts';
import { createWorkspace } from '../../../vscode/workspace/workspace-adapter.ts';
import type { CollectDeps } from '../core/collect-changes.ts';
import { createFindingStore } from '../core/finding-store.ts';
import { type CommentCommands, createCommentThreads } from './comment-threads.ts';
import { createFindingThreads, type FindingCommands } from './finding-threads.ts';
import { createReviewChanges, type ReviewChangesDeps } from './review-changes.ts';

export interface ReviewCommentsDeps
  extends Pick<Tools, 'ports' | 'review' | 'readTools' | 'comments'>,
    Pick<ReviewChangesDeps, 'metered' | 'estimator' | 'settings' | 'model' | 'nameOf' | 'ensureReady'> {
  conversationId(): string;
  workspaceState: vscode.Memento;
  log: { info(line: string): void };
}

export function createReviewComments(
  register: Register,
  { ports, review, readTools, comments, conversationId, workspaceState, log, ...deps }: ReviewCommentsDeps,
): FindingCommands & CommentCommands & Pick<CommandHandlers, 'svc.reviewChanges'> {
  const store = createFindingStore(workspaceState.get(storeKey), (stored) => {
    void workspaceState.update(storeKey, stored);
  });
  const threads = register(createFindingThreads({ store, pending: review.pending }));
  const placesOf: ReviewChangesDeps['placesOf'] = async (argument) => {
    const { workspace, files, git } = ports;
    const collect: CollectDeps = { workspace, files, git, uriOf: (place) => uriOfPlace(place).toString() };
    const isUnderGit = workspace.roots().some(git.isRepository);
    const repository = (await namedRepository(argument)) ?? (isUnderGit ? undefined : await pickRepository(undefined));
    if (repository === undefined) return isUnderGit ? { collect, tools: readTools } : undefined;
    const root = rootOf(repository);
    const roots = workspace.roots();
    if (roots.length === 1 && roots[0]?.uri === root.uri) return { collect, tools: readTools };
    return { collect: { ...collect, ...createWorkspace(() => [root]) }, tools: [] };
  };
  const commented = register(
    createCommentThreads({
      store: comments,
      pending: review.pending,
      ask: async (prompt) => vscode.commands.executeCommand('svc.ask', { prompt }),
      conversationId,
    }),
  );
  return {
    ...commented.commands,
    ...threads.commands,
    'svc.reviewChanges': createReviewChanges({
      store,
      threads,
      ...deps,
      placesOf,
      clock: systemClock,
      log: log.info,
    }),
  };
}

/** While this value is stored, the shim loads the rest with the window. */
const storeKey = 'svc.findings';
