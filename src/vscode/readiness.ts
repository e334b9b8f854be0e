import * as vscode from 'vscode';
import { setContextKey } from './context-keys.ts';
import type { KeyStore } from './secrets.ts';
import type { Settings } from './settings.ts';

/** Whether a request can be sent, kept at hand so that drawing never waits for SecretStorage. */
export interface Readiness {
  hasAddress(): boolean;
  hasKey(): boolean;
  onDidChange: vscode.Event<void>;
}

export async function createReadiness(settings: Settings, keys: KeyStore): Promise<Readiness & vscode.Disposable> {
  const changed = new vscode.EventEmitter<void>();
  let hasKey = false;
  const refresh = async () => {
    hasKey = (await keys.read()).state === 'present';
    setContextKey('svc.hasKey', hasKey);
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
    hasKey: () => hasKey,
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}
