import * as vscode from 'vscode';
import { type CommandName, commandNames } from '../../conversation/composing/slash-commands.ts';
import type { PromptFile } from '../../customizations/named.ts';
import { capabilities } from '../../service/check/capabilities.ts';

const summaries: Readonly<Record<Exclude<CommandName, 'image'>, () => string>> = {
  explain: () => vscode.l10n.t('Explain the selected code'),
  fix: () => vscode.l10n.t('Find and fix what is wrong'),
  tests: () => vscode.l10n.t('Write tests for the selected code'),
  doc: () => vscode.l10n.t('Document the selected code'),
  review: () => vscode.l10n.t('Review uncommitted changes'),
  commit: () => vscode.l10n.t('Write a commit message for what has changed'),
  init: () => vscode.l10n.t('Write a short AGENTS.md for this project, for about $0.004 to $0.02'),
  compact: () => vscode.l10n.t('Summarize older messages to send less'),
  new: () => vscode.l10n.t('Start a new chat'),
};

export interface ListedCommand {
  name: string;
  detail: string;
  /** True for a command that only explains why it is impossible. */
  disabled: boolean;
}

export function listCommands(
  typed: string,
  prompts: readonly Pick<PromptFile, 'name' | 'description'>[],
): ListedCommand[] {
  const query = typed.toLowerCase();
  const sendsNothing = new Set(['compact', 'new', 'image']);
  const files = prompts.filter(({ name }) => !sendsNothing.has(name));
  const own = new Set(files.map(({ name }) => name));
  const rows: ListedCommand[] = [
    ...commandNames
      .filter((name) => !own.has(name))
      .map((name) => ({
        name,
        detail: name === 'image' ? noImages() : summaries[name](),
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

export function noImages(): string {
  const substitute = capabilities.find(({ feature }) => feature === 'image-generation')?.substitute?.() ?? '';
  return vscode.l10n.t('This service has no image endpoint. Nothing was sent or charged. {0}', substitute);
}
