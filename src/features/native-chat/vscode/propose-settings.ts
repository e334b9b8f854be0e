import * as vscode from 'vscode';
import { showMessage, showWarning } from '../../../vscode/host/show-message.ts';
import type { GuardedSetting, SettingsChange, SettingsChangeDeps, StoredSetting } from './settings-change.ts';

export function userSettings(memento: vscode.Memento, storedName: string): SettingsChangeDeps {
  return {
    inspect: (key) => {
      const settings = vscode.workspace.getConfiguration();
      return { ...settings.inspect(key), value: settings.get(key) };
    },
    write: async (key, value) =>
      vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global),
    stored: {
      read: () => memento.get<readonly StoredSetting[]>(storedName, []),
      write: async (stored) => memento.update(storedName, stored),
    },
  };
}

export interface Proposal {
  change: SettingsChange;
  plan: readonly GuardedSetting[];
  title: string;
  nothing: string;
  done(count: number): string;
  search: string;
}

export async function proposeSettings({ change, plan, title, nothing, done, search }: Proposal): Promise<void> {
  const offerUndo = async (text: string) => {
    const undoIt = vscode.l10n.t('Undo');
    const show = vscode.l10n.t('Open Settings');
    const answer = await vscode.window.showInformationMessage(text, ...(change.canUndo() ? [undoIt] : []), show);
    if (answer === undoIt) await undoSettings([change]);
    if (answer === show) await vscode.commands.executeCommand('workbench.action.openSettings', search);
  };
  if (plan.length === 0) return offerUndo(nothing);
  const chosen = await preview(plan, title);
  if (chosen === undefined || chosen.length === 0) return;
  const { changed, overruled, unchanged } = await change.apply(chosen);
  const refused = [...unchanged, ...overruled];
  if (refused.length > 0) {
    showWarning(vscode.l10n.t('Your organization or this workspace controls these settings: {0}', refused.join(', ')));
  }
  if (changed.length > 0) await offerUndo(done(changed.length));
}

export async function undoSettings(changes: readonly SettingsChange[]): Promise<void> {
  const open = changes.filter((change) => change.canUndo());
  if (open.length === 0) {
    return showMessage(vscode.l10n.t("svc hasn't changed any of VS Code's chat settings, so there's nothing to undo."));
  }
  const results = await Promise.all(open.map((change) => change.undo()));
  const changed = results.flatMap((result) => result.changed);
  const overruled = results.flatMap((result) => result.overruled);
  const unchanged = results.flatMap((result) => result.unchanged);
  if (unchanged.length > 0) {
    showWarning(vscode.l10n.t("These settings couldn't be written and are unchanged: {0}", unchanged.join(', ')));
  } else if (overruled.length > 0) {
    showMessage(
      vscode.l10n.t(
        'VS Code settings restored: {0}. Changed since, so left alone: {1}',
        changed.length,
        overruled.join(', '),
      ),
    );
  } else showMessage(vscode.l10n.t('VS Code settings restored: {0}', changed.length));
}

interface Row extends vscode.QuickPickItem {
  setting: GuardedSetting;
}

async function preview(plan: readonly GuardedSetting[], title: string): Promise<readonly GuardedSetting[] | undefined> {
  const rows = plan.map(
    (setting): Row => ({
      setting,
      label: setting.key,
      description: vscode.l10n.t('{0} → {1}', shown(setting), String(setting.next)),
      detail: setting.purpose,
      picked: setting.optional !== true,
    }),
  );
  const chosen = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    title,
    placeHolder: vscode.l10n.t('Selected items are changed in your user settings. You can undo this.'),
  });
  return chosen?.map(({ setting }) => setting);
}

function shown({ now = '', byDefault }: GuardedSetting): string {
  if (now !== '') return typeof now === 'string' ? now : JSON.stringify(now);
  return byDefault === '' ? vscode.l10n.t('not set') : vscode.l10n.t('not set ({0})', String(byDefault));
}
