import { parseLooseJson } from '../../../base/loose-json.ts';
import { writeOutInvisible } from '../../../shared/invisible-signs.ts';

/** Units are numbers from 0. A group without a message holds what the model left out. */
export interface Group {
  message: string;
  units: readonly number[];
}

const maxMessageLength = 5000;

/**
 * Returns the groups of a model's answer, with each of `count` units in exactly one. A unit named twice belongs to
 * the first group that names it, numbers that do not exist are ignored, and units named nowhere form the last group.
 * Returns an empty list when the answer has no group at all.
 */
export function readGroups(answer: string, count: number): Group[] {
  const left = new Set(Array.from({ length: count }, (_, at) => at));
  const groups: Group[] = [];
  for (const { message, numbers } of objectsIn(answer).flatMap(groupIn)) {
    const units = numbers.map((number) => number - 1).filter((unit) => left.delete(unit));
    if (units.length > 0) groups.push({ message, units: units.toSorted((a, b) => a - b) });
  }
  if (groups.length > 0 && left.size > 0) groups.push({ message: '', units: [...left] });
  return groups;
}

/** Finds every innermost object of the text, so that an answer that breaks off keeps everything before that point. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  let start = -1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (inString && sign === '\\') at++;
    else if (sign === '"' && start >= 0) inString = !inString;
    else if (inString) continue;
    else if (sign === '{') start = at;
    else if (sign === '}' && start >= 0) {
      found.push(readObject(text.slice(start, at + 1)));
      start = -1;
    }
  }
  return found;
}

function readObject(json: string): unknown {
  try {
    return parseLooseJson(json);
  } catch {
    return salvaged(json);
  }
}

function salvaged(json: string): unknown {
  const [list] = json.match(/\[[^[\]]{0,5000}\]/) ?? [];
  const before = list === undefined ? '' : json.slice(0, json.indexOf(list));
  const start = before.indexOf('"', before.indexOf(':'));
  const end = before.lastIndexOf('"', before.lastIndexOf(',') - 1);
  if (list === undefined || start < 0 || end <= start) return undefined;
  return {
    message: before.slice(start + 1, end),
    hunks: list
      .slice(1, -1)
      .split(',')
      .map((word) => word.trim()),
  };
}

function groupIn(value: unknown): { message: string; numbers: number[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.values(value);
  const numbers = members.flatMap((member: unknown) => (Array.isArray(member) ? member.flatMap(numbersIn) : []));
  const texts = members.filter((member) => typeof member === 'string');
  const [title = '', ...body] = texts;
  const message =
    'message' in value && typeof value.message === 'string' ? value.message : [title, ...body].join('\n\n');
  return numbers.length === 0 ? [] : [{ message: clean(message), numbers }];
}

function numbersIn(member: unknown): number[] {
  if (typeof member === 'number') return [member];
  const [, first, last = first] =
    /^\D{0,10}(\d{1,6})(?:\s*(?:-|–|\.\.)\s*(\d{1,6}))?\D{0,3}$/.exec(String(member)) ?? [];
  if (first === undefined) return [];
  const length = Math.min(Math.max(Number(last) - Number(first) + 1, 1), 10_000);
  return Array.from({ length }, (_, at) => Number(first) + at);
}

function clean(message: string): string {
  const text = message.slice(0, maxMessageLength).toWellFormed().replaceAll('\r\n', '\n');
  const lines = text.split('\n').map((line) => writeOutInvisible(line.trimEnd()));
  return lines.join('\n').trim();
}
