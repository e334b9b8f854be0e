import { defineTool, type Tool, ToolError } from '../agent/tool.ts';
import { askUser } from './definitions.ts';

/** `ask_user`. The options are suggestions: any answer may be given. */
export function createAskUser(): Tool {
  return defineTool({
    ...askUser,
    async run({ question, options = [] }, context) {
      const answer = await context.ask({ text: question, options: [...new Set(options)] });
      if (answer === undefined)
        throw new ToolError('The user could not be asked. Decide yourself and say what you assumed.');
      return {
        forModel: answer.trim() === '' ? 'The user gave no answer. Decide yourself.' : `The user answers: ${answer}`,
      };
    },
  });
}
