import * as z from 'zod/mini';
import { messageOf } from '../../base/message-of.ts';
import type { StoredKeyProblem } from '../../shared/panel/panel-info.ts';

/**
 * The key is stored together with the origin it was entered for, because a key is never given to another address. A
 * storage that fails or forgets is a state here, not an exception.
 */
export type KeyState = { state: 'present'; key: string } | { state: 'absent' } | StoredKeyProblem;

interface KeySource {
  get(): Promise<string | undefined>;
  origin(): string | undefined;
  /** Receives the key even when it is not handed out, so that it can be redacted from texts. */
  onKey(key: string): void;
}

const storedKey = z.object({ key: z.string(), origin: z.string() });

export async function readStoredKey({ get, origin, onKey }: KeySource): Promise<KeyState> {
  let text: string | undefined;
  try {
    text = await get();
  } catch (error) {
    return { state: 'unavailable', message: messageOf(error) };
  }
  const stored = text === undefined ? undefined : parseStored(text);
  if (!stored) return { state: 'absent' };
  onKey(stored.key);
  const here = origin();
  if (here !== undefined && stored.origin !== here) return { state: 'other-address', origin: stored.origin };
  return { state: 'present', key: stored.key };
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
