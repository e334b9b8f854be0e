import * as vscode from 'vscode';
import type { KeyProblem } from '../../shared/panel/panel-info.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Settings } from '../host/settings.ts';
import type { KeyState, KeyStore } from './secrets.ts';

/** Whether a request can be sent, kept at hand so that drawing never waits for SecretStorage. */
export interface Readiness {
  hasAddress(): boolean;
  hasKey(): boolean;
  /** Why there is no usable key although one may be stored. */
  keyProblem(): KeyProblem | undefined;
  onDidChange: vscode.Event<void>;
}

export async function createReadiness(settings: Settings, keys: KeyStore): Promise<Readiness & vscode.Disposable> {
  const changed = new vscode.EventEmitter<void>();
  let key: KeyState = { state: 'absent' };
  const hasKey = () => key.state === 'present';
  const refresh = async () => {
    key = await keys.read();
    setContextKey('svc.hasKey', hasKey());
    changed.fire();
  };
  const subscriptions = [
    changed,
    keys.onDidChange(refresh),
    settings.onDidChange((event) => {
      // The key is bound to the address: another address may have none.
      if (event.affectsConfiguration('svc.baseUrl')) void refresh();
    }),
  ];
  await refresh();
  return {
    hasAddress: () => 'url' in settings.baseUrl(),
    hasKey,
    keyProblem: () => (key.state === 'other-address' || key.state === 'unavailable' ? key : undefined),
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}
