const maxAddressLength = 2000;
const addedVersion = 'Added /v1, which the service requires.';
const endpointPaths = [
  '/chat/completions',
  '/chat',
  '/completions',
  '/models',
  '/responses',
  '/messages',
  '/embeddings',
];

/**
 * Returns the address in the form in which it is used: `https://host/…/v1`, without a slash at the end. `changed`
 * says in words what differs from what was typed; `error` is a sentence for the person who typed.
 */
export function normaliseBaseUrl(typed: string): { url: string; changed: string[] } | { error: string } {
  const changed: string[] = [];
  const text = typed
    .trim()
    .replace(/^(["'`<])(.*)["'`>]$/s, '$2')
    .trim();
  if (text === '') return { error: 'Enter the address of the service.' };
  if (/sk-svc-/i.test(text))
    return { error: 'This contains an API key. Enter only the address; you enter the key separately.' };
  if (text.length > maxAddressLength || /[\s\p{Cc}]/u.test(text)) return { error: 'This is not a web address.' };
  const url = parse(withScheme(text, changed));
  if (url === undefined || url.hostname === '') return { error: 'This is not a web address.' };
  const problem = problemOf(url);
  if (problem !== undefined) return { error: problem };
  if (url.search !== '' || url.hash !== '') changed.push('Removed everything after the path.');
  const path = normalisePath(url.pathname, changed);
  const version = /\/(v\d+)\/v1$/i.exec(path)?.[1];
  if (version !== undefined && changed.includes(addedVersion)) {
    return {
      error: `The address ends in /${version}, but this service is at /v1. Enter the address that the service gives.`,
    };
  }
  return { url: `${url.origin}${path}`, changed };
}

function withScheme(text: string, changed: string[]): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const host = text.replace(/^\/+/, '');
  const hostname = parse(`http://${host}`)?.hostname ?? '';
  const scheme = isLoopback(hostname) ? 'http' : 'https';
  changed.push(`Added ${scheme}://.`);
  return `${scheme}://${host}`;
}

function parse(address: string): URL | undefined {
  // Not `canParse`: in Node 20 and 22 it takes letters outside ASCII for a fault once it has been called often.
  return URL.parse(address) ?? undefined;
}

function problemOf(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user name or a password.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'The address must begin with https://.';
  return isLoopback(url.hostname)
    ? undefined
    : 'The address must begin with https://. Otherwise, your key would be sent unprotected.';
}

function normalisePath(typed: string, changed: string[]): string {
  let path = typed.replace(/\/{2,}/g, '/');
  if (path !== typed) changed.push('Removed double slashes.');
  if (path.endsWith('/')) {
    if (path !== '/') changed.push('Removed the slash at the end.');
    path = path.slice(0, -1);
  }
  const endpoint = endpointPaths.find((end) => path.toLowerCase().endsWith(end));
  if (endpoint !== undefined) {
    path = path.slice(0, -endpoint.length);
    changed.push(`Removed ${endpoint}: it is added where it is needed.`);
  }
  if (/\/v1$/.test(path)) return path;
  if (/\/v1$/i.test(path)) {
    changed.push('Changed /v1 to lowercase.');
    return `${path.slice(0, -'/v1'.length)}/v1`;
  }
  changed.push(addedVersion);
  return `${path}/v1`;
}

export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true;
  return /^127(\.\d{1,3}){3}$/.test(host);
}

export function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
