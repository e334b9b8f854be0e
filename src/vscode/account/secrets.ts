import * as vscode from 'vscode';
import { keySecretName } from './key-secret-name.ts';
import { type KeyState, readStoredKey } from './stored-key.ts';

/** Keeps the API key in SecretStorage and mirrors it nowhere else. */
export interface KeyStore {
  read(): Promise<KeyState>;
  /** Returns every key that this window has read or written, so that each can be redacted by value. */
  known(): readonly string[];
  write(key: string): Promise<void>;
  remove(): Promise<void>;
  onDidChange: vscode.Event<void>;
}

export function createKeyStore(
  secrets: vscode.SecretStorage,
  origin: () => string | undefined,
): KeyStore & vscode.Disposable {
  const known = new Set<string>();
  const changed = new vscode.EventEmitter<void>();
  const subscription = secrets.onDidChange((event) => {
    if (event.key === keySecretName) changed.fire();
  });
  return {
    known: () => [...known],
    onDidChange: changed.event,
    read: () =>
      readStoredKey({
        get: async () => secrets.get(keySecretName),
        origin,
        onKey: (key) => known.add(key),
      }),
    async write(key) {
      known.add(key);
      await secrets.store(keySecretName, JSON.stringify({ key, origin: origin() ?? '' }));
    },
    async remove() {
      await secrets.delete(keySecretName);
    },
    dispose: () => {
      subscription.dispose();
      changed.dispose();
    },
  };
}
