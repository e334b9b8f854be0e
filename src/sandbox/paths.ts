import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { usualBytes } from '../base/read-regular.ts';

/** Returns whether `inner` is `outer` or inside of it. Both must be absolute and normalized. */
export function isWithin(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

export function isWithinAny(outer: readonly string[], inner: string): boolean {
  return outer.some((folder) => isWithin(folder, inner));
}

export function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter((inner) => !unique.some((other) => other !== inner && isWithin(other, inner)));
}

/** Splits a `PATH` without its relative entries, which would be searched in whatever folder is current. */
export function pathEntries(list: string | undefined): string[] {
  return (list ?? '')
    .split(':')
    .filter((entry) => path.isAbsolute(entry))
    .map((entry) => path.normalize(entry).replace(/(?<=.)\/$/, ''));
}

export function textOf(file: string): string {
  try {
    const found = statSync(file);
    return found.isFile() && found.size <= usualBytes ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function realPathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

export function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function plainMountPath(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
