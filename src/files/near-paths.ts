import { ignoreToolError } from '../agent/tool.ts';
import { locatePlace } from './path-guard.ts';
import { displayPath, type Files, type Place, placeKey, type Search, shownPath, type Workspace } from './workspace.ts';

const maxFiles = 20_000;
const maxHints = 3;
const maxLength = 80;
const maxMoves = 1000;

interface Move {
  from: Place;
  to: Place;
}

const moves = new WeakMap<Workspace, readonly Move[]>();

export function noteMove(workspace: Workspace, { from, to }: Move): void {
  const earlier = (moves.get(workspace) ?? []).map((move) =>
    placeKey(move.to) === placeKey(from) ? { from: move.from, to } : move,
  );
  moves.set(workspace, [...earlier, { from, to }].slice(-maxMoves));
}

/** A folder went where the files in it went. */
function movedTo(workspace: Workspace, place: Place): Place | undefined {
  for (const { from, to } of moves.get(workspace)?.toReversed() ?? []) {
    const isIn = from.root.uri === place.root.uri && `${from.path}/`.startsWith(`${place.path}/`);
    const rest = from.path.slice(place.path.length);
    if (isIn && to.path.endsWith(rest)) return { root: to.root, path: to.path.slice(0, to.path.length - rest.length) };
  }
  return undefined;
}

type NearDeps = { workspace: Workspace; search: Search };

/**
 * Returns the path that is meant by one under which there is nothing: where a tool moved the file, or the only path with
 * this name whose folders are missing or misspelled in the other. Any other path is returned as it is.
 */
export async function meantPath(
  deps: NearDeps & { files: Files },
  typed: string,
  signal: AbortSignal,
): Promise<string> {
  const { workspace, files } = deps;
  const { place } = (await locatePlace(workspace, typed).catch(ignoreToolError)) ?? {};
  if (place === undefined || (await files.stat(place)) !== undefined) return typed;
  const moved = movedTo(workspace, place);
  if (moved !== undefined) return displayPath(workspace, moved);
  const missing = displayPath(workspace, place);
  const [only, ...others] = (await nearPaths(deps, missing, signal)).filter(({ distance }) => distance === 0);
  if (only === undefined || others.length > 0) return typed;
  const { path } = only;
  const isMeant = path.endsWith(`/${missing}`) || missing.endsWith(`/${path}`) || distanceOf(path, missing) <= 2;
  return isMeant ? path : typed;
}

/**
 * Returns the end of a sentence for the model about a path that names nothing: the files and folders with the same or
 * nearly the same last part, best first, or how to search for it.
 */
export async function nearPathsHint(deps: NearDeps, place: Place, signal: AbortSignal): Promise<string> {
  const moved = movedTo(deps.workspace, place);
  if (moved !== undefined) return ` It was renamed to ${shownPath(deps.workspace, moved)}.`;
  const near = (await nearPaths(deps, displayPath(deps.workspace, place), signal)).slice(0, maxHints);
  return near.length === 0 ? ' Look for it with find_files.' : ` Near it: ${near.map(({ path }) => path).join(', ')}.`;
}

async function nearPaths(
  { workspace, search }: NearDeps,
  missing: string,
  signal: AbortSignal,
): Promise<{ path: string; distance: number }[]> {
  const paths = new Set<string>();
  let seen = 0;
  for (const root of workspace.roots()) {
    const onFile = (place: { root: typeof root; path: string }) => {
      const path = displayPath(workspace, place);
      for (let end = path.length; end > 0 && !paths.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1)) {
        paths.add(path.slice(0, end));
      }
      return ++seen < maxFiles;
    };
    await search.files({ root, path: '' }, onFile, signal);
  }
  const name = lastPart(missing);
  // The extension is hardly ever wrong, so it does not count in the length of a short name.
  const length = name.replace(/\.[^.]*$/, '').length;
  const farthest = length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(0.4 * length)));
  return [...paths]
    .map((path) => ({ path, distance: distanceOfNames(lastPart(path), name) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance || distanceOf(a.path, missing) - distanceOf(b.path, missing));
}

function lastPart(path: string): string {
  return (
    path
      .toLowerCase()
      .split(/[\\/]/)
      .findLast((part) => part !== '') ?? ''
  );
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

/** An extension that is missing or another one is one slip. */
function distanceOfNames(one: string, other: string): number {
  const [stem = ''] = one.split('.');
  return Math.min(distanceOf(one, other), stem !== '' && stem === other.split('.')[0] ? 1 : maxLength);
}

function distanceOf(one: string, other: string): number {
  if (one === other) return 0;
  // Letters in another order are one slip.
  if (one.length === other.length && sorted(one) === sorted(other)) return 1;
  if (one.length > maxLength || other.length > maxLength) return maxLength;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, char] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++) {
      const changed = (row[at - 1] ?? 0) + (other[at - 1] === char ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
