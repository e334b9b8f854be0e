import type { CommandEnd, TurnFacts } from '../../shared/events.ts';
import { claimedChange } from './claimed-change.ts';
import { covers, readTestRun, type TestRun } from './test-run.ts';

/** One call of a turn, as far as it did anything. */
export type Deed =
  | { kind: 'edit'; path: string }
  /** `watched`: the files of the workspace were looked at around it. */
  | { kind: 'command'; line: string; end: Partial<CommandEnd>; watched: boolean }
  /** Nobody knows what it changed. */
  | { kind: 'unknown' };

export interface TurnRecord {
  /** In the order in which they happened; reads are left out. */
  deeds: readonly Deed[];
  /** Files that the turn changed, paths as displayed. */
  changed: readonly string[];
  /** Files that the conversation changed before. */
  changedBefore: readonly string[];
  /** All that was said. */
  said: string;
  /** Said last: the answer. */
  answer: string;
}

/** Tells what happened where the answer leaves its user with another picture. Undefined when there is nothing to tell; in doubt there is not. */
export function turnFactsOf(facts: TurnRecord): TurnFacts | undefined {
  const test = lastTestOf(facts.deeds);
  const unchanged = claimsWithoutChange(facts);
  const unnamed = unnamedOf(facts);
  if (test === undefined && !unchanged && unnamed.length === 0) return undefined;
  return { ...(test && { test }), ...(unchanged && { unchanged }), ...(unnamed.length > 0 && { unnamed }) };
}

/** The last run of tests that failed and was not made good since; or one that passed, and then there were edits. */
function lastTestOf(deeds: readonly Deed[]): TurnFacts['test'] {
  const runs: { run: TestRun; editsSince: number }[] = [];
  for (const deed of deeds) {
    if (deed.kind === 'edit' && !isProse(deed.path)) for (const one of runs) one.editsSince += 1;
    const run = deed.kind === 'command' ? readTestRun(deed.line, deed.end) : undefined;
    if (run) runs.push({ run, editsSince: 0 });
  }
  const isOpen = ({ run }: (typeof runs)[number], at: number) =>
    run.exitCode !== undefined &&
    run.exitCode !== 0 &&
    !runs.slice(at + 1).some(({ run: later }) => (later.exitCode ?? 0) === 0 && covers(later, run));
  const named = runs.findLast(isOpen) ?? runs.at(-1);
  if (named?.run.exitCode === undefined) return undefined;
  const { run, editsSince } = named;
  if (run.exitCode === 0 && editsSince === 0) return undefined;
  return { command: run.command, exitCode: run.exitCode ?? 0, editsSince };
}

/** No test reads it. */
function isProse(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|CHANGELOG)$/i.test(path);
}

function claimsWithoutChange({ deeds, changed, changedBefore, answer }: TurnRecord): true | undefined {
  const mayHaveChanged = deeds.some((deed) => deed.kind !== 'command' || !deed.watched);
  if (mayHaveChanged || changed.length > 0) return undefined;
  const things = claimedChange(answer);
  if (things === undefined) return undefined;
  if (changedBefore.length === 0) return true;
  // What was done before may be told once more.
  const files = things.map(baseName).filter((name) => name.includes('.'));
  const before = new Set(changedBefore.map(baseName));
  return files.length > 0 && !files.some((name) => before.has(name)) ? true : undefined;
}

/** More of them would be no oversight. */
const maxUnnamed = 3;

/** Changed files that an answer leaves out which names most of them: it reads as if it named all. */
function unnamedOf({ changed, said }: TurnRecord): string[] {
  const paths = [...new Set(changed)];
  const unnamed = paths.filter((path) => !names(said, path));
  return unnamed.length <= Math.min(maxUnnamed, paths.length / 2) ? unnamed : [];
}

/** By itself, in words, by its folder, or by its kind. */
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
