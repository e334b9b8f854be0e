import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { StoredKeyProblem } from '../../shared/panel/panel-info.ts';
import { keySecretName } from './key-secret-name.ts';

/**
 * The API key in SecretStorage, together with the origin it was entered for: a key is never given to another address.
 * Never mirrored anywhere else. SecretStorage may fail or forget; that is a state here, not an exception.
 */
export type KeyState = { state: 'present'; key: string } | { state: 'absent' } | StoredKeyProblem;

export interface KeyStore {
  read(): Promise<KeyState>;
  /** Every key this window has read or written, for redaction by value. */
  known(): readonly string[];
  write(key: string): Promise<void>;
  remove(): Promise<void>;
  onDidChange: vscode.Event<void>;
}

const storedKey = z.object({ key: z.string(), origin: z.string() });

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
    async read() {
      let text: string | undefined;
      try {
        text = await secrets.get(keySecretName);
      } catch (error) {
        return { state: 'unavailable', message: error instanceof Error ? error.message : String(error) };
      }
      const stored = text === undefined ? undefined : parseStored(text);
      if (!stored) return { state: 'absent' };
      known.add(stored.key);
      const here = origin();
      if (here !== undefined && stored.origin !== here) return { state: 'other-address', origin: stored.origin };
      return { state: 'present', key: stored.key };
    },
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

function parseStored(text: string): z.infer<typeof storedKey> | undefined {
  try {
    const parsed = storedKey.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Not ours or damaged: the user is asked for the key again.
    return undefined;
  }
}
