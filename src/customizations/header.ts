import { capText } from '../agent/cap-text.ts';
import { inOneLine, stripInvisible } from '../agent/invisible.ts';
import type { Customization } from './customization.ts';
import type { HeaderValue } from './front-matter.ts';

export type Header = ReadonlyMap<string, HeaderValue>;

const maxDescription = 1024;
export const maxTextBytes = 32 * 1024;

/** Reads a flag that is not written as undefined, and one that cannot be read as `careful`. */
export function flag(header: Header, key: string, careful: boolean): boolean | undefined {
  const value = header.get(key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return careful;
  return { true: true, yes: true, on: true, false: false, no: false, off: false }[value.toLowerCase()] ?? careful;
}

export function textOf(header: Header, key: string): string {
  const value = header.get(key);
  return typeof value === 'string' ? inOneLine(value).trim().slice(0, maxDescription).toWellFormed() : '';
}

export function wordsOf(header: Header, key: string, between = /,/): readonly string[] | undefined {
  const value = header.get(key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return value.map((word) => word.trim()).filter((word) => word !== '');
  const words = [''];
  let depth = 0;
  for (const sign of value) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (between.test(sign) && depth <= 0) words.push('');
    else words.push(`${words.pop()}${sign}`);
  }
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

export function commandNameOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .replace(/-$/, '')
    .slice(0, 64);
}

export function bareName(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1);
  return file.replace(/(?:\.(?:prompt|instructions|chatmode|agent))?\.[^.]+$/i, '');
}

export function cleanText(body: string, maxBytes = maxTextBytes): string {
  return capText(stripInvisible(body.slice(0, maxBytes)).text.trim(), maxBytes).text;
}

/** These keys of headers start a program, open a connection, or agree to something. */
const powers: ReadonlySet<string> = new Set(
  'hooks mcp-servers mcpServers allowed-tools allowedTools permissionMode permissions handoffs isolation background memory'.split(
    ' ',
  ),
);

export function ignoredIn(header: Header, body: string): Customization['ignored'] {
  const keys = [...header.keys()].filter((key) => powers.has(key));
  return /(?:^|[\s(])!`[^`\n]/.test(body) ? [...keys, '!`…`'] : keys;
}
