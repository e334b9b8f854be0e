/** These are all requests that the service answers; `capabilities.ts` describes them, and those that it does not. */
export const servedRequests = {
  models: { method: 'GET', path: '/models' },
  chat: { method: 'POST', path: '/chat/completions' },
} as const;

/** `path` is relative to the base address and starts with a slash. */
export function isServed(method: string, path: string): boolean {
  return Object.values(servedRequests).some((served) => served.method === method && served.path === path);
}
