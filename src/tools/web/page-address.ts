import { ToolError } from '../../agent/tool.ts';

const maxAddressLength = 2000;
const maxNameLength = 253;
/**
 * Names with these ends are answered only by somebody's own network, or by nobody (RFC 6761, 6762, 8375, 9476 and
 * custom).
 */
const localEnds = new Set(
  'alt arpa corp example home internal intranet invalid lan local localdomain localhost onion private test'.split(' '),
);
const oneName = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Returns the address in the form in which it is fetched: https, without fragment, its host in ASCII as it is
 * resolved. Throws a `ToolError` for everything but a page of a public name at the usual port, so for IP addresses in
 * whatever spelling, too.
 */
export function pageAddress(written: string): URL {
  const text = written.trim();
  if (text.length > maxAddressLength) throw new ToolError(`url must be at most ${maxAddressLength} characters long.`);
  const url = URL.parse(/^\w[\w.-]*(?:\/|$)/.test(text) ? `https://${text}` : text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw new ToolError('url must begin with https://.');
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('url must not contain a user name or a password.');
  }
  if (/sk-svc-/i.test(decoded(url.href))) throw new ToolError('url must not contain an API key.');
  if (url.port !== '') throw new ToolError(`Pages are fetched at the usual port only, not at ${url.port}.`);
  url.hostname = url.hostname.replace(/\.$/, '');
  if (!isPublicName(url.hostname)) {
    throw new ToolError(
      `${url.hostname} is no public domain: IP addresses and names of a local network are not fetched.`,
    );
  }
  // What goes over plain http can be read and changed on the way.
  url.protocol = 'https:';
  url.hash = '';
  return url;
}

function isPublicName(host: string): boolean {
  const names = host.split('.');
  const end = names.at(-1) ?? '';
  return (
    host.length <= maxNameLength &&
    names.length > 1 &&
    names.every((name) => oneName.test(name)) &&
    // The ends of the public tree have letters, so this is no IPv4 either.
    /[a-z]/.test(end) &&
    !localEnds.has(end)
  );
}

function decoded(href: string): string {
  return href.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function shownAddress(written: string): string {
  try {
    return pageAddress(written).href.slice('https://'.length);
  } catch {
    return written;
  }
}
