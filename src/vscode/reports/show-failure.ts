import * as vscode from 'vscode';
import type { Failure } from '../../shared/failure/failure.ts';
import type { FailureAction } from '../../shared/failure/failure-action.ts';
import { describeFailure } from '../../shared/failure/failure-text.ts';
import type { CommandId } from '../host/command-ids.ts';

const commandOf: Partial<Record<FailureAction, CommandId>> = {
  'enter-key': 'svc.setApiKey',
  'open-dashboard': 'svc.openDashboard',
  'open-address-setting': 'svc.setBaseUrl',
  'show-capabilities': 'svc.showCapabilities',
};

export interface ShownFailure {
  nameOf(id: string): string;
  /** Undefined means that a later answer would be of no use. */
  retry: (() => void) | undefined;
  others?: Record<string, () => unknown>;
}

export async function showFailure(failure: Failure, { nameOf, retry, others = {} }: ShownFailure): Promise<void> {
  const { title, detail, actions, money } = describeFailure(failure, nameOf);
  const buttons: Record<string, () => unknown> = { ...others };
  for (const { action, label } of actions) {
    const command = commandOf[action];
    if (action === 'retry') {
      if (retry !== undefined) buttons[label] = retry;
    } else if (command !== undefined) buttons[label] = () => vscode.commands.executeCommand(command);
  }
  const text =
    money === 'not-charged'
      ? vscode.l10n.t('{0}. {1} Not charged.', title, detail)
      : vscode.l10n.t('{0}. {1}', title, detail);
  const picked = await vscode.window.showErrorMessage(text, ...Object.keys(buttons));
  if (picked !== undefined) buttons[picked]?.();
}
