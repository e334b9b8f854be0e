import * as vscode from 'vscode';
import type { PromptFile } from '../agent/instructions.ts';
import { capabilities } from '../service/capabilities.ts';
import { expandPromptFile } from './prompt-files.ts';

/** What a command is about when nothing is attached: what is selected (or the file in front), or what git says has changed. */
export type CommandSubject = 'selection' | 'changes';

interface SlashCommand {
  name: string;
  /** Shown in the list. */
  summary(): string;
  /** Sent in its place; a command without one is done here and nothing is sent. */
  prompt?: string;
  subject?: CommandSubject;
}

const commands: readonly SlashCommand[] = [
  {
    name: 'explain',
    summary: () => vscode.l10n.t('Explain the selected code'),
    prompt: 'Explain this code: what it does, how it does it, and anything surprising. Be brief.',
    subject: 'selection',
  },
  {
    name: 'fix',
    summary: () => vscode.l10n.t('Find and fix what is wrong'),
    prompt: 'Find what is wrong with this code, also by the problems that the editor reports, and fix it.',
    subject: 'selection',
  },
  {
    name: 'tests',
    summary: () => vscode.l10n.t('Write tests for the selected code'),
    prompt: 'Write tests for this code, in the style and with the framework of the tests that are there.',
    subject: 'selection',
  },
  {
    name: 'doc',
    summary: () => vscode.l10n.t('Document the selected code'),
    prompt: 'Write the documentation comments that this code lacks, in the style of the code around it.',
    subject: 'selection',
  },
  {
    name: 'review',
    summary: () => vscode.l10n.t('Review what has changed'),
    prompt: 'Review these changes: faults first, each with its place and how to mend it. Leave out praise.',
    subject: 'changes',
  },
  {
    name: 'commit',
    summary: () => vscode.l10n.t('Write a commit message for what has changed'),
    prompt:
      'Write a commit message for these changes: one line in the imperative, up to 72 characters; then, if it is needed, a blank line and why. Answer with the message alone, in a code block.',
    subject: 'changes',
  },
  { name: 'compact', summary: () => vscode.l10n.t('Shorten what is sent of this conversation') },
  { name: 'new', summary: () => vscode.l10n.t('Start a new chat') },
  { name: 'image', summary: () => vscode.l10n.t('Not available: this service has no image endpoint') },
];

/** What a text that begins with a slash asks for. Prompt files of the workspace stand in for commands that are prompts. */
export type ReadCommand =
  | { do: 'send'; text: string; subject?: CommandSubject }
  /** `rest`: what was written after the command; it must not be lost. */
  | { do: 'compact' | 'new'; rest: string }
  | { do: 'refuse'; reason: string };

type Prompts = readonly Pick<PromptFile, 'name' | 'body'>[];

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
      return { do: 'refuse', reason: noImages() };
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

/** The text as it would be sent; of a command that sends nothing there is none. */
export function expandCommand(text: string, prompts: Prompts): string {
  const read = readCommand(text, prompts);
  return read.do === 'send' ? read.text : '';
}

export interface ListedCommand {
  name: string;
  detail: string;
  /** It only explains why it cannot be done (S21). */
  disabled: boolean;
}

/** Commands whose name begins with what was typed, then those that have it in them. */
export function listCommands(
  typed: string,
  prompts: readonly Pick<PromptFile, 'name' | 'description'>[],
): ListedCommand[] {
  const query = typed.toLowerCase();
  const sendsNothing = new Set(['compact', 'new', 'image']);
  const files = prompts.filter(({ name }) => !sendsNothing.has(name));
  const own = new Set(files.map(({ name }) => name));
  const rows: ListedCommand[] = [
    ...commands
      .filter(({ name }) => !own.has(name))
      .map(({ name, summary }) => ({
        name,
        detail: name === 'image' ? noImages() : summary(),
        disabled: name === 'image',
      })),
    ...files.map(({ name, description }) => ({
      name,
      detail: description || vscode.l10n.t('Prompt of this workspace'),
      disabled: false,
    })),
  ];
  const at = ({ name }: ListedCommand) => name.toLowerCase().indexOf(query);
  return rows.filter((row) => at(row) >= 0).sort((a, b) => Number(at(a) > 0) - Number(at(b) > 0));
}

function noImages(): string {
  const substitute = capabilities.find(({ feature }) => feature === 'image-generation')?.substitute ?? '';
  return vscode.l10n.t('This service has no image endpoint. Nothing was sent or charged. {0}', substitute);
}
