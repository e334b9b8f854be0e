import { stripInvisible } from '../agent/invisible.ts';
import { defineTool, type Tool } from '../agent/tool.ts';
import { updatePlan } from './definitions.ts';

/** `update_plan`: the checklist that the user sees. Each call replaces the whole of it. */
export function createUpdatePlan(): Tool {
  return defineTool({
    ...updatePlan,
    async run({ items }) {
      const plan = items.map(({ text, state }) => ({ text: stripInvisible(text).text.replace(/\s+/g, ' '), state }));
      return { forModel: 'The plan is shown to the user.', plan };
    },
  });
}
