import path from 'node:path';
import { fold } from '../files/file-class.ts';
import { hasSecretMark, looksHarmless, withoutUsers } from './secret-values.ts';

/** Longer settings of a registry are not understood. */
export const maxSettingsLength = 64 * 1024;

const secretKey =
  /auth|password|passwd|token|username|email|otp|cert|keyfile|secret|credential|proxy|(?:^|[-_.:])(?:ca|key)$/i;
const registryKey = /registry|^npmScopes$|^@/i;

type Assignment = { key: string; value: string };

/** A name of settings of package registries that `withoutSecrets` may understand. */
export function isRegistrySettings(file: string): boolean {
  return formatOf(file) !== undefined;
}

function formatOf(file: string): ((text: string) => string | undefined) | undefined {
  switch (fold(path.basename(file))) {
    case '.npmrc':
    case '.pnpmrc':
      return npmSettings;
    case '.yarnrc':
      return yarnSettings;
    case '.yarnrc.yml':
      return yamlSettings;
    default:
      return undefined;
  }
}

/**
 * Settings of package registries as commands may read them: addresses without users, no tokens, passwords, proxies, comments.
 * Undefined when anything in them is not understood, or when a line that names a registry could not be passed on: without it,
 * packages would come from the public one.
 */
export function withoutSecrets(file: string, text: string): string | undefined {
  if (text.length > maxSettingsLength || text.includes('\0')) return undefined;
  return formatOf(file)?.(text.replaceAll('\r\n', '\n'));
}

/** `drop`: holds, or may hold, a secret. */
function judge({ key, value }: Assignment): { value: string } | 'drop' | 'lost' {
  if (key.startsWith('//') || (secretKey.test(key) && !registryKey.test(key))) return 'drop';
  const cut = withoutUsers(value);
  const isRegistry = registryKey.test(key);
  if (isRegistry && value === '') return 'lost';
  if (cut === undefined || hasSecretMark(cut) || !looksHarmless(cut)) return isRegistry ? 'lost' : 'drop';
  return { value: cut };
}

/** Lines of `key = value`, as npm's `ini` reads them. Sections mean nothing to npm: what has some is not understood. */
function npmSettings(text: string): string | undefined {
  return eachLine(text, /^\s*[#;]/, (line) => {
    const [, key = '', value = 'true'] = /^([\w@./:-]+(?:\[\])?)(?:\s*=(.*))?$/.exec(line.trim()) ?? [];
    if (key === '') return undefined;
    const plain = unquoted(value.trim());
    return plain === undefined ? undefined : { key, value: plain, write: (kept) => `${key}=${kept}` };
  });
}

/** Lines of `key value`, each perhaps in quotes. */
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

/** Maps, lists and values of one line each; whatever else YAML can say is not understood. */
function yamlSettings(text: string): string | undefined {
  const kept: string[] = [];
  /** The indentation of a key that was dropped: everything below it goes with it. */
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

/** The text of a line up to the first colon that ends a word, when it can be a name. */
function yamlKey(text: string): { key: string; rest: string } {
  const [, quoted, plain] = /^(?:"([\w@./:*-]+)"|([\w@./-]+)):(?= |$)/.exec(text) ?? [];
  const key = quoted ?? plain ?? '';
  return { key, rest: key === '' ? text : text.slice(key.length + (quoted === undefined ? 1 : 3)) };
}

/** Undefined for what begins or ends with a quote only, or holds an escape. */
function unquoted(text: string): string | undefined {
  if (text.includes('\\')) return undefined;
  const [, quote, inner = ''] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  const value = quote === undefined ? text : inner;
  return /["']/.test(value) ? undefined : value;
}
