import { isCommentary, plainName } from '../../agent/argument-habits.ts';
import type { Arguments, ToolDialect, TranslatedCall } from '../../agent/dialect/dialect.ts';

export const pathNames =
  'path filepath file filename targetfile absolutepath relativepath relativeworkspacepath directory dir dirpath folder targetdirectory';

/**
 * Reads arguments by their plain names, so that `old_string`, `oldString` and `old-string` are one. Names are given
 * as words in one text.
 */
export interface NamedArguments {
  all: Arguments;
  value(names: string): unknown;
  text(names: string): string | undefined;
  is(names: string): boolean;
  without(names: string): Record<string, unknown>;
  /** Returns the name of an argument that is none of these and changes something. */
  other(names: string): string | undefined;
}

export function readNamed(all: Arguments): NamedArguments {
  const plain = new Map(Object.entries(all).map(([name, value]) => [plainName(name), value]));
  const values = (names: string) => names.split(' ').map((name) => plain.get(name));
  const isNamed = (names: string, name: string) => names.split(' ').includes(plainName(name));
  return {
    all,
    value: (names) => values(names).find((value) => value !== undefined && value !== null),
    text: (names) =>
      values(names)
        .map((value) => (typeof value === 'number' ? String(value) : value))
        .find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined,
    is: (names) => values(names).some((value) => String(value).toLowerCase() === 'true'),
    without: (names) => Object.fromEntries(Object.entries(all).filter(([name]) => !isNamed(names, name))),
    other: (names) =>
      Object.entries(all).find(([name, value]) => !isNamed(names, name) && !isCommentary(name, value))?.[0],
  };
}

/** Returns the folder in the form that precedes a pattern: empty for the workspace, without slashes at its ends. */
export function folderIn(given: NamedArguments): string {
  const parts = (given.text(pathNames) ?? '').split('/');
  const folder = parts.filter((part) => part !== '' && part !== '.').join('/');
  return folder !== '' && parts[0] === '' ? `/${folder}` : folder;
}

/** Makes the dialect of a tool whose arguments need no more than the habits that are known for all tools. */
export function alsoCalled(name: string, names: string): ToolDialect {
  return { names, translate: (args) => [{ name, arguments: args }] };
}

/**
 * Makes one call for each entry of a list under one of these names, with the rest of the arguments. Without a list it
 * returns the call as it is.
 */
export function eachOf(name: string, all: Arguments, lists: string, argument: string): TranslatedCall[] {
  const given = readNamed(all);
  const list = given.value(lists);
  if (!Array.isArray(list) || list.length === 0) return [{ name, arguments: all }];
  const rest = given.without(lists);
  return list.map((one: unknown) => ({
    name,
    arguments: typeof one === 'object' && one !== null ? { ...rest, ...one } : { ...rest, [argument]: one },
  }));
}
