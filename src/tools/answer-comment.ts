import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { stripInvisible } from '../agent/invisible.ts';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { alsoCalled } from './dialect/named-arguments.ts';

export interface CommentPort {
  /** Returns false for a comment that this conversation was not sent. */
  answer(id: string, text: string): boolean;
}

/** `answer_comment` writes into the thread at the lines. Whether a comment is settled is for the user to decide. */
export const answerComment = toolRecord({
  name: 'answer_comment',
  description: 'Answers a comment where it stands. `done`: you did what it asks.',
  parameters: z.object({
    id: z.string(),
    text: z.string().check(z.minLength(1), z.maxLength(4000)),
    done: z.optional(z.boolean()),
  }),
  dialect: alsoCalled('answer_comment', 'replytocomment replycomment'),
  kind: 'other',
  needs: 'comment',
  access: 'ask',
  presentation: () => ({ words: l10n.t('Answer comment'), subject: ['id'] }),
  title: ({ id }) => l10n.t('Answer comment {0}', id),
  run:
    (comments: CommentPort) =>
    async ({ id, text }) => {
      const visible = stripInvisible(text).text;
      if (!comments.answer(id, visible)) throw new ToolError(`There is no comment ${id} here.`);
      return { forModel: 'Answered.', forUser: visible };
    },
});
