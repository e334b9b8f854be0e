import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { stripInvisible } from '../agent/invisible.ts';
import { toolRecord } from '../agent/tool.ts';
import { planDialect } from './dialect/talks.ts';

export const updatePlan = toolRecord({
  name: 'update_plan',
  description: 'Shows your plan: the whole list, one item active. Never alone: with the next call.',
  parameters: z.object({
    items: z
      .array(
        z.object({
          text: z.string().check(z.minLength(1), z.maxLength(200)),
          state: z.enum(['pending', 'active', 'done']),
        }),
      )
      .check(z.minLength(1), z.maxLength(30)),
  }),
  dialect: planDialect,
  kind: 'plan',
  access: 'ask',
  presentation: () => ({ words: l10n.t('Update plan') }),
  title: ({ items }) =>
    l10n.t('Plan: {0} of {1} done', items.filter(({ state }) => state === 'done').length, items.length),
  run:
    () =>
    async ({ items }) => {
      const plan = items.map(({ text, state }) => ({ text: stripInvisible(text).text.replace(/\s+/g, ' '), state }));
      return { forModel: 'The plan is shown to the user.', plan };
    },
});
