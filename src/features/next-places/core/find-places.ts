import { ToolError } from '../../../agent/tool.ts';
import type { Clock } from '../../../base/clock.ts';
import { startDeadline } from '../../../base/deadline.ts';
import { hasWord } from '../../../base/has-word.ts';
import { isGitPath, isSecretPath } from '../../../files/file-class.ts';
import { checkedMatches, searchRootOf } from '../../../files/search/checked-matches.ts';
import {
  displayPath,
  type Files,
  type Place,
  placeKey,
  type Search,
  type Workspace,
} from '../../../files/workspace.ts';
import { isGeneratedPath } from '../../../tools/git/shorten-diff.ts';
import type { Language, OutlineEntry } from '../../../tools/language/language.ts';
import type { ChangedPart } from './changed-parts.ts';
import { touchedNames } from './touched-names.ts';

export interface FindDeps {
  workspace: Workspace;
  files: Files;
  search: Pick<Search, 'text'>;
  language: Pick<Language, 'outline' | 'references'>;
  clock: Clock;
}

export interface FileChange {
  place: Place;
  lines: readonly string[];
  parts: readonly ChangedPart[];
}

/** The line counts from 0. */
export interface FoundPlace {
  place: Place;
  line: number;
}

export interface FoundPlaces {
  /** The likeliest place comes first. Each line occurs once, and none is part of the change. */
  places: readonly FoundPlace[];
  isMore: boolean;
}

/** This limit applies to the outlines, the references and the searches separately. */
const maxMs = 2000;
const maxMatches = 1000;
const maxNames = 6;

/**
 * Finds lines that a change may concern, at no cost: references of the names that it touches and, where the language
 * features know none elsewhere or the name is gone, lines with the word. Never rejects.
 */
export async function findPlaces(
  deps: FindDeps,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<FoundPlaces> {
  const outlines = await inTime(deps, signal, async () => Promise.all(changes.map((one) => outlineOf(deps, one))));
  const names = changes.map(({ place, parts, lines }, at) => ({
    place,
    ...touchedNames(parts, lines, outlines?.[at] ?? []),
  }));
  const words = new Set(names.flatMap(({ gone }) => gone));
  const kept = names.flatMap(({ place, kept: own }) => own.map((one) => ({ ...one, place })));
  const used = await Promise.all(
    kept.slice(0, maxNames).map(async (one) => {
      const found = await inTime(deps, signal, async () => deps.language.references(one.place, one.line, one.column));
      const inside = (found ?? []).flatMap(({ place, line }) => (place ? [{ place, line: line - 1 }] : []));
      const elsewhere = withoutChange(inside, changes);
      // A language server that still reads the project knows only the files that are open.
      if (elsewhere.length === 0) words.add(one.name);
      return elsewhere;
    }),
  );
  const searched = await Promise.all([...words].slice(0, maxNames).map(async (word) => findWord(deps, word, signal)));
  const lists = [...used, ...searched.map((found) => withoutChange(found, changes))];
  const isMore = searched.some(({ length }) => length >= maxMatches);
  const sorted = lists.map((list) => nearestFirst(list, changes));
  return { places: dealt(sorted).filter(({ place }) => isWanted(deps.workspace, place)), isMore };
}

async function outlineOf({ language }: FindDeps, { place }: FileChange): Promise<readonly OutlineEntry[]> {
  return (await language.outline(place)) ?? [];
}

async function inTime<T>(
  { clock }: Pick<FindDeps, 'clock'>,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  const deadline = startDeadline(clock, maxMs, signal);
  deadline.signal.addEventListener('abort', () => over.resolve(undefined), { once: true });
  if (signal.aborted) over.resolve(undefined);
  const answer = ask().catch(() => undefined);
  return Promise.race([answer, over.promise]).finally(deadline.close);
}

/** Searches only files that may be read without asking, as their documents are now. */
async function findWord(deps: FindDeps, word: string, signal: AbortSignal): Promise<FoundPlace[]> {
  const { workspace, files, search, clock } = deps;
  const all: FoundPlace[] = [];
  const deadline = startDeadline(clock, maxMs, signal);
  const query = { pattern: word, regex: false, caseSensitive: true };
  const wants = (place: Place) => isWanted(workspace, place);
  try {
    for (const root of workspace.roots()) {
      const under = await searchRootOf(root);
      const here: Parameters<typeof checkedMatches>[2][number][] = [];
      const onMatch = (match: (typeof here)[number]) => {
        if (hasWord(match.text, word)) here.push(match);
        return all.length + here.length < maxMatches;
      };
      await search.text(under.place, query, { wants, onMatch }, deadline.signal);
      const { matches } = await checkedMatches({ files, workspace }, under, here);
      all.push(...matches.map(({ place, line }) => ({ place, line: line - 1 })));
    }
  } catch (error) {
    if (!(error instanceof ToolError) && !deadline.signal.aborted) throw error;
  } finally {
    deadline.close();
  }
  return all;
}

function isWanted(workspace: Workspace, place: Place): boolean {
  return !isSecretPath(displayPath(workspace, place)) && !isGitPath(place.path) && !isGeneratedPath(place.path);
}

function withoutChange(found: readonly FoundPlace[], changes: readonly FileChange[]): FoundPlace[] {
  return found.filter(({ place, line }) => !isChanged(changes, place, line));
}

export function isChanged(changes: readonly FileChange[], place: Place, line: number): boolean {
  return changes.some(
    (change) =>
      placeKey(change.place) === placeKey(place) &&
      change.parts.some(({ first, after }) => line >= first && line < first + after.length),
  );
}

function nearestFirst(found: readonly FoundPlace[], changes: readonly FileChange[]): FoundPlace[] {
  const folderOf = ({ root, path }: Place) => placeKey({ root, path: path.slice(0, path.lastIndexOf('/') + 1) });
  const files = new Set(changes.map(({ place }) => placeKey(place)));
  const folders = new Set(changes.map(({ place }) => folderOf(place)));
  const rank = ({ place }: FoundPlace) => (files.has(placeKey(place)) ? 0 : folders.has(folderOf(place)) ? 1 : 2);
  const byPath = (a: FoundPlace, b: FoundPlace) => (placeKey(a.place) < placeKey(b.place) ? -1 : 1);
  return found.toSorted(
    (a, b) => rank(a) - rank(b) || (placeKey(a.place) === placeKey(b.place) ? a.line - b.line : byPath(a, b)),
  );
}

function dealt(lists: readonly (readonly FoundPlace[])[]): FoundPlace[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const seen = new Map<string, FoundPlace>();
  for (let at = 0; at < longest; at++) {
    for (const list of lists) {
      const found = list[at];
      if (found === undefined) continue;
      const key = `${placeKey(found.place)} ${found.line}`;
      if (!seen.has(key)) seen.set(key, found);
    }
  }
  return [...seen.values()];
}
