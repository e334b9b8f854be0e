import * as l10n from '@vscode/l10n';
import type { PromptFile } from '../../customizations/named.ts';
import { codePrompts, reviewChangesPrompt } from '../../features/inline/core/prompts.ts';

export type CommandSubject = 'selection' | 'changes';

interface SlashCommand {
  /** Is shown in the list; a command without one only explains why it is impossible. */
  summary?(): string;
  prompt?: string;
  subject?: CommandSubject;
}

const commands = {
  explain: {
    summary: () => l10n.t('Explain the selected code'),
    prompt: codePrompts.explain,
    subject: 'selection',
  },
  fix: { summary: () => l10n.t('Find and fix what is wrong'), prompt: codePrompts.fix, subject: 'selection' },
  tests: {
    summary: () => l10n.t('Write tests for the selected code'),
    prompt: codePrompts.tests,
    subject: 'selection',
  },
  doc: { summary: () => l10n.t('Document the selected code'), prompt: codePrompts.doc, subject: 'selection' },
  review: { summary: () => l10n.t('Review uncommitted changes'), prompt: reviewChangesPrompt, subject: 'changes' },
  commit: {
    summary: () => l10n.t('Write a commit message for what has changed'),
    prompt:
      'Write a commit message for these changes: one line in the imperative, up to 72 characters; then, if it is needed, a blank line and why. Answer with the message alone, in a code block.',
    subject: 'changes',
  },
  init: {
    summary: () => l10n.t('Write a short AGENTS.md for this project, for about $0.004 to $0.02'),
    prompt:
      'Look at this project (its manifest, README, scripts, settings of checks, two or three typical files) and write AGENTS.md at its top for coding agents: how to build, test, and check one file, where things are, and the conventions that the code itself does not show. At most 60 lines, only what you have seen, no general advice. If there is one, keep what is true and change the rest. Change no other file.',
  },
  compact: { summary: () => l10n.t('Summarize older messages to send less') },
  new: { summary: () => l10n.t('Start a new chat') },
} satisfies Record<string, SlashCommand & Required<Pick<SlashCommand, 'summary'>>>;

export const slashCommands: ReadonlyMap<string, SlashCommand> = new Map([
  ...Object.entries<SlashCommand>(commands),
  ['image', {}],
]);

export type ReadCommand =
  | { do: 'send'; text: string; subject?: CommandSubject }
  /** `rest` is what was written after the command; it must not be lost. */
  | { do: 'compact' | 'new'; rest: string }
  | { do: 'refuse' };

export type PromptText = Pick<PromptFile, 'name' | 'body'>;
type Prompts = readonly PromptText[];

export function readCommand(text: string, prompts: Prompts): ReadCommand {
  const match = /^\/([\w.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const name = match?.[1] ?? '';
  const command = slashCommands.get(name);
  if (command === undefined) return { do: 'send', text: expandPromptFile(text, prompts) };
  const rest = match?.[2]?.trim() ?? '';
  switch (name) {
    case 'compact':
    case 'new':
      return { do: name, rest };
    case 'image':
      return { do: 'refuse' };
    default: {
      const own = prompts.some((prompt) => prompt.name === name);
      const all = own || command.prompt === undefined ? prompts : [...prompts, { name, body: command.prompt }];
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
    /\$ARGUMENTS\b|\$([1-9])(?!\w|[.,]\d)|\{\{\{ ?input ?\}\}\}/g,
    (_place, number?: string) => {
      placed = true;
      return number === undefined ? more : (words[Number(number) - 1] ?? '');
    },
  );
  return more === '' || placed ? body : `${body}\n\n${more}`;
}
