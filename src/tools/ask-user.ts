import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { questionDialect } from './dialect/talks.ts';

/** The options of `ask_user` are suggestions: any answer may be given. */
export const askUser = toolRecord({
  name: 'ask_user',
  description: 'Asks the user what only they can decide. Not for permission: tools ask for that.',
  parameters: z.object({
    question: z.string().check(z.minLength(1), z.maxLength(2000)),
    options: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(6))),
  }),
  dialect: questionDialect,
  kind: 'ask',
  access: 'ask',
  presentation: () => ({ words: l10n.t('Ask user'), subject: ['question'] }),
  title: ({ question }) => l10n.t('Ask: {0}', question),
  run:
    () =>
    async ({ question, options = [] }, context) => {
      const shown = new Set(options.filter((option) => option.trim() !== ''));
      const answer = await context.ask({ text: question, options: [...shown] });
      if (answer === undefined)
        throw new ToolError('The user could not be asked. Decide yourself and say what you assumed.');
      return {
        forModel: answer.trim() === '' ? 'The user gave no answer. Decide yourself.' : `The user answers: ${answer}`,
      };
    },
});
