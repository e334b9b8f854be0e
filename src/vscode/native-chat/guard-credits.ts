import * as vscode from 'vscode';
import { defaultModel } from '../../service/models.ts';
import type { Learned } from '../../service/step/learned.ts';
import type { ModelDirectory } from '../account/model-directory.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { createCreditGuard, type GuardedSetting, type GuardModels, type KeptSetting } from './credit-guard.ts';

export interface GuardCreditsDeps {
  memento: vscode.Memento;
  models: Pick<ModelDirectory, 'models'>;
  learned: Pick<Learned, 'get'>;
  /** The model of the user's settings. */
  model(): string;
  /** Asks for address and key; false when the user gave none. Without a key our models are not in VS Code's chat. */
  ensureReady(): Promise<boolean>;
}

const storedName = 'svc.guardedSettings';

interface Row extends vscode.QuickPickItem {
  setting: GuardedSetting;
}

/** The preview, the change of the user's settings, and the way back. */
export function createGuardCredits(
  deps: GuardCreditsDeps,
): Pick<CommandHandlers, 'svc.guardCredits' | 'svc.undoGuardCredits'> {
  const guard = createCreditGuard({
    inspect: (key) => {
      const settings = vscode.workspace.getConfiguration();
      return { ...settings.inspect(key), value: settings.get(key) };
    },
    write: async (key, value) =>
      vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global),
    kept: {
      read: () => deps.memento.get<readonly KeptSetting[]>(storedName, []),
      write: async (kept) => deps.memento.update(storedName, kept),
    },
  });

  async function undo(): Promise<void> {
    if (!guard.canUndo()) {
      say(vscode.l10n.t("svc hasn't changed any of VS Code's chat settings, so there's nothing to undo."));
      return;
    }
    const { changed, overruled, unchanged } = await guard.undo();
    if (unchanged.length > 0) {
      warn(vscode.l10n.t("These settings couldn't be written and are unchanged: {0}", unchanged.join(', ')));
    } else if (overruled.length > 0) {
      say(
        vscode.l10n.t(
          'Restored {0} VS Code settings. Changed since, so left alone: {1}',
          changed.length,
          overruled.join(', '),
        ),
      );
    } else {
      say(vscode.l10n.t('Restored {0} VS Code settings.', changed.length));
    }
  }

  async function tellAndOfferUndo(text: string): Promise<void> {
    const undoIt = vscode.l10n.t('Undo');
    const show = vscode.l10n.t('Open Settings');
    const answer = await vscode.window.showInformationMessage(text, ...(guard.canUndo() ? [undoIt] : []), show);
    if (answer === undoIt) await undo();
    if (answer === show) await vscode.commands.executeCommand('workbench.action.openSettings', 'chat utility model');
  }

  return {
    'svc.undoGuardCredits': undo,
    'svc.guardCredits': async () => {
      if (!guard.isSupported()) {
        say(
          vscode.l10n.t(
            "This version of VS Code has no settings for the models its chat uses in the background, so there's nothing to change.",
          ),
        );
        return;
      }
      if (!(await deps.ensureReady())) return;
      const models = guardModels(deps);
      const plan = guard.plan(models);
      if (plan.length === 0) {
        await tellAndOfferUndo(vscode.l10n.t("VS Code's chat uses svc everywhere it can."));
        return;
      }
      const chosen = await preview(plan);
      if (chosen === undefined || chosen.length === 0) return;
      const { changed, overruled, unchanged } = await guard.apply(chosen);
      const refused = [...unchanged, ...overruled];
      if (refused.length > 0) {
        warn(
          vscode.l10n.t(
            "Your organization or this workspace controls these, so they don't use svc: {0}",
            refused.join(', '),
          ),
        );
      }
      if (changed.length > 0) {
        await tellAndOfferUndo(
          vscode.l10n.t(
            "Changed {0} settings. VS Code's chat now uses svc there, and its cost is counted under “VS Code’s chat”.",
            changed.length,
          ),
        );
      }
    },
  };
}

/** What VS Code asks by itself goes to the quick default; every model costs the same. */
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

/** Everything is checked; nothing is written before the user says so. */
async function preview(plan: readonly GuardedSetting[]): Promise<readonly GuardedSetting[] | undefined> {
  const rows = plan.map(
    (setting): Row => ({
      setting,
      label: setting.key,
      description: vscode.l10n.t('{0} → {1}', shown(setting), setting.next),
      detail: setting.purpose,
      picked: true,
    }),
  );
  const chosen = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t("Models That VS Code's Chat Uses"),
    placeHolder: vscode.l10n.t('Selected items are changed in your user settings. You can undo this.'),
  });
  return chosen?.map(({ setting }) => setting);
}

function shown({ now = '', byDefault }: GuardedSetting): string {
  if (now !== '') return typeof now === 'string' ? now : JSON.stringify(now);
  return byDefault === '' ? vscode.l10n.t('not set') : vscode.l10n.t('not set ({0})', String(byDefault));
}

const say = (text: string) => void vscode.window.showInformationMessage(text);
const warn = (text: string) => void vscode.window.showWarningMessage(text);
