import type { PromptFile } from '../../agent/instructions.ts';

/** `/name more` becomes the prompt file's text, then `more`. Anything else stays as it is. */
export function expandPromptFile(text: string, prompts: readonly Pick<PromptFile, 'name' | 'body'>[]): string {
  const match = /^\/([\w.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const prompt = match && prompts.find(({ name }) => name === match[1]);
  if (!prompt) return text;
  const more = match[2]?.trim() ?? '';
  return more === '' ? prompt.body : `${prompt.body}\n\n${more}`;
}
