import type { FeatureWindow } from '../feature-window.ts';
import { createReviewByHunk } from './vscode/review-by-hunk.ts';

export function hunkReview({ chat }: FeatureWindow) {
  const { ports, review } = chat.tools;
  return { commands: { 'svc.reviewByHunk': createReviewByHunk({ ...ports, pending: review.pending }) } };
}
