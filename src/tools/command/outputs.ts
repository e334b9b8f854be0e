import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReadPlace } from '../../files/read-place.ts';
import { around, withoutMiddle } from './head-tail.ts';

interface Run {
  turnId: string;
  callId: string;
}

/**
 * Stores long outputs of a conversation's commands as files that are deleted with the conversation. Models know them
 * as `command-output/…`.
 */
export interface Outputs {
  keep(run: Run, text: string): Promise<string>;
  find(turnId: string, typed: string): ReadPlace | undefined;
}

const shownFolder = 'command-output';
export const maxFiles = 40;

export function createOutputs(folderOf: (turnId: string) => string): Outputs {
  return {
    async keep({ turnId, callId }, text) {
      const folder = folderOf(turnId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${callId}.txt`;
      await writeFile(path.join(folder, name), text, { mode: 0o600 });
      // The number of a call shows its age.
      const byAge = (await readdir(folder)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
      const old = byAge.slice(0, -maxFiles);
      await Promise.all(old.map((one) => rm(path.join(folder, one), { force: true })));
      return `${shownFolder}/${name}`;
    },
    find(turnId, typed) {
      const [, name] = /^command-output\/([\w-]+\.txt)$/.exec(typed) ?? [];
      if (name === undefined) return undefined;
      const folder = folderOf(turnId);
      const root = { name: shownFolder, uri: pathToFileURL(folder).href, fsPath: folder };
      return { place: { root, path: name }, shown: typed, confirm: async () => undefined };
    },
  };
}

/**
 * Everything here is sent again with every later step. The end is longer, because programs print their failures
 * there.
 */
const shownByDefault = { head: 3000, tail: 9000 };

const showsError = /\b(?:error|fail(?:ed|ure)?|exception|panic|fatal|traceback)\b/i;
const showsNone = /\b(?:0|no) (?:errors?|failed|failures?)\b/i;

export async function reportOutput(text: string, run: Run, outputs?: Outputs, shown = shownByDefault): Promise<string> {
  if (text.length <= shown.head + shown.tail) return text.trimEnd();
  const ends = withoutMiddle(text, shown.head, shown.tail);
  const first = ends.head.split('\n').length;
  const lines = ends.middle.split('\n');
  const errors = lines.filter((line) => showsError.test(line) && !showsNone.test(line)).length;
  const where = await outputs?.keep(run, text).catch(() => undefined);
  const report = [
    `lines ${first}–${first + Math.max(0, lines.length - 2)} left out (${ends.middle.length} characters)`,
    ...(errors > 0 ? [`${errors} of them with errors`] : []),
    ...(where === undefined ? [] : [`read_file ${where} has them`]),
  ];
  return around(ends, `[… ${report.join('; ')} …]`).trimEnd();
}

const leastAlike = 10;
const leastShare = 1 / 3;

/**
 * Leaves out lines that begin or end alike where a line below says how many they are, as a run of tests does of those
 * that passed. Where the run failed, lines that speak of errors are what was asked for.
 */
export async function withoutCounted(text: string, run: Run, outputs?: Outputs, hasFailed = false): Promise<string> {
  const lines = text.split('\n');
  const words = lines.map((line) => line.trim().replaceAll(/\d+/g, '0').split(/\s+/));
  for (const side of [-1, 0]) {
    const groups = Map.groupBy(lines.keys(), (at) => (words[at]?.length === 1 ? '' : (words[at]?.at(side) ?? '')));
    groups.delete('');
    const [alike = []] = [...groups.values()].sort((a, b) => b.length - a.length);
    const [first = 0] = alike;
    const count = alike.length;
    const below = lines.slice((alike.at(-1) ?? 0) + 1).join('\n');
    const isCounted = new RegExp(`(?<![\\d.,])${count} \\p{L}|\\p{L}:? ${count}$|\\.\\.${count}$`, 'mu').test(below);
    if (count < leastAlike || count < leastShare * lines.length || !isCounted) continue;
    if (hasFailed && alike.some((at) => showsError.test(lines[at] ?? ''))) continue;
    const out = new Set(alike.slice(1));
    const kept = lines.filter((_, at) => !out.has(at));
    // What is still too long has its middle left out instead.
    if (kept.join('\n').length > shownByDefault.head + shownByDefault.tail) continue;
    const where = await outputs?.keep(run, text).catch(() => undefined);
    const note = `[… ${count - 1} lines like it left out${where === undefined ? '' : `; read_file ${where} has them`} …]`;
    return kept.toSpliced(first + 1, 0, note).join('\n');
  }
  return text;
}
