import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { CommandId } from '../../../vscode/host/command-ids.ts';

const shownMs = 5000;

export function createCompletionStatus(clock: Clock) {
  const item = vscode.window.createStatusBarItem('svc.completion', vscode.StatusBarAlignment.Right, 101);
  item.name = vscode.l10n.t('svc Assistant: Completion');
  const stop: CommandId = 'svc.stopCompletion';
  let cancel = (): void => undefined;
  const show = (text: string, tooltip?: string, command?: CommandId): void => {
    cancel();
    item.text = text;
    item.tooltip = tooltip;
    item.command = command;
    item.show();
  };
  return {
    asking: (words: string) => show(`$(loading~spin) ${words} $(debug-stop)`, vscode.l10n.t('Stop'), stop),
    done(words: string) {
      show(words);
      cancel = clock.after(shownMs, () => item.hide());
    },
    hide() {
      cancel();
      item.hide();
    },
    dispose() {
      cancel();
      item.dispose();
    },
  };
}
