import * as vscode from 'vscode';
import type { KeyProblem } from '../../shared/panel/panel-info.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Settings } from '../host/settings.ts';
import type { KeyStore } from './secrets.ts';
import type { KeyState } from './stored-key.ts';

/** Knows whether a request can be sent. The answer is cached, so that drawing never waits for SecretStorage. */
export interface Readiness {
  hasAddress(): boolean;
  hasKey(): boolean;
  keyProblem(): KeyProblem | undefined;
  /** Records whether the service refused the key that was entered last; this shows only while there is no key. */
  noteRejection(isRejected: boolean): void;
  onDidChange: vscode.Event<void>;
}

export async function createReadiness(settings: Settings, keys: KeyStore): Promise<Readiness & vscode.Disposable> {
  const changed = new vscode.EventEmitter<void>();
  let key: KeyState = { state: 'absent' };
  let isRejected = false;
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
    keyProblem() {
      if (key.state === 'present') return undefined;
      if (isRejected) return { state: 'rejected' };
      return key.state === 'absent' ? undefined : key;
    },
    noteRejection(now) {
      isRejected = now;
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}
