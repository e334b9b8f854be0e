import { plainName } from '../../agent/argument-habits.ts';
import type { Arguments, OwnCall, ToolDialect } from '../../agent/dialect/dialect.ts';

/** As `argument-habits.ts` reads a path, for where it has to be known before. */
export const pathNames =
  'path filepath file filename targetfile absolutepath relativepath relativeworkspacepath directory dir dirpath folder targetdirectory';

/** Arguments by their plain names, so that `old_string`, `oldString` and `old-string` are one. Names are given as words in one text. */
export interface Given {
  all: Arguments;
  /** The first of these that is there. */
  value(names: string): unknown;
  /** The first of these that is a text with something in it, or a number. */
  text(names: string): string | undefined;
  /** One of these is true. */
  is(names: string): boolean;
  without(names: string): Record<string, unknown>;
  /** A name that is none of these. */
  other(names: string): string | undefined;
}

export function readGiven(all: Arguments): Given {
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
    other: (names) => Object.keys(all).find((name) => !isNamed(names, name)),
  };
}

/** A folder as it stands in front of a pattern: empty for the workspace, without slashes at its ends. */
export function folderIn(given: Given): string {
  const parts = (given.text(pathNames) ?? '').split('/');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** A tool whose arguments need no more than the habits that are known for all tools. */
export function alsoCalled(name: string, names: string): ToolDialect {
  return { names, translate: (args) => [{ name, arguments: args }] };
}

/** One call for each entry of a list under one of these names, with the rest of the arguments; the call as it is without one. */
export function eachOf(name: string, all: Arguments, lists: string, argument: string): OwnCall[] {
  const given = readGiven(all);
  const list = given.value(lists);
  if (!Array.isArray(list) || list.length === 0) return [{ name, arguments: all }];
  const rest = given.without(lists);
  return list.map((one: unknown) => ({
    name,
    arguments: typeof one === 'object' && one !== null ? { ...rest, ...one } : { ...rest, [argument]: one },
  }));
}
