import type { CommandEnd, TurnFacts } from '../../shared/events.ts';
import { covers, readTestRun, type TestRun } from './test-run.ts';

export type Deed =
  | { kind: 'edit'; path: string; failed?: boolean }
  | { kind: 'command'; line: string; end: Partial<CommandEnd>; watched: boolean }
  | { kind: 'unknown' };

export interface TurnRecord {
  deeds: readonly Deed[];
  changed: readonly string[];
  said: string;
  answer: string;
  canEdit: boolean;
}

/**
 * Lists what a turn did, whatever its answer says; undefined for a turn that did nothing and speaks of no file. Words
 * of the answer are not judged: which of them claim something differs between languages and models, while what was
 * done is known.
 */
export function turnFactsOf(record: TurnRecord): TurnFacts | undefined {
  const { deeds, canEdit, answer } = record;
  if (deeds.length === 0 && !(canEdit && namesFile(answer))) return undefined;
  const changed = changedCount(record);
  const commands = deeds.flatMap((deed) => (deed.kind === 'command' ? [deed] : []));
  const test = lastTestOf(deeds);
  const last = test === undefined ? lastCommandOf(commands) : undefined;
  const failedEdit = failedEditOf(deeds);
  const unnamed = unnamedOf(record);
  return {
    commands: commands.length,
    ...(changed !== undefined && { changed }),
    ...(test ? { test } : deeds.some(isCodeEdit) && { untested: true as const }),
    ...(last && { last }),
    ...(failedEdit !== undefined && { failedEdit }),
    ...(unnamed.length > 0 && { unnamed }),
  };
}

function changedCount({ deeds, changed }: TurnRecord): number | undefined {
  const count = new Set(changed).size;
  // Others may have changed files that nobody looked at.
  const isWhole = deeds.every((deed) => deed.kind === 'edit' || (deed.kind === 'command' && deed.watched));
  return count > 0 || isWhole ? count : undefined;
}

function lastTestOf(deeds: readonly Deed[]): TurnFacts['test'] {
  const runs: { run: TestRun; editsSince: number }[] = [];
  for (const deed of deeds) {
    if (isCodeEdit(deed)) for (const one of runs) one.editsSince += 1;
    const run = deed.kind === 'command' ? readTestRun(deed.line, deed.end) : undefined;
    if (run) runs.push({ run, editsSince: 0 });
  }
  const isOpen = ({ run }: (typeof runs)[number], at: number) =>
    run.exitCode !== undefined &&
    run.exitCode !== 0 &&
    !runs.slice(at + 1).some(({ run: later }) => (later.exitCode ?? 0) === 0 && covers(later, run));
  const named = runs.findLast(isOpen) ?? runs.at(-1);
  if (named === undefined) return undefined;
  const { run, editsSince } = named;
  return { command: run.command, ...(run.exitCode !== undefined && { exitCode: run.exitCode }), editsSince };
}

function isCodeEdit(deed: Deed): boolean {
  return deed.kind === 'edit' && deed.failed !== true && !isProse(deed.path);
}

function lastCommandOf(commands: readonly Extract<Deed, { kind: 'command' }>[]): TurnFacts['last'] {
  const command = commands.at(-1);
  if (command === undefined) return undefined;
  const { exitCode, pipe = [] } = command.end;
  // The exit code of a pipe is that of its last part.
  const failedPart = pipe.find((code) => code !== 0 && code !== endedByReader);
  const code = exitCode === 0 ? (failedPart ?? 0) : exitCode;
  return { command: command.line, ...(code !== undefined && { exitCode: code }) };
}

// A program that wrote into a pipe whose reader had ended: 128 + SIGPIPE.
const endedByReader = 141;

function failedEditOf(deeds: readonly Deed[]): string | undefined {
  const edits = deeds.flatMap((deed) => (deed.kind === 'edit' ? [deed] : []));
  const isOpen = ({ path, failed }: (typeof edits)[number], at: number) =>
    failed === true && !edits.slice(at + 1).some((later) => later.path === path && later.failed !== true);
  return edits.findLast(isOpen)?.path;
}

function namesFile(text: string): boolean {
  return /`[^`\n]{1,200}`|[\p{L}\d_]\.[a-z]\w{0,5}(?![\p{L}\d])/u.test(text);
}

function isProse(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|CHANGELOG)$/i.test(path);
}

const maxUnnamed = 3;

/** Returns changed files that are missing in an answer that names most of them, since such an answer seems complete. */
function unnamedOf({ changed, said }: TurnRecord): string[] {
  const paths = [...new Set(changed)];
  const unnamed = paths.filter((path) => !names(said, path));
  return unnamed.length <= Math.min(maxUnnamed, paths.length / 2) ? unnamed : [];
}

function names(text: string, path: string): boolean {
  const name = baseName(path);
  if (text.includes(name)) return true;
  if (/test|spec/i.test(path) && /test|spec|测试|テスト/i.test(text)) return true;
  const words = name
    .replace(/(.)\.[^.]+$/, '$1')
    .split(/[^\p{L}\d]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter((word) => /\D/.test(word));
  const inWords = new RegExp(`(?<![\\p{L}\\d])${words.join('[^\\p{L}\\d]{0,3}')}(?![\\p{L}\\d])`, 'iu');
  if (words.join('').length > 2 && inWords.test(text)) return true;
  return path.split('/').some((folder, at, all) => at < all.length - 1 && text.includes(`${folder}/\``));
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/:\d{1,9}(?:-\d{1,9})?$/, '');
}
