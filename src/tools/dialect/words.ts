import { plainName } from '../../agent/argument-habits.ts';
import type { Arguments, OwnCall, ToolDialect } from '../../agent/dialect/dialect.ts';

/** Arguments by their plain name, so that `old_string`, `oldString` and `old-string` are one. */
export function byPlainName(args: Arguments): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(args).map(([name, value]) => [plainName(name), value]));
}

/** Without those of these plain names. */
export function without(args: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(plainName(name))));
}

/** The first of these that is a text with something in it. */
export function textOf(args: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** As `argument-habits.ts` reads a path, for where it has to be known before. */
export const pathNames = [
  ...['path', 'filepath', 'file', 'filename', 'targetfile', 'absolutepath', 'relativepath', 'relativeworkspacepath'],
  ...['directory', 'dir', 'dirpath', 'folder', 'targetdirectory'],
];

/** A folder as it stands in front of a pattern: empty for the workspace, without slashes at its ends. */
export function folderIn(args: ReadonlyMap<string, unknown>): string {
  const parts = (textOf(args, pathNames) ?? '').split('/');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** A tool whose arguments need no more than the habits that are known for all tools. */
export function alsoCalled(name: string, names: readonly string[]): ToolDialect {
  return { names, translate: (args) => [{ name, arguments: args }] };
}

/** One call for each text of a list under one of these names, with the rest of the arguments; the call as it is without one. */
export function eachOf(name: string, args: Arguments, lists: readonly string[], argument: string): OwnCall[] {
  const [key, value] = Object.entries(args).find(([written]) => lists.includes(plainName(written))) ?? [];
  if (key === undefined || !Array.isArray(value) || value.length === 0) return [{ name, arguments: args }];
  const { [key]: _, ...rest } = args;
  return value.map((one: unknown) => ({
    name,
    arguments: typeof one === 'object' && one !== null ? { ...rest, ...one } : { ...rest, [argument]: one },
  }));
}
