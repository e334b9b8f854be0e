import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { stripInvisible } from '../agent/invisible.ts';
import { isAnswerOf } from '../agent/side-answer.ts';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { alsoCalled } from './dialect/named-arguments.ts';

export interface PlanDocument {
  /**
   * Writes the model's text. If the user has a text that the model did not see, nothing is written and that text is
   * returned.
   */
  write(text: string): Promise<{ users: string } | undefined>;
}

const maxCharacters = 12_000;

/** `write_plan` writes the plan outside of the workspace, and is the only tool of Plan mode that writes. */
export const writePlan = toolRecord({
  name: 'write_plan',
  description:
    'Writes the plan into a document that the user can edit. Send all of it: the goal, then numbered steps, each with its files and how to check it.',
  parameters: z.object({ markdown: z.string().check(z.minLength(1), z.maxLength(maxCharacters)) }),
  dialect: alsoCalled('write_plan', 'planmoderespond presentplan createplan'),
  kind: 'outline',
  access: 'ask',
  presentation: () => ({ words: l10n.t('Write plan') }),
  title: () => l10n.t('Write the plan'),
  run:
    (document: PlanDocument) =>
    async ({ markdown }) => {
      if (!isAnswerOf('plan', markdown))
        throw new ToolError('Not written: that is no plan. Send all of its steps as a list.');
      const newer = await document.write(stripInvisible(markdown).text);
      if (newer !== undefined) {
        const forModel = `Not written: the user has changed the plan, and their text wins. Write all of it again with their changes kept. It is now:\n\n${newer.users}`;
        return { state: 'cancelled', forModel, forUser: l10n.t('Not written: your changes to the plan come first.') };
      }
      return { forModel: 'Written. The user reads it, can change it, and starts it.', forUser: markdown };
    },
});
