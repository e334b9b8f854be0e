import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { commandsOnFirstUse, onFirstUse } from '../../base/on-first-use.ts';
import { createKeyMask } from '../../service/redact.ts';
import type { Own, Parts } from '../chat/create-chat.ts';
import type { ServiceCommands } from '../commands/commands.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Reports } from '../reports/reports.ts';
import { watchSettingsForKeys } from './key-in-settings.ts';
import type { Onboarding } from './onboarding.ts';

/** What the user can ask about the service, its models and the key. */
export function createServiceCommands(
  { context, settings, keys, learned, models, access, log }: Parts,
  own: Own,
  { onboarding, reports }: { onboarding: Onboarding; reports: Reports },
): ServiceCommands {
  const run = (command: CommandId) => vscode.commands.executeCommand(command);
  const replaceLeakedKey = onFirstUse(async () =>
    (await import('./leaked-key.ts')).createLeakedKeyFlow({
      memento: context.globalState,
      keys,
      redact: access.redact,
      setApiKey: onboarding.setApiKey,
      run,
      shareReport: reports.share,
      versions: reports.versions,
      epochMs: systemClock.epochMs,
    }),
  );
  own(
    watchSettingsForKeys({
      settings,
      mask: createKeyMask(keys.known),
      run,
      onError: (error) => log.error('The settings could not be looked through', error),
    }),
  );
  return {
    'svc.showModels': reports.showModels,
    'svc.resetLearnedFacts': async () => (await import('./learned-facts.ts')).resetLearnedFacts(learned, models.nameOf),
    'svc.replaceLeakedKey': async () => (await replaceLeakedKey())(),
    'svc.toggleInlineSuggestions': () => explainInlineSuggestions(run),
    ...commandsOnFirstUse({ 'svc.guardCredits': true, 'svc.undoGuardCredits': true }, async () =>
      (await import('../native-chat/guard-credits.ts')).createGuardCredits({
        memento: context.globalState,
        models,
        learned,
        model: settings.model,
        ensureReady: onboarding.ensureReady,
      }),
    ),
  };
}

/** ux 2.17: what people look for under this name is not served. Nothing is registered, and nothing is sent. */
async function explainInlineSuggestions(run: (command: CommandId) => Thenable<unknown>): Promise<void> {
  const show = vscode.l10n.t('Show Service Capabilities');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Inline suggestions are not available: the service has no text-completion endpoint. Ask in the chat, or let the model edit the file.',
    ),
    show,
  );
  if (answer === show) await run('svc.showCapabilities');
}
