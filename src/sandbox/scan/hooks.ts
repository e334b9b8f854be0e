import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { isWithin, namesIn, realPathOf, textOf } from '../paths.ts';

export interface HooksInput {
  roots: readonly string[];
  home: string;
  repositories: readonly string[];
  gitSettings: readonly string[];
}

/** `behind` is a link on the way to hooks that a command could replace. */
export type Hooks = { places: string[]; behind?: string };

/**
 * Finds everything inside of a root that git runs or obeys outside of any `.git`: folders of hooks, targets of hooks
 * that are links, and files that git's settings include. Conditions of settings count as met.
 */
export function findHooks({ roots, home, repositories, gitSettings }: HooksInput): Hooks {
  const places = new Set<string>();
  let behind: string | undefined;
  const isInside = (place: string) => roots.some((root) => isWithin(root, place) && place !== root);
  const obey = (place: string) => {
    const real = realPathOf(place);
    if (real === undefined) return;
    if (isInside(place) && real !== place) behind ??= place;
    if (isInside(real)) places.add(real);
  };
  const named = (value: string, from: string) =>
    value.startsWith('~/') ? path.join(home, value.slice(2)) : path.resolve(from, value);
  const settingsOf = (files: readonly string[]) =>
    readSettings(files, named).flatMap(({ file, name, value }) => {
      if (name === 'hookspath') return [value];
      obey(named(value, path.dirname(file)));
      return [];
    });
  const everywhere = settingsOf(gitSettings);
  for (const gitPlace of new Set([...repositories, ...roots.flatMap(repositoryAround)])) {
    const base = path.dirname(gitPlace);
    const folders = foldersOf(gitPlace);
    const values = settingsOf(
      folders.flatMap((folder) => ['config', 'config.worktree'].map((name) => `${folder}/${name}`)),
    );
    for (const value of [...values, ...everywhere]) obey(named(value, base));
    for (const folder of folders) for (const link of linksIn(path.join(folder, 'hooks'))) obey(link);
  }
  return { places: [...places], behind };
}

function repositoryAround(root: string): string[] {
  for (let folder = root; folder !== path.dirname(folder); ) {
    folder = path.dirname(folder);
    const place = path.join(folder, '.git');
    if (realPathOf(place) !== undefined) return [place];
  }
  return [];
}

function foldersOf(gitPlace: string): string[] {
  const text = textOf(gitPlace);
  if (text === '') return [gitPlace];
  if (!text.startsWith('gitdir:')) return [];
  const data = path.resolve(path.dirname(gitPlace), text.slice('gitdir:'.length).trim());
  const common = textOf(path.join(data, 'commondir')).trim();
  return common === '' ? [data] : [data, path.resolve(data, common)];
}

function linksIn(folder: string): string[] {
  const link = linkOf(folder);
  if (link !== undefined) return [link];
  return namesIn(folder).flatMap((name) => linkOf(path.join(folder, name)) ?? []);
}

function linkOf(place: string): string | undefined {
  try {
    return path.resolve(path.dirname(place), readlinkSync(place));
  } catch {
    return undefined;
  }
}

interface Setting {
  file: string;
  name: 'hookspath' | 'path';
  value: string;
}

const maxFiles = 50;

function readSettings(files: readonly string[], named: (value: string, from: string) => string): Setting[] {
  const settings: Setting[] = [];
  const open = [...files];
  const seen = new Set<string>();
  for (let file = open.shift(); file !== undefined && seen.size < maxFiles; file = open.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { section, name, value } of parseGitConfig(textOf(file))) {
      if (section === 'core' && name === 'hookspath') settings.push({ file, name, value });
      if (!section.startsWith('include') || name !== 'path') continue;
      settings.push({ file, name, value });
      open.push(named(value, path.dirname(file)));
    }
  }
  return settings;
}

interface Assignment {
  section: string;
  name: string;
  value: string;
}

export function parseGitConfig(text: string): Assignment[] {
  const found: Assignment[] = [];
  let section = '';
  let at = 0;
  const skipLine = () => {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end + 1;
  };
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (/\s/.test(sign)) at++;
    else if (sign === '#' || sign === ';') skipLine();
    else if (sign === '[') {
      let end = at + 1;
      for (let isQuoted = false; end < text.length && (isQuoted || text[end] !== ']'); end++) {
        if (text[end] === '\n') break;
        if (text[end] === '\\') end++;
        else if (text[end] === '"') isQuoted = !isQuoted;
      }
      section = (text.slice(at + 1, end).split(/[\s."]/, 1)[0] ?? '').toLowerCase();
      at = end + 1;
    } else {
      const start = at;
      while (at < text.length && !/[=\n]/.test(text[at] ?? '')) at++;
      const name = text.slice(start, at).trim().toLowerCase();
      if (text[at] !== '=') continue;
      const { value, end } = readValue(text, at + 1);
      if (value !== '') found.push({ section, name, value });
      at = end;
    }
  }
  return found;
}

function readValue(text: string, start: number): { value: string; end: number } {
  let value = '';
  let blanks = '';
  let isQuoted = false;
  let at = start;
  for (; at < text.length && text[at] !== '\n'; at++) {
    const sign = text[at] ?? '';
    if (!isQuoted && (sign === '#' || sign === ';')) {
      const end = text.indexOf('\n', at);
      return { value, end: end < 0 ? text.length : end };
    }
    if (!isQuoted && /\s/.test(sign)) {
      if (value !== '') blanks += sign;
      continue;
    }
    let kept = sign;
    if (sign === '"') {
      isQuoted = !isQuoted;
      kept = '';
    } else if (sign === '\\') {
      at++;
      if (text[at] === '\r' && text[at + 1] === '\n') at++;
      kept = { n: '\n', t: '\t', b: '\b', '\n': '' }[text[at] ?? ''] ?? text[at] ?? '';
    }
    value += blanks + kept;
    blanks = '';
  }
  return { value, end: at };
}
