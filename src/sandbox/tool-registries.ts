import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'smol-toml';
import { closedRegistry } from './environment.ts';
import { maxSettingsLength } from './registry-settings.ts';
import { looksHarmless, matchesSecret, withoutUserInfo } from './secret-values.ts';

interface RegistrySettings {
  places: readonly string[];
  read(text: string): string | undefined;
  /** Replaces settings that are not passed on: without any, packages would come from the public registry. */
  closed: string;
}

export const toolRegistries: readonly RegistrySettings[] = [
  {
    places: ['.config/pip/pip.conf', '.pip/pip.conf'],
    read: iniSettings,
    closed: `[global]\nindex-url = ${closedRegistry}\n`,
  },
  {
    places: ['.config/uv/uv.toml'],
    read: tomlSettings,
    closed: `[[index]]\nurl = "${closedRegistry}"\ndefault = true\n`,
  },
  {
    places: ['.cargo/config.toml', '.cargo/config'],
    read: tomlSettings,
    closed: `[source.crates-io]\nreplace-with = "hidden"\n[source.hidden]\nregistry = "${closedRegistry}"\n`,
  },
  {
    places: ['.m2/settings.xml'],
    read: xmlSettings,
    closed: `<settings><mirrors><mirror><id>hidden</id><mirrorOf>*</mirrorOf><url>${closedRegistry}</url></mirror></mirrors></settings>\n`,
  },
  {
    places: ['.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config', 'nuget.config'],
    read: xmlSettings,
    closed: `<configuration><packageSources><clear /><add key="hidden" value="${closedRegistry}index.json" /></packageSources></configuration>\n`,
  },
];

export function seenAs({ read, closed }: RegistrySettings, text: string): string {
  if (text.length > maxSettingsLength || text.includes('\0')) return closed;
  return read(text.replaceAll('\r\n', '\n')) ?? closed;
}

/**
 * Commands write into the home folder of their conversation, so whatever should be a folder there and is not is
 * removed.
 */
export async function clearWay(home: string, name: string): Promise<void> {
  const folders = path.dirname(name).split('/');
  for (const [at] of folders.entries()) {
    const folder = path.join(home, ...folders.slice(0, at + 1));
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() === false) await rm(folder);
  }
}

const secretName =
  /auth|password|passwd|passphrase|token|username|email|cert|key-?file|private|secret|credential|proxy|ca-?info|(?:^|[-_.])(?:ca|api-?key)$/i;
const registryName = /regist|index|source|repositor|replace|mirror|url|link|channel|host/i;

class Lost extends Error {}

function passed(name: string, value: string): string | undefined {
  if (secretName.test(name.split('.').at(-1) ?? '')) return undefined;
  const cut = withoutUserInfo(value);
  if (cut !== undefined && !matchesSecret(cut) && looksHarmless(cut)) return cut;
  if (registryName.test(name)) throw new Lost(name);
  return undefined;
}

function orLost(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    // Also what no parser reads.
    return undefined;
  }
}

function iniSettings(text: string): string | undefined {
  return orLost(() => {
    const kept: string[] = [];
    let section = '';
    let key = '';
    for (const line of text.split('\n')) {
      if (/^\s*(?:[#;]|$)/.test(line)) continue;
      const title = /^\[([\w.-]+)\]$/.exec(line.trim())?.[1];
      const [, name, value = ''] = /^([\w-]+)[ \t]*[=:](.*)$/.exec(line) ?? [];
      const isMore = /^\s/.test(line) && key !== '';
      if (title === undefined && name === undefined && !isMore) return undefined;
      if (title !== undefined) {
        section = title;
        key = '';
        kept.push(`[${title}]`);
        continue;
      }
      if (name !== undefined) key = name;
      const found = passed(`${section}.${key}`, (name === undefined ? line : value).trim());
      if (found !== undefined) kept.push(name === undefined ? `    ${found}` : `${name} = ${found}`);
    }
    return `${kept.join('\n')}\n`;
  });
}

function tomlSettings(text: string): string | undefined {
  const kept = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return passed(name, value);
    if (Array.isArray(value)) return value.flatMap((each) => kept(name, each) ?? []);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    const entries = Object.entries(value).flatMap(([key, each]) => {
      const inner = secretName.test(key) ? undefined : kept(name === '' ? key : `${name}.${key}`, each);
      return inner === undefined ? [] : [[key, inner]];
    });
    return Object.fromEntries(entries);
  };
  return orLost(() => stringify(kept('', parse(text))));
}

const tag = /^<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*"[^"<]*")*)\s*(\/?)>$/;
const secretElement =
  /^(?:servers|proxies|packageSourceCredentials|apikeys|config|trustedSigners|clientCertificates)$/i;

function xmlSettings(text: string): string | undefined {
  return orLost(() => {
    const plain = withoutComments(text.replace(/^\uFEFF?\s*<\?xml [^<>]*\?>/, ''));
    const open: string[] = [];
    let droppedAt = Number.POSITIVE_INFINITY;
    let kept = '';
    for (const part of plain.split(/(<[^<>]*>)/)) {
      if (!part.startsWith('<')) {
        const value = part.trim();
        if (open.length < droppedAt && value !== '') kept += passed(open.join('.'), value) ?? '';
        continue;
      }
      const [, close, name = '', attributes = '', single] = tag.exec(part) ?? [];
      if (name === '') return undefined;
      if (close) {
        if (open.at(-1) !== name) return undefined;
        if (open.length < droppedAt) kept += `</${name}>\n`;
        open.pop();
        if (open.length < droppedAt) droppedAt = Number.POSITIVE_INFINITY;
        continue;
      }
      const isKept = open.length < droppedAt;
      open.push(name);
      const shown = secretElement.test(name) ? undefined : attributesPassed(open.join('.'), attributes);
      if (isKept && shown === undefined) droppedAt = open.length;
      if (open.length < droppedAt) kept += `<${name}${shown}${single ? ' /' : ''}>${single ? '\n' : ''}`;
      if (!single) continue;
      open.pop();
      if (open.length < droppedAt) droppedAt = Number.POSITIVE_INFINITY;
    }
    return open.length > 0 ? undefined : `${kept}\n`;
  });
}

function attributesPassed(element: string, text: string): string | undefined {
  const found = [...text.matchAll(/\s([\w.:-]+)\s*=\s*"([^"]*)"/g)].map(([, name = '', value = '']) => ({
    name,
    value,
  }));
  const key = found.find(({ name }) => name === 'key')?.value ?? '';
  let shown = '';
  for (const { name, value } of found) {
    const isAddress = /^xmlns(?::|$)|^xsi:/.test(name);
    const cut = isAddress ? value : passed(`${element}.${name === 'value' ? key : name}`, value);
    if (cut === undefined) return undefined;
    shown += ` ${name}="${cut}"`;
  }
  return shown;
}

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  const after = rest.map((part) => {
    const end = part.indexOf('-->');
    if (end < 0) throw new Error('a comment without an end');
    return part.slice(end + 3);
  });
  return first + after.join('');
}
