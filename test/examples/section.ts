import { type CreateSection, panelLine } from '../../src/chat/panel-sections.ts';
import type { CommentStore } from '../../src/features/review-comments/core/comment-store.ts';

/** The strip "Comments": what it says, and what its two buttons do. */
export const commentsStrip =
  (comments: Pick<CommentStore, 'waiting' | 'remove' | 'onDidChange'>): CreateSection =>
  ({ run }) =>
    panelLine({
      line: 'comments',
      state() {
        const { length } = comments.waiting();
        if (length === 0) return undefined;
        const buttons = [
          { action: 'send', label: 'Send', primary: true },
          { action: 'discard', label: 'Discard' },
        ] as const;
        return { label: 'Comments', text: `${length} comments`, buttons };
      },
      actions: {
        send: () => run('svc.sendComments'),
        discard: () => comments.remove(comments.waiting().map(({ id }) => id)),
      },
      onDidChange: comments.onDidChange,
    });
