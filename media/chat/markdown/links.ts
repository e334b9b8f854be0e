export type LinkTarget =
  | { kind: 'web'; href: string; shown: string }
  | { kind: 'file'; path: string; line?: number; shown: string }
  | { kind: 'none'; shown: string };

const maxLength = 4096;

/**
 * Accepts only `http`, `https` and paths of files; the host opens those in the workspace only. `shown` is the
 * whole decoded target for a tooltip, with the host name in its network form.
 */
export function linkTarget(href: string): LinkTarget {
  const none: LinkTarget = { kind: 'none', shown: decode(href.slice(0, maxLength)) };
  if (href.length > maxLength) return none;
  // Browsers ignore these when they read an address: `java\nscript:` is one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
  if (/[\u0000-\u001f\u007f-\u00a0\\]/.test(href.trim())) return none;
  const text = href.trim();
  if (/^https?:\/\//i.test(text)) {
    const url = URL.parse(text);
    if (url === null || text.includes(' ')) return none;
    if (url.username !== '' || url.password !== '') return none;
    return { kind: 'web', href: url.href, shown: decode(url.href) };
  }
  return fileTarget(text) ?? none;
}

/** Returns the host name that a link's text claims when the link leads elsewhere. */
export function misleadingHost(text: string, target: LinkTarget): string | undefined {
  if (target.kind !== 'web') return undefined;
  const host = new URL(target.href).host;
  const claimed = /^(?:https?:\/\/)?((?:[^\s/@:.]+\.)+[^\s/@:.]{2,})(?=[/:?#]|$)/iu.exec(text.trim())?.[1];
  if (claimed === undefined || claimed.toLowerCase() === host.replace(/:\d+$/, '')) return undefined;
  return host;
}

function fileTarget(text: string): LinkTarget | undefined {
  const local = text.replace(/^(?:file:\/\/|vscode-remote:\/\/[^/?#]+)(?=\/)/i, '');
  const match =
    /^(?<path>[^?#:]+)(?::(?<colon>\d{1,7})(?:[:-]\d+)?)?(?:\?[^#]*)?(?:#(?:L(?<hash>\d{1,7})(?!\d))?.*)?$/.exec(local);
  const path = decode(match?.groups?.path ?? '', decodeURIComponent);
  if (path === '' || path.startsWith('//') || /[:\\\0]/.test(path) || path.split('/').includes('..')) return undefined;
  const line = Number(match?.groups?.hash ?? match?.groups?.colon ?? 0);
  return { kind: 'file', path, shown: line > 0 ? `${path}:${line}` : path, ...(line > 0 && { line }) };
}

function decode(text: string, read = decodeURI): string {
  try {
    return read(text);
  } catch {
    return text;
  }
}
