import * as vscode from 'vscode';
import type { Attachment } from '../../shared/messages.ts';
import { copiedFromTerminal } from '../workspace/terminal-clipboard.ts';
import { cutAttachment } from './attachments.ts';
import { NothingToAttach } from './read-context.ts';

const mostLines = 200;
const longestLine = 500;

const copyCommands = [
  // Known to the editor when the shell marks its commands, also those from before we were there.
  ['workbench.action.terminal.copyLastCommandAndLastCommandOutput'],
  [
    'workbench.action.terminal.selectAll',
    'workbench.action.terminal.copySelection',
    'workbench.action.terminal.clearSelection',
  ],
];

/**
 * What ran last in the terminal in front, as its screen shows it: of a shell that tells nothing about its commands the
 * last lines. Undefined when the user does not want their clipboard used.
 */
export async function attachmentOfTerminal(name: string): Promise<Attachment | undefined> {
  const text = await copiedFromTerminal(copyCommands);
  if (text === undefined) return undefined;
  const lines = text.trimEnd().split(/\r?\n/);
  if (text.trim() === '') throw new NothingToAttach(vscode.l10n.t('The terminal in front is empty.'));
  const shown = lines
    .slice(-mostLines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line.trimEnd()));
  const omitted = lines.length - shown.length;
  const head = omitted > 0 ? [vscode.l10n.t('[{0} earlier lines are left out]', omitted)] : [];
  return cutAttachment('terminal', vscode.l10n.t('Terminal {0}', name).trim(), [...head, ...shown].join('\n'));
}
