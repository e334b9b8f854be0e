import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { createKeyMask } from '../../service/redact.ts';
import type { CommandHandlers, CommandId } from '../host/command-ids.ts';
import type { Register } from '../host/disposable-store.ts';
import type { Service } from './create-service.ts';
import { watchSettingsForKeys } from './key-in-settings.ts';
import { createLeakedKeyFlow, type LeakedKeyDeps } from './leaked-key.ts';

export type AccountCommands = Pick<
  CommandHandlers,
  'svc.setBaseUrl' | 'svc.setApiKey' | 'svc.removeApiKey' | 'svc.replaceLeakedKey' | 'svc.openDashboard'
>;

/** Returns the account commands and, from this call on, watches the settings for leaked keys. */
export function createAccountCommands(
  { context, settings, keys, access, onboarding, log }: Service,
  register: Register,
  { share, versions }: { share: LeakedKeyDeps['shareReport']; versions: LeakedKeyDeps['versions'] },
): AccountCommands {
  const run = (command: CommandId) => vscode.commands.executeCommand(command);
  register(
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
    'svc.removeApiKey': async () => {
      const remove = vscode.l10n.t('Remove API Key');
      const replace = vscode.l10n.t('Replace Leaked Key…');
      const chosen = await vscode.window.showQuickPick([remove, replace]);
      if (chosen === remove) await onboarding.removeApiKey();
      else if (chosen === replace) await run('svc.replaceLeakedKey');
    },
    'svc.replaceLeakedKey': createLeakedKeyFlow({
      shareReport: share,
      versions,
      memento: context.globalState,
      keys,
      redact: access.redact,
      setApiKey: onboarding.setApiKey,
      run,
      epochMs: systemClock.epochMs,
    }),
    'svc.openDashboard': async () => {
      if (isAddress(settings.dashboardUrl()) || (await onboarding.setDashboardUrl())) {
        await vscode.env.openExternal(vscode.Uri.parse(settings.dashboardUrl(), true));
      }
    },
  };
}

const isAddress = (text: string) => /^https?:\/\//.test(text);
