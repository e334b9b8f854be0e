import { ignoreToolError } from '../../../agent/tool.ts';
import { resolveWritePlace } from '../../../edits/apply/write-place.ts';
import { resolveReadPlace } from '../../../files/read-place.ts';
import { readText } from '../../../files/read-text.ts';
import { displayPath, type Files, type Place, placeKey, type Workspace } from '../../../files/workspace.ts';
import { linesOf } from './changed-parts.ts';
import { type FileChange, type FoundPlace, type FoundPlaces, isChanged } from './find-places.ts';

/** These lines are sent and may be edited; `first` counts from 0. */
export interface PlaceWindow {
  place: Place;
  path: string;
  first: number;
  lines: readonly string[];
}

export interface SentPlaces {
  windows: readonly PlaceWindow[];
  /** Holds all lines of each file as they were read, by `placeKey`. */
  texts: ReadonlyMap<string, readonly string[]>;
  /** `sent` counts the found lines that are in a window, and `left` those that are in none. */
  sent: number;
  left: number;
  isMore: boolean;
}

export const maxPlaces = 12;
export const linesOfPlace = 12;
const linesAbove = 5;
const maxLineLength = 400;
const maxFileBytes = 2 * 1024 * 1024;

export interface WindowDeps {
  workspace: Workspace;
  files: Files;
  /** True for files on the user's own list of files that need an approval. */
  isProtected(relative: string): boolean;
}

/**
 * Makes a window around each of the first places. It leaves out files that need an approval to be read or written,
 * and files behind a link.
 */
export async function windowsAround(
  deps: WindowDeps,
  { places, isMore }: FoundPlaces,
  changes: readonly FileChange[],
): Promise<SentPlaces> {
  const texts = new Map<string, readonly string[] | undefined>();
  const windows: PlaceWindow[] = [];
  let [sent, left] = [0, 0];
  for (const found of places) {
    const { place, line } = found;
    const key = placeKey(place);
    if (isIn(windows, found)) {
      sent += 1;
      continue;
    }
    if (windows.length >= maxPlaces) {
      if (!texts.has(key) || texts.get(key) !== undefined) left += 1;
      continue;
    }
    if (!texts.has(key)) texts.set(key, await linesUnasked(deps, place).catch(ignoreToolError));
    const lines = texts.get(key);
    if (lines === undefined || line >= lines.length) continue;
    const isFree = (at: number) =>
      at >= 0 &&
      at < lines.length &&
      (lines[at]?.length ?? 0) <= maxLineLength &&
      !isChanged(changes, place, at) &&
      !isIn(windows, { place, line: at });
    if (!isFree(line)) continue;
    let [first, end] = [line, line + 1];
    while (line - first < linesAbove && isFree(first - 1)) first--;
    while (end - first < linesOfPlace && isFree(end)) end++;
    windows.push({ place, path: displayPath(deps.workspace, place), first, lines: lines.slice(first, end) });
    sent += 1;
  }
  const read = [...texts].flatMap(([key, lines]) => (lines ? [[key, lines] as const] : []));
  return { windows: merged(windows), texts: new Map(read), sent, left, isMore };
}

function isIn(windows: readonly PlaceWindow[], { place, line }: FoundPlace): boolean {
  return windows.some(
    (one) => placeKey(one.place) === placeKey(place) && line >= one.first && line < one.first + one.lines.length,
  );
}

function merged(windows: readonly PlaceWindow[]): PlaceWindow[] {
  const byFile = Map.groupBy(windows, ({ place }) => placeKey(place));
  return [...byFile.values()].flatMap((own) => {
    const all: PlaceWindow[] = [];
    for (const one of own.toSorted((a, b) => a.first - b.first)) {
      const last = all.at(-1);
      if (last !== undefined && last.first + last.lines.length === one.first)
        all[all.length - 1] = { ...last, lines: [...last.lines, ...one.lines] };
      else all.push(one);
    }
    return all;
  });
}

async function linesUnasked(deps: WindowDeps, place: Place): Promise<readonly string[] | undefined> {
  const shown = displayPath(deps.workspace, place);
  const { approval, checked } = await resolveReadPlace(deps, shown, 'file');
  const written = await resolveWritePlace(deps.workspace, deps, shown);
  if (approval !== undefined || written.sensitive !== undefined || placeKey(written.place) !== placeKey(place))
    return undefined;
  const read = await readText(deps, place, { max: maxFileBytes, checked });
  return read.text === undefined ? undefined : linesOf(read.text);
}
