import path from 'node:path';
import { nameOfThis } from '../../base/temporary.ts';
import type { FeatureWindow } from '../feature-window.ts';
import { createEndWithCommit } from './vscode/end-with-commit.ts';
import { createMarkedState } from './vscode/marked-state.ts';
import { createStagingOffer } from './vscode/offer-staging.ts';
import { createReviewByHunk } from './vscode/review-by-hunk.ts';

export function hunkReview({ chat, service, register }: FeatureWindow) {
  const { ports, review } = chat.tools;
  const { settings, log } = service;
  const { pending } = review;
  const dir = path.join(service.context.globalStorageUri.fsPath, 'sandbox', nameOfThis('mark'));
  const marked = register(createMarkedState({ ...ports, dir }));
  const { follow } = register(createEndWithCommit({ ...ports, pending, log }));
  const { offerStaging } = register(createStagingOffer(pending));
  const { workspaceState: state } = service.context;
  return {
    commands: {
      'svc.reviewByHunk': createReviewByHunk({ ...ports, pending, settings, state, marked, follow, offerStaging }),
      'svc.markState': marked.mark,
    },
  };
}
