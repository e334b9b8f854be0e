import type { PromptFile } from '../../customizations/named.ts';
import { codePrompts, reviewChangesPrompt } from '../../features/inline/core/prompts.ts';

export type CommandSubject = 'selection' | 'changes';

export const commandNames = [
  'explain',
  'fix',
  'tests',
  'doc',
  'review',
  'commit',
  'init',
  'compact',
  'new',
  'image',
] as const;
export type CommandName = (typeof commandNames)[number];

interface SlashCommand {
  name: CommandName;
  prompt?: string;
  subject?: CommandSubject;
}

const commands: readonly SlashCommand[] = [
  { name: 'explain', prompt: codePrompts.explain, subject: 'selection' },
  { name: 'fix', prompt: codePrompts.fix, subject: 'selection' },
  { name: 'tests', prompt: codePrompts.tests, subject: 'selection' },
  { name: 'doc', prompt: codePrompts.doc, subject: 'selection' },
  { name: 'review', prompt: reviewChangesPrompt, subject: 'changes' },
  {
    name: 'commit',
    prompt:
      'Write a commit message for these changes: one line in the imperative, up to 72 characters; then, if it is needed, a blank line and why. Answer with the message alone, in a code block.',
    subject: 'changes',
  },
  {
    name: 'init',
    prompt:
      'Look at this project (its manifest, README, scripts, settings of checks, two or three typical files) and write AGENTS.md at its top for coding agents: how to build, test, and check one file, where things are, and the conventions that the code itself does not show. At most 60 lines, only what you have seen, no general advice. If there is one, keep what is true and change the rest. Change no other file.',
  },
  { name: 'compact' },
  { name: 'new' },
  { name: 'image' },
];

export type ReadCommand =
  | { do: 'send'; text: string; subject?: CommandSubject }
  /** `rest` is what was written after the command; it must not be lost. */
  | { do: 'compact' | 'new'; rest: string }
  | { do: 'refuse' };

export type PromptText = Pick<PromptFile, 'name' | 'body'>;
type Prompts = readonly PromptText[];

export function readCommand(text: string, prompts: Prompts): ReadCommand {
  const match = /^\/([\w.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const command = match && commands.find(({ name }) => name === match[1]);
  if (!command) return { do: 'send', text: expandPromptFile(text, prompts) };
  const rest = match[2]?.trim() ?? '';
  switch (command.name) {
    case 'compact':
    case 'new':
      return { do: command.name, rest };
    case 'image':
      return { do: 'refuse' };
    default: {
      const own = prompts.some(({ name }) => name === command.name);
      const all =
        own || command.prompt === undefined ? prompts : [...prompts, { name: command.name, body: command.prompt }];
      const expanded = expandPromptFile(text, all);
      return own || command.subject === undefined
        ? { do: 'send', text: expanded }
        : { do: 'send', text: expanded, subject: command.subject };
    }
  }
}

export function expandCommand(text: string, prompts: Prompts): string {
  const read = readCommand(text, prompts);
  return read.do === 'send' ? read.text : '';
}

/**
 * Replaces `/name more` by the prompt file's text, with `more` at its placeholder (`$ARGUMENTS`, `$1`, `{{{ input
 * }}}`), or at the end without one. Any other text stays as it is.
 */
export function expandPromptFile(text: string, prompts: readonly Pick<PromptFile, 'name' | 'body'>[]): string {
  const match = /^\/([\w.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const prompt = match && prompts.find(({ name }) => name === match[1]);
  if (!prompt) return text;
  const more = match[2]?.trim() ?? '';
  const words = more.split(/\s+/);
  let placed = false;
  const body = prompt.body.replace(
    /\$ARGUMENTS\b|\$([1-9])(?!\w)|\{\{\{ ?input ?\}\}\}/g,
    (_place, number?: string) => {
      placed = true;
      return number === undefined ? more : (words[Number(number) - 1] ?? '');
    },
  );
  return more === '' || placed ? body : `${body}\n\n${more}`;
}
