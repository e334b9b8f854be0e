import * as l10n from '@vscode/l10n';

const maxAddressLength = 2000;
const endpointPaths = [
  '/chat/completions',
  '/chat',
  '/completions',
  '/models',
  '/responses',
  '/messages',
  '/embeddings',
];

/** Returns the address in the form in which it is used: `https://host/…/v1`, without a slash at the end. */
export function normaliseBaseUrl(typed: string): { url: string } | { error: string } {
  const text = typed
    .trim()
    .replace(/^(["'`<])(.*)["'`>]$/s, '$2')
    .trim();
  if (text === '') return { error: l10n.t('Enter the address of the service.') };
  if (/sk-svc-/i.test(text))
    return { error: l10n.t('This contains an API key. Enter only the address; you enter the key separately.') };
  const noAddress = { error: l10n.t('This is not a web address.') };
  if (text.length > maxAddressLength || /[\s\p{Cc}]/u.test(text)) return noAddress;
  const url = parse(withScheme(text));
  // `https:/host` would be read as a host of the name `https`.
  if (url === undefined || url.hostname === '' || /^https?:\/?(?!\/)/i.test(text)) return noAddress;
  const problem = problemOf(url);
  if (problem !== undefined) return { error: problem };
  const path = withoutEndpoint(url.pathname);
  const version = /\/(v\d+)$/i.exec(path)?.[1];
  if (version !== undefined && version.toLowerCase() !== 'v1') {
    return {
      error: l10n.t(
        'The address ends in /{0}, but this service is at /v1. Enter the address that the service gives.',
        version,
      ),
    };
  }
  return { url: `${url.origin}${path.replace(/\/v1$/i, '')}/v1` };
}

function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const host = text.replace(/^\/+/, '');
  return `${isLoopback(parse(`http://${host}`)?.hostname ?? '') ? 'http' : 'https'}://${host}`;
}

function parse(address: string): URL | undefined {
  // `URL.canParse` of Node 20 and 22 rejects addresses with letters outside ASCII after many calls.
  return URL.parse(address) ?? undefined;
}

function problemOf(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '')
    return l10n.t('The address must not contain a user name or a password.');
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return l10n.t('The address must begin with https://.');
  return isLoopback(url.hostname)
    ? undefined
    : l10n.t('The address must begin with https://. Otherwise, your key would be sent unprotected.');
}

function withoutEndpoint(typed: string): string {
  const path = typed.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  const endpoint = endpointPaths.find((end) => path.toLowerCase().endsWith(end)) ?? '';
  return path.slice(0, path.length - endpoint.length);
}

export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true;
  return /^127(\.\d{1,3}){3}$/.test(host);
}

export function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
