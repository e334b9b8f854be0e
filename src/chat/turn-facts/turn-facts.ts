import type { CommandEnd, TurnFacts } from '../../shared/events.ts';
import { claimedChange } from './claimed-change.ts';
import { covers, readTestRun, type TestRun } from './test-run.ts';

export type Deed =
  | { kind: 'edit'; path: string }
  | { kind: 'command'; line: string; end: Partial<CommandEnd>; watched: boolean }
  | { kind: 'unknown' };

export interface TurnRecord {
  deeds: readonly Deed[];
  changed: readonly string[];
  changedBefore: readonly string[];
  said: string;
  answer: string;
}

/** Reports what happened where the answer suggests something else. In doubt it returns undefined. */
export function turnFactsOf(facts: TurnRecord): TurnFacts | undefined {
  const test = lastTestOf(facts.deeds);
  const unchanged = claimsWithoutChange(facts);
  const unnamed = unnamedOf(facts);
  if (test === undefined && !unchanged && unnamed.length === 0) return undefined;
  return { ...(test && { test }), ...(unchanged && { unchanged }), ...(unnamed.length > 0 && { unnamed }) };
}

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

function isProse(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|CHANGELOG)$/i.test(path);
}

function claimsWithoutChange({ deeds, changed, changedBefore, answer }: TurnRecord): true | undefined {
  const mayHaveChanged = deeds.some((deed) => deed.kind !== 'command' || !deed.watched);
  if (mayHaveChanged || changed.length > 0) return undefined;
  const things = claimedChange(answer);
  if (things === undefined) return undefined;
  if (changedBefore.length === 0) return true;
  // A change that was made before may be described once more.
  const files = things.map(baseName).filter((name) => name.includes('.'));
  const before = new Set(changedBefore.map(baseName));
  return files.length > 0 && !files.some((name) => before.has(name)) ? true : undefined;
}

const maxUnnamed = 3;

/**
 * Returns changed files that are missing in an answer that names most of them, because such an answer seems complete.
 */
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
