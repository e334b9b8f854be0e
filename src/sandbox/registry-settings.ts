import path from 'node:path';
import { fold } from '../files/file-class.ts';
import { looksHarmless, matchesSecret, withoutUserInfo } from './secret-values.ts';

export const maxSettingsLength = 64 * 1024;

const secretKey =
  /auth|password|passwd|token|username|email|otp|cert|keyfile|secret|credential|proxy|(?:^|[-_.:])(?:ca|key)$/i;
const registryKey = /registry|^npmScopes$|^@/i;

type Assignment = { key: string; value: string };

export function isRegistrySettings(file: string): boolean {
  return formatOf(file) !== undefined;
}

function formatOf(file: string): ((text: string) => string | undefined) | undefined {
  return formats.get(fold(path.basename(file)));
}

const formats = new Map([
  ['.npmrc', npmSettings],
  ['.pnpmrc', npmSettings],
  ['.yarnrc', yarnSettings],
  ['.yarnrc.yml', yamlSettings],
]);

/**
 * Returns settings of package registries as commands may read them: addresses without users, and no tokens,
 * passwords, proxies or comments. Returns undefined when anything is not understood, or when a line that names a
 * registry cannot be passed on: without it, packages would come from the public registry.
 */
export function withoutSecrets(file: string, text: string): string | undefined {
  if (text.length > maxSettingsLength || text.includes('\0')) return undefined;
  return formatOf(file)?.(text.replaceAll('\r\n', '\n'));
}

function judge({ key, value }: Assignment): { value: string } | 'drop' | 'lost' {
  if (key.startsWith('//') || (secretKey.test(key) && !registryKey.test(key))) return 'drop';
  const cut = withoutUserInfo(value);
  const isRegistry = registryKey.test(key);
  if (isRegistry && value === '') return 'lost';
  if (cut === undefined || matchesSecret(cut) || !looksHarmless(cut)) return isRegistry ? 'lost' : 'drop';
  return { value: cut };
}

/**
 * Rewrites lines of `key = value` as npm's `ini` reads them. npm ignores sections, so settings with sections are not
 * understood.
 */
function npmSettings(text: string): string | undefined {
  return eachLine(text, /^\s*[#;]/, (line) => {
    const [, key = '', value = 'true'] = /^([\w@./:-]+(?:\[\])?)(?:\s*=(.*))?$/.exec(line.trim()) ?? [];
    if (key === '') return undefined;
    const plain = unquoted(value.trim());
    return plain === undefined ? undefined : { key, value: plain, write: (kept) => `${key}=${kept}` };
  });
}

function yarnSettings(text: string): string | undefined {
  return eachLine(text, /^\s*#/, (line) => {
    const [, first = '', second = ''] = /^("[^"\\]*"|[^\s":]+):?(?:\s+("[^"\\]*"|[^\s"]+))?$/.exec(line.trim()) ?? [];
    const key = unquoted(first);
    const value = unquoted(second);
    if (!key || value === undefined || /^\s/.test(line)) return undefined;
    return { key, value, write: (kept) => `${JSON.stringify(key)} ${JSON.stringify(kept)}` };
  });
}

interface Line extends Assignment {
  write(value: string): string;
}

function eachLine(text: string, comment: RegExp, read: (line: string) => Line | undefined): string | undefined {
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || comment.test(line)) continue;
    const found = read(line);
    if (found === undefined) return undefined;
    const judged = judge(found);
    if (judged === 'lost') return undefined;
    if (judged !== 'drop') kept.push(found.write(judged.value));
  }
  return `${kept.join('\n')}\n`;
}

function yamlSettings(text: string): string | undefined {
  const kept: string[] = [];
  let droppedAt = Number.POSITIVE_INFINITY;
  for (const line of text.split('\n')) {
    if (/^\s*(?:#|$)/.test(line) || line === '---') continue;
    const indent = line.slice(0, line.search(/[^ ]|$/));
    const dash = line.startsWith('- ', indent.length) ? '- ' : '';
    const { key, rest } = yamlKey(line.slice(indent.length + dash.length));
    const value = unquoted(rest.trim());
    // A value that goes on in a later line has no key and no dash there.
    if (value === undefined || (key === '' && dash === '') || /^[&*!|>{[%@`?]/.test(rest.trim())) return undefined;
    if (indent.length > droppedAt || (indent.length === droppedAt && dash !== '')) {
      if (registryKey.test(key)) return undefined;
      continue;
    }
    droppedAt = Number.POSITIVE_INFINITY;
    const judged = value === '' && !secretKey.test(key) ? { value } : judge({ key, value });
    if (judged === 'lost') return undefined;
    if (judged === 'drop') droppedAt = indent.length;
    else
      kept.push(
        `${indent}${dash}${key === '' ? '' : `${JSON.stringify(key)}: `}${value && JSON.stringify(judged.value)}`,
      );
  }
  return `${kept.join('\n')}\n`;
}

function yamlKey(text: string): { key: string; rest: string } {
  const [, quoted, plain] = /^(?:"([\w@./:*-]+)"|([\w@./-]+)):(?= |$)/.exec(text) ?? [];
  const key = quoted ?? plain ?? '';
  return { key, rest: key === '' ? text : text.slice(key.length + (quoted === undefined ? 1 : 3)) };
}

function unquoted(text: string): string | undefined {
  if (text.includes('\\')) return undefined;
  const [, quote, inner = ''] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  const value = quote === undefined ? text : inner;
  return /["']/.test(value) ? undefined : value;
}
