import * as vscode from 'vscode';
import type { Surface } from '../../shared/messages.ts';

/** The parts of the product as people call them. */
export function nameOfSurface(surface: string): string {
  const names: Record<Surface, string> = {
    chat: vscode.l10n.t('Chat and agent'),
    inline: vscode.l10n.t('Inline edit'),
    commit: vscode.l10n.t('Commit messages'),
    'native-chat': vscode.l10n.t('VS Code’s chat'),
    'side-by-side': vscode.l10n.t('Side by side'),
  };
  return Object.hasOwn(names, surface) ? names[surface as Surface] : surface;
}
