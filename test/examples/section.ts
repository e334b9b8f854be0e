import { type CreateSection, panelSection } from '../../src/chat/panel-sections.ts';
import type { CommentStore } from '../../src/features/review-comments/core/comment-store.ts';

/** The host's side of the strip "Comments": what it shows, and what its two buttons do. */
export const commentsStrip =
  (comments: Pick<CommentStore, 'waiting' | 'remove' | 'onDidChange'>): CreateSection =>
  ({ estimateText, run }) =>
    panelSection({
      key: 'comments',
      state() {
        const waiting = comments.waiting();
        if (waiting.length === 0) return undefined;
        const texts = waiting.map(({ text }) => text);
        return { count: waiting.length, files: [], microUsd: estimateText(texts.join('\n')) };
      },
      act: (action) =>
        action === 'send' ? run('svc.sendComments') : comments.remove(comments.waiting().map(({ id }) => id)),
      onDidChange: comments.onDidChange,
    });
