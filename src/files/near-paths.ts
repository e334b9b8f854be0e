import { displayPath, type Search, type Workspace } from './workspace.ts';

const maxFiles = 20_000;
const maxHints = 3;
const maxLength = 80;

/**
 * Returns the end of a sentence for the model about a path that names nothing: the files and folders with the same or
 * nearly the same last part, best first, or how to search for it.
 */
export async function nearPathsHint(
  { workspace, search }: { workspace: Workspace; search: Search },
  missing: string,
  signal: AbortSignal,
): Promise<string> {
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
  const near = [...paths]
    .map((path) => ({ path, distance: distanceOfNames(lastPart(path), name) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance || distanceOf(a.path, missing) - distanceOf(b.path, missing))
    .slice(0, maxHints)
    .map(({ path }) => path);
  return near.length === 0 ? ' Look for it with find_files.' : ` Near it: ${near.join(', ')}.`;
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
