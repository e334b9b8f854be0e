import * as vscode from 'vscode';
import type { CommandId } from '../host/command-ids.ts';
import type { Settings } from '../host/settings.ts';
import { section } from '../host/user-values.ts';

export interface KeyInSettingsDeps {
  settings: Settings;
  /** Gives back another text when there is a key in it. */
  mask(text: string): string;
  run(command: CommandId): Thenable<unknown>;
  onError(error: unknown): void;
}

/** Settings are plain files that are synced and committed. A key in one of ours is told, once per setting and window. */
export function watchSettingsForKeys(deps: KeyInSettingsDeps): vscode.Disposable {
  const warned = new Set<string>();
  const refresh = () => {
    for (const setting of settingsWithKeys(deps.mask)) {
      if (warned.has(setting)) continue;
      warned.add(setting);
      warn(deps, setting).catch(deps.onError);
    }
  };
  refresh();
  return deps.settings.onDidChange(refresh);
}

/** Names below `svc.`; also of settings that are not ours but stand there. */
function settingsWithKeys(mask: (text: string) => string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string' && mask(value) !== value) found.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) visit(inner, path === '' ? name : `${path}.${name}`);
  };
  visit(JSON.parse(JSON.stringify(vscode.workspace.getConfiguration(section))), '');
  return found;
}

async function warn({ run }: KeyInSettingsDeps, setting: string): Promise<void> {
  const remove = vscode.l10n.t('Remove Key');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The setting {0} contains an API key. Settings are plain text and can be synced or committed. svc doesn't read the key from there.",
      `${section}.${setting}`,
    ),
    remove,
  );
  if (answer !== remove) return;
  if (!(await removeSetting(setting))) {
    const { workspaceValue } = vscode.workspace.getConfiguration(section).inspect(setting) ?? {};
    const where = workspaceValue === undefined ? 'openSettingsJson' : 'openWorkspaceSettingsFile';
    await vscode.commands.executeCommand(`workbench.action.${where}`);
    return;
  }
  const replace = vscode.l10n.t('Replace Leaked Key…');
  const next = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The setting was removed. If that settings file was ever synced, shared, or committed, replace the key.',
    ),
    replace,
  );
  if (next === replace) await run('svc.replaceLeakedKey');
}

/** False when VS Code does not know the setting: then only the user can take it out of the file. */
async function removeSetting(setting: string): Promise<boolean> {
  const configuration = vscode.workspace.getConfiguration(section);
  const inspected = configuration.inspect(setting);
  const targets = [
    [inspected?.globalValue, vscode.ConfigurationTarget.Global],
    [inspected?.workspaceValue, vscode.ConfigurationTarget.Workspace],
  ] as const;
  try {
    for (const [value, target] of targets) {
      if (value !== undefined) await configuration.update(setting, undefined, target);
    }
    return inspected?.defaultValue !== undefined;
  } catch {
    // Not one of ours: VS Code writes registered settings only.
    return false;
  }
}
