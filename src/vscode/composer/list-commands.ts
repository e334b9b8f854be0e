import * as vscode from 'vscode';
import { slashCommands } from '../../conversation/composing/slash-commands.ts';
import type { PromptFile } from '../../customizations/named.ts';
import { capabilities } from '../../service/check/capabilities.ts';

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
    ...[...slashCommands]
      .filter(([name]) => !own.has(name))
      .map(([name, { summary }]) => ({ name, detail: summary?.() ?? noImages(), disabled: summary === undefined })),
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
