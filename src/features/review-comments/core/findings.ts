import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Anchor, anchorAt, anchorSchema } from './anchor.ts';
import type { ChangedLines } from './changed-lines.ts';

export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

export const findingSchema = z.object({
  id: z.string(),
  uri: z.string(),
  path: z.string(),
  anchor: anchorSchema,
  severity: z.enum(severities),
  title: z.string(),
  why: z.string(),
  /** Replaces exactly the lines of the anchor. */
  replacement: z.optional(z.array(z.string())),
});
export type Finding = z.infer<typeof findingSchema>;

/** The line counts from 1. */
export interface Reported {
  path: string;
  quote: string;
  line: number;
  severity: Severity;
  title: string;
  why: string;
  replacement?: string | undefined;
}

export interface ReviewedFile {
  uri: string;
  lines: readonly string[];
}

export type LocateResult = { anchor: Anchor; replacement?: string[] } | { problem: string; isMisquoted?: true };

export interface LocateDeps {
  files: ReadonlyMap<string, ReviewedFile>;
  hunks: readonly ChangedLines[];
  known: readonly Pick<Finding, 'uri' | 'anchor'>[];
  isDismissed(hash: string): boolean;
}

const near = 3;
const shownAround = 4;

/** Locates a finding by what it quotes; line numbers only choose between equal places. */
export function locateFinding({ files, hunks, known, isDismissed }: LocateDeps, reported: Reported): LocateResult {
  const file = files.get(reported.path);
  if (file === undefined) {
    return {
      problem: `Not reported: ${reported.path} is not under review. Under review: ${[...files.keys()].join(', ')}.`,
    };
  }
  const { lines, uri } = file;
  const quote = quotedLines(reported.quote);
  const places = quote.length === 0 ? [] : placesOf(lines, quote);
  const wanted = reported.line - 1;
  const [first] = places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  if (first === undefined) return { problem: misquoted(reported, lines), isMisquoted: true };
  const anchor = anchorAt(lines, first, quote.length);
  const end = first + quote.length;
  const touches = hunks.some(
    (one) => one.path === reported.path && first <= one.first + one.count + near && end >= one.first - near,
  );
  if (!touches) return { problem: 'Not reported: these lines did not change. Report only what the changes bring.' };
  const overlaps = known.some(
    (one) => one.uri === uri && one.anchor.first < end && one.anchor.first + one.anchor.count > first,
  );
  if (overlaps) return { problem: 'Not reported: there is a finding at these lines already.' };
  if (isDismissed(hashOf(uri, anchor))) return { problem: 'Not reported: the user has dismissed this.' };
  const replacement = reported.replacement === undefined ? undefined : indented(reported, lines.slice(first, end));
  return replacement === undefined ? { anchor } : { anchor, replacement };
}

export function hashOf(uri: string, { quote }: Anchor): string {
  return createHash('sha256')
    .update(JSON.stringify([uri, quote]))
    .digest('base64');
}

/** Splits a quote into lines without the numbers and signs that models copy from what they were shown. */
function quotedLines(quote: string): string[] {
  const lines = quote.replaceAll('\r\n', '\n').split('\n');
  const shown = /^(?: *\d+ [ +]|\+)/;
  const bare = lines.every((line) => line.trim() === '' || shown.test(line))
    ? lines.map((line) => line.replace(shown, ''))
    : lines;
  const from = bare.findIndex((line) => line.trim() !== '');
  return from < 0 ? [] : bare.slice(from, bare.findLastIndex((line) => line.trim() !== '') + 1);
}

function placesOf(lines: readonly string[], quote: readonly string[]): number[] {
  const wanted = quote.map((line) => line.trim());
  return lines.flatMap((_, at) => (wanted.every((line, offset) => lines[at + offset]?.trim() === line) ? [at] : []));
}

function misquoted({ path, line }: Reported, lines: readonly string[]): string {
  const from = Math.max(0, Math.min(line - 1, lines.length) - shownAround);
  const around = lines.slice(from, from + 2 * shownAround + 1).map((text, at) => `${from + at + 1} ${text}`);
  return `Not reported: the quote is not in ${path}. Quote whole lines exactly, without numbers. Around line ${line} it has:\n${around.join('\n')}`;
}

/**
 * Gives the replacement the file's indentation where the quote has lost it, because then the replacement has lost it
 * too.
 */
function indented({ quote, replacement = '' }: Reported, lines: readonly string[]): string[] {
  const fresh = replacement.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  if (replacement === '') return [];
  const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? '';
  const [real, given] = [indentOf(lines[0] ?? ''), indentOf(quotedLines(quote)[0] ?? '')];
  const isLost = given === '' && real !== '' && indentOf(fresh[0] ?? '') === '';
  return isLost ? fresh.map((line) => (line === '' ? line : `${real}${line}`)) : fresh;
}

const maxFindings = 10;

export function worst<Some extends { severity: Severity }>(
  all: readonly Some[],
  mildest: Severity,
): { shown: Some[]; left: number } {
  const rank = ({ severity }: { severity: Severity }) => severities.indexOf(severity);
  const wanted = all.filter((one) => rank(one) <= severities.indexOf(mildest)).toSorted((a, b) => rank(a) - rank(b));
  return { shown: wanted.slice(0, maxFindings), left: all.length - Math.min(wanted.length, maxFindings) };
}
