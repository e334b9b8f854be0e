import * as vscode from 'vscode';
import { type CreateSection, panelLine } from '../../../chat/panel-sections.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import type { CommentStore } from '../core/comment-store.ts';
import { waitingComments } from '../core/comment-text.ts';

const maxNamed = 3;

/** Comments on lines that wait to be sent in one message, with its price. */
export const commentsSection =
  (comments: Pick<CommentStore, 'waiting' | 'remove' | 'onDidChange'>): CreateSection =>
  ({ estimateText, run }) =>
    panelLine({
      line: 'comments',
      state() {
        const waiting = waitingComments(comments.waiting(), estimateText);
        if (waiting === undefined) return undefined;
        const { count, files, microUsd } = waiting;
        const number = count === 1 ? vscode.l10n.t('1 comment') : vscode.l10n.t('{0} comments', count);
        const where = files.length <= maxNamed ? files.join(', ') : vscode.l10n.t('{0} files', files.length);
        return {
          label: vscode.l10n.t('Comments'),
          text: [number, where, formatMicroUsd(microUsd, true, vscode.env.language)].join(' · '),
          buttons: [
            { action: 'send', label: vscode.l10n.t('Send'), primary: true },
            { action: 'discard', label: vscode.l10n.t('Discard') },
          ],
        };
      },
      actions: {
        send: () => run('svc.sendComments'),
        discard: () => comments.remove(comments.waiting().map(({ id }) => id)),
      },
      onDidChange: comments.onDidChange,
    });
