import { lstatSync, readdirSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Placeholder } from './placeholders.ts';
import { parseGitConfig, textOf } from './survey/hooks.ts';

/**
 * Parts of git's data that lead elsewhere or name programs: read-only also where the rest may be written. The file `commondir`
 * would make another folder the place of settings and hooks; holding `.` it says that there is none.
 */
export function fixedGitData(folder: string): Placeholder[] {
  const part = (name: string, text?: string) => ({
    place: path.join(folder, name),
    ...(text !== undefined && { text }),
  });
  return [
    part('config', ''),
    part('config.worktree', ''),
    part('commondir', '.\n'),
    ...['hooks', 'info', 'modules', 'worktrees'].map((name) => part(name)),
  ];
}

/** So many at most, for repositories with many branches; below `objects` only the folders are looked at. */
const mostEntries = 50_000;

/** Links in git's data: git outside writes through one that stands for its log or a message. */
export function linksInGitData(folder: string): string[] {
  const links: string[] = [];
  const open = [{ place: folder, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined && count < mostEntries; next = open.pop()) {
    for (const entry of entriesOf(next.place)) {
      count++;
      const place = path.join(next.place, entry.name);
      if (entry.isSymbolicLink()) links.push(place);
      const isObjects = next.depth > 0 && path.relative(folder, place).startsWith('objects/');
      if (entry.isDirectory() && !isObjects) open.push({ place, depth: next.depth + 1 });
    }
  }
  return links;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export interface GitLook {
  /** After a command: links that are new are removed; gives these, and what is open and may name programs. */
  afterwards(): Promise<{ links: string[]; open: string[] }>;
}

/** Taken before a command that may write the data. */
export function lookAtGitData(folders: readonly string[]): GitLook {
  const known = new Set(folders.flatMap(linksInGitData));
  const openIn = () =>
    folders
      .flatMap((folder) => ['rebase-merge', 'rebase-apply'].map((name) => path.join(folder, name)))
      .filter((place) => lstatSync(place, { throwIfNoEntry: false }) !== undefined);
  const wasOpen = new Set(openIn());
  return {
    async afterwards() {
      const links = folders.flatMap(linksInGitData).filter((link) => !known.has(link));
      for (const link of links) await unlink(link).catch(() => undefined);
      return { links, open: openIn().filter((place) => !wasOpen.has(place)) };
    },
  };
}

/** The user's settings of git as commands see them: who commits, how lines end, and that every folder is theirs. */
export function gitSettingsFor(files: readonly string[]): string {
  const found = new Map<string, string>();
  for (const { section, name, value } of files.flatMap((file) => parseGitConfig(textOf(file)))) {
    const key = `${section}.${name}`;
    if (['user.name', 'user.email', 'core.autocrlf', 'init.defaultbranch'].includes(key)) found.set(key, value);
  }
  const lines = [...found].map(([key, value]) => {
    const [section = '', name = ''] = key.split('.');
    return `[${section}]\n\t${name} = "${value.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\n\0]/g, ' ')}"\n`;
  });
  return `${lines.join('')}[safe]\n\tdirectory = *\n`;
}
