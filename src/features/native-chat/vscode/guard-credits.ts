import * as vscode from 'vscode';
import { defaultModel } from '../../../service/models.ts';
import type { Learned } from '../../../service/step/learned.ts';
import type { ModelDirectory } from '../../../vscode/account/model-directory.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { createCreditGuard, type GuardModels } from './credit-guard.ts';
import { proposeSettings, undoSettings, userSettings } from './propose-settings.ts';
import { createSettingsChange } from './settings-change.ts';

export interface GuardCreditsDeps {
  memento: vscode.Memento;
  models: Pick<ModelDirectory, 'models'>;
  learned: Pick<Learned, 'get'>;
  model(): string;
  /**
   * Asks for address and key; resolves false when the user gave none. Without a key our models are missing from VS
   * Code's chat.
   */
  ensureReady(): Promise<boolean>;
}

export function createGuardCredits(
  deps: GuardCreditsDeps,
): Pick<CommandHandlers, 'svc.guardCredits' | 'svc.undoGuardCredits' | 'svc.hideVsCodeAi'> {
  const guard = createCreditGuard(userSettings(deps.memento, 'svc.guardedSettings'));
  const entries = createSettingsChange(userSettings(deps.memento, 'svc.hiddenEntries'));
  return {
    'svc.undoGuardCredits': () => undoSettings([guard, entries]),
    'svc.guardCredits': async () => {
      if (!guard.isSupported()) {
        return showMessage(
          vscode.l10n.t(
            "This version of VS Code has no settings for the models its chat uses in the background, so there's nothing to change.",
          ),
        );
      }
      if (!(await deps.ensureReady())) return;
      const harness = guard.otherHarness();
      // What a chat in another harness uses is not ours to say.
      const limits =
        harness === undefined
          ? ''
          : ` ${vscode.l10n.t("New chats here use another agent (setting {0}), which doesn't read these settings.", harness)}`;
      await proposeSettings({
        change: guard,
        plan: guard.plan(guardModels(deps)),
        title: vscode.l10n.t("Models That VS Code's Chat Uses"),
        nothing: `${vscode.l10n.t("Every model setting of VS Code's chat that svc knows is set to svc.")}${limits}`,
        done: (count) =>
          `${vscode.l10n.t(
            'Settings changed: {0}. Requests that VS Code\'s chat makes with them now go to svc and are counted under "VS Code\'s chat".',
            count,
          )}${limits}`,
        search: 'chat utility model',
      });
    },
    'svc.hideVsCodeAi': () =>
      proposeSettings({
        change: entries,
        plan: ownEntries().flatMap((row) => {
          const planned = entries.planned(row);
          return planned === undefined ? [] : [{ ...planned, optional: row.optional }];
        }),
        title: vscode.l10n.t("VS Code's Own AI Entries"),
        nothing: vscode.l10n.t("VS Code's own AI entries are hidden already."),
        done: () => vscode.l10n.t("VS Code's own AI entries are hidden. The svc chat stays."),
        search: 'chat.disableAIFeatures',
      }),
  };
}

function ownEntries() {
  return [
    {
      key: 'chat.disableAIFeatures',
      next: true,
      purpose: vscode.l10n.t(
        "VS Code's chat, inline chat, status bar icon, and commit message button. This also hides @svc and svc's models in its chat.",
      ),
      optional: false,
    },
    {
      key: 'chat.titleBar.signIn.enabled',
      next: false,
      purpose: vscode.l10n.t('Only the sign-in button in the title bar'),
      optional: true,
    },
    {
      key: 'chat.agentsControl.enabled',
      next: 'hidden',
      purpose: vscode.l10n.t('Only the chat button in the title bar'),
      optional: true,
    },
    {
      key: 'chat.commandCenter.enabled',
      next: false,
      purpose: vscode.l10n.t('Only the chat button in the title bar'),
      optional: true,
    },
  ];
}

function guardModels({ models, learned, model }: GuardCreditsDeps): GuardModels {
  const served = models.models();
  const named = (id: string) => served.find((one) => one.id === id);
  const chat = named(model()) ?? named(defaultModel) ?? served[0] ?? { id: defaultModel, name: defaultModel };
  return {
    chat,
    small: named(defaultModel) ?? chat,
    chatHasTools: learned.get(chat.id).tools?.works !== false,
  };
}
