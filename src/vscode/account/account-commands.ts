import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { createKeyMask } from '../../service/redact.ts';
import type { CommandHandlers, CommandId } from '../host/command-ids.ts';
import type { Own } from '../host/owner.ts';
import { openSetting } from '../host/settings.ts';
import type { Service } from './create-service.ts';
import { watchSettingsForKeys } from './key-in-settings.ts';
import { createLeakedKeyFlow, type LeakedKeyDeps } from './leaked-key.ts';

export type AccountCommands = Pick<
  CommandHandlers,
  'svc.setBaseUrl' | 'svc.setApiKey' | 'svc.removeApiKey' | 'svc.replaceLeakedKey' | 'svc.openDashboard'
>;

/** What the user can do about address and key. Looks for keys in settings from now on. */
export function createAccountCommands(
  { context, settings, keys, access, onboarding, log }: Service,
  own: Own,
  report: Pick<LeakedKeyDeps, 'shareReport' | 'versions'>,
): AccountCommands {
  const run = (command: CommandId) => vscode.commands.executeCommand(command);
  own(
    watchSettingsForKeys({
      settings,
      mask: createKeyMask(keys.known),
      run,
      onError: (error) => log.error('The settings could not be looked through', error),
    }),
  );
  return {
    'svc.setBaseUrl': onboarding.setBaseUrl,
    'svc.setApiKey': onboarding.setApiKey,
    'svc.removeApiKey': onboarding.removeApiKey,
    'svc.replaceLeakedKey': createLeakedKeyFlow({
      ...report,
      memento: context.globalState,
      keys,
      redact: access.redact,
      setApiKey: onboarding.setApiKey,
      run,
      epochMs: systemClock.epochMs,
    }),
    'svc.openDashboard': () => openDashboard(settings.dashboardUrl()),
  };
}

/** Where keys, top-ups and the balance are. */
async function openDashboard(url: string): Promise<void> {
  if (/^https?:\/\//.test(url)) {
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
    return;
  }
  const open = vscode.l10n.t('Open Setting');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('No dashboard address is set. The dashboard is where you create keys, top up, and see your balance.'),
    open,
  );
  if (answer === open) await openSetting('dashboardUrl');
}
