import { type FeatureWindow, requestDeps } from '../feature-window.ts';
import { createReviewComments } from './vscode/create-review-comments.ts';

export function reviewComments(window: FeatureWindow) {
  const { context, settings, log } = window.service;
  const { ports, review, readTools, comments } = window.chat.tools;
  const commands = createReviewComments(window.register, {
    ...requestDeps(window),
    ...{ ports, review, readTools, comments, settings, log },
    workspaceState: context.workspaceState,
    conversationId: () => window.chat.panel.widgets.active().viewModel.conversation().id,
  });
  return { commands };
}
