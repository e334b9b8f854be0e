// The key check: header `Authorization: Bearer <key>`, nothing else counts.
import type { IncomingHttpHeaders } from 'node:http';

/** The one 401 body of the interface. */
export const unauthorizedBody = { error: { code: 401, message: 'unauthorized', type: 'invalid_auth' } };

export interface KeyRing {
  accepts(headers: IncomingHttpHeaders): boolean;
  add(key: string): void;
  count(): number;
}

/** Exactly one space after `Bearer`, and the key to the last character: quotes or a newline make another key. */
export function createKeyRing(keys: readonly string[]): KeyRing {
  const valid = new Set<string>();
  const add = (key: string): void => {
    if (!/^sk-svc-[\w-]+$/.test(key)) throw new Error('An API key begins with sk-svc- and has no spaces or quotes.');
    valid.add(key);
  };
  for (const key of keys) add(key);
  return {
    accepts: ({ authorization }) => {
      const prefix = 'Bearer ';
      return authorization?.startsWith(prefix) === true && valid.has(authorization.slice(prefix.length));
    },
    add,
    count: () => valid.size,
  };
}
