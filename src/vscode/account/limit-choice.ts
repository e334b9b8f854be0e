import * as vscode from 'vscode';
import type { Event } from '../../base/emitter.ts';
import type { Settings } from '../host/settings.ts';
import { section } from '../host/user-values.ts';

export interface LimitChoice {
  isMade(): boolean;
  /** `null` means that the user wants no limit. */
  choose(usd: number | null): Promise<void>;
  onDidChange: Event;
}

const declinedKey = 'svc.dailyLimitDeclined';

/** VS Code cannot tell a `null` that the user set from the default, so `memento` records that no limit is wanted. */
export function createLimitChoice(
  settings: Pick<Settings, 'limits'>,
  memento: Pick<vscode.Memento, 'get' | 'update'>,
): LimitChoice & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return {
    isMade: () => settings.limits().dailyLimitUsd !== undefined || memento.get(declinedKey) === true,
    async choose(usd) {
      await memento.update(declinedKey, usd === null ? true : undefined);
      await vscode.workspace
        .getConfiguration(section)
        .update('spend.dailyLimitUsd', usd ?? undefined, vscode.ConfigurationTarget.Global);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
