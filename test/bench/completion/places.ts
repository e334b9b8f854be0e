import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { between, pick, type Random } from '../edits/case.ts';

/** A file of a repository, with `\n` ends. */
export interface Source {
  /** Repository and path, for people. */
  name: string;
  text: string;
}

/** A text that was cut out of a file: whoever completes there should bring it back. */
export interface CutPlace {
  source: string;
  languageId: string;
  kind: string;
  before: string;
  original: string;
  after: string;
}

const languages: Record<string, string> = {
  py: 'python',
  java: 'java',
  ts: 'typescript',
  rs: 'rust',
  c: 'c',
  h: 'c',
  rb: 'ruby',
  cs: 'csharp',
  go: 'go',
  js: 'javascript',
};
const maxFileLength = 120_000;
const maxLineLength = 300;
const maxFiles = 250;

/** The files of source code below a folder, in a fixed order. */
export function readFolder(folder: string): Source[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
  return chosen(names, (name) => readFileSync(path.join(folder, name), 'utf8'));
}

/** Those of one commit, from a folder with its history, given as `folder@commit`. */
export function readSources(range: string): Source[] {
  const [, folder = '', commit = 'HEAD'] = /^(.+?)(?:@([^@]+))?$/.exec(range) ?? [];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const names = git('-c', 'core.quotePath=off', 'ls-tree', '-r', '--name-only', commit).split('\n');
  return chosen(names, (name) => git('show', `${commit}:${name}`));
}

function chosen(names: readonly string[], read: (name: string) => string): Source[] {
  const wanted = names.filter((name) => languageOf(name) !== undefined && !/\.(?:min|d)\.\w+$/.test(name));
  const step = Math.max(1, Math.floor(wanted.length / maxFiles));
  return wanted
    .filter((_name, at) => at % step === 0)
    .map((name) => ({
      name,
      text: read(name)
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n'),
    }))
    .filter(({ text }) => text.length >= 400 && text.length <= maxFileLength)
    .filter(({ text }) => text.split('\n').every((line) => line.length <= maxLineLength));
}

function languageOf(name: string): string | undefined {
  return languages[name.slice(name.lastIndexOf('.') + 1)];
}

type Cut = (random: Random, lines: readonly string[], at: number) => { from: number; to: number } | undefined;

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
const isFilled = (line = ''): boolean => line.trim() !== '';
const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

/** Positions are offsets from the start of the line `at`. */
const cuts: Record<string, Cut> = {
  'the rest of a line'(random, lines, at) {
    const line = lines[at] ?? '';
    const starts = [...line.matchAll(/(?<=[\s([{.,=])[\p{L}\p{N}_$"'([{]/gu)].map(({ index }) => index);
    const from = starts.filter((start) => start > indentOf(line) && line.length - start >= 3);
    return from.length === 0 ? undefined : { from: pick(random, from), to: line.trimEnd().length };
  },
  'a line from its indentation'(_random, lines, at) {
    const line = lines[at] ?? '';
    return line.trim().length < 3 ? undefined : { from: indentOf(line), to: line.trimEnd().length };
  },
  'several lines from the indentation'(random, lines, at) {
    const line = lines[at] ?? '';
    const last = at + between(random, 1, 7);
    if (!isFilled(line) || !isFilled(lines[last])) return undefined;
    return { from: indentOf(line), to: lengthOf(lines.slice(at, last)) + (lines[last] ?? '').trimEnd().length };
  },
  'lines behind the end of a line'(random, lines, at) {
    const line = lines[at] ?? '';
    const last = at + between(random, 1, 6);
    if (!/[{;:}]$/.test(line) || !isFilled(lines[at + 1]) || !isFilled(lines[last])) return undefined;
    return { from: line.length, to: lengthOf(lines.slice(at, last)) + (lines[last] ?? '').trimEnd().length };
  },
  'the middle of a word'(random, lines, at) {
    const line = lines[at] ?? '';
    const words = [...line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]{4,}/gu)];
    if (words.length === 0) return undefined;
    const word = pick(random, words);
    return { from: word.index + between(random, 2, 3), to: line.trimEnd().length };
  },
  'what stands in brackets'(random, lines, at) {
    const line = lines[at] ?? '';
    const inner = [...line.matchAll(/(?<=[([{])[^()[\]{}]{3,}(?=[)\]}])/g)];
    if (inner.length === 0) return undefined;
    const found = pick(random, inner);
    return found[0].trim() === '' || found[0] !== found[0].trim()
      ? undefined
      : { from: found.index, to: found.index + found[0].length };
  },
};

/** As many places as are wanted, of every kind, from all over the sources. */
export function cutPlaces(random: Random, sources: readonly Source[], count: number): CutPlace[] {
  const kinds = Object.entries(cuts);
  const places: CutPlace[] = [];
  while (places.length < count) {
    const [kind, cut] = kinds[places.length % kinds.length] ?? pick(random, kinds);
    const { name, text } = pick(random, sources);
    const lines = text.split('\n');
    const at = between(random, 0, lines.length - 2);
    const found = cut(random, lines, at);
    if (found === undefined || found.from >= found.to) continue;
    const start = lengthOf(lines.slice(0, at));
    const original = text.slice(start + found.from, start + found.to);
    places.push({
      source: `${name}:${at + 1}`,
      languageId: languageOf(name) ?? '',
      kind,
      before: text.slice(0, start + found.from),
      original,
      after: text.slice(start + found.to),
    });
  }
  return places;
}
