import * as vscode from 'vscode';
import type { Event } from '../../base/emitter.ts';
import type { Settings } from '../host/settings.ts';
import { section } from '../host/user-values.ts';

/** How much a day may cost: decided once, and asked until then. */
export interface LimitChoice {
  /** There is a limit, or the user wants none. */
  isMade(): boolean;
  /** In dollars; `null`: none is wanted. */
  choose(usd: number | null): Promise<void>;
  onDidChange: Event;
}

const declinedKey = 'svc.dailyLimitDeclined';

/** `memento`: VS Code does not tell a `null` of the user's from the default, so that none is wanted is kept beside the setting. */
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
