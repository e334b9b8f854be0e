import { type CreateSection, panelSection } from '../../../chat/panel-sections.ts';
import type { CommentStore } from '../core/comment-store.ts';
import { waitingComments } from '../core/comment-text.ts';

/** Comments on lines that wait to be sent in one message, with its price. */
export const commentsSection =
  (comments: Pick<CommentStore, 'waiting' | 'remove' | 'onDidChange'>): CreateSection =>
  ({ estimateText, run }) =>
    panelSection({
      key: 'comments',
      state: () => waitingComments(comments.waiting(), estimateText),
      act: (action) =>
        action === 'send' ? run('svc.sendComments') : comments.remove(comments.waiting().map(({ id }) => id)),
      onDidChange: comments.onDidChange,
    });
