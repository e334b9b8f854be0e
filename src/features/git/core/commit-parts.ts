import { type Entry, type FileChange, type Hunk, shownText } from './file-changes.ts';

/**
 * A unit is the smallest part that a commit can have: one hunk of a text file, or all changes of a file, sometimes of
 * several.
 */
export interface CommitPart {
  /** There are several files only where one blocks another, such as a folder that replaces a file. */
  files: readonly FileChange[];
  hunk?: number;
  /** The model must not see its lines, because the file may hold secrets or is ignored. */
  isHidden: boolean;
}

export function commitPartsOf(changes: readonly FileChange[], isHidden: (path: string) => boolean): CommitPart[] {
  const hides = ({ path, oldPath = path }: FileChange) => isHidden(shownText(path)) || isHidden(shownText(oldPath));
  const together = inTheWay(changes);
  const done = new Set<FileChange>();
  return changes.flatMap((change): CommitPart[] => {
    if (done.has(change)) return [];
    const files = together.find((several) => several.includes(change)) ?? [change];
    for (const file of files) done.add(file);
    if (files.length > 1 || hides(change) || !isDivided(change)) return [{ files, isHidden: files.some(hides) }];
    return change.hunks.map((_hunk, hunk) => ({ files, hunk, isHidden: false }));
  });
}

function isDivided({ hunks, oldPath, before, after }: FileChange): boolean {
  if (hunks.length < 2 || oldPath !== undefined || before?.mode !== after?.mode) return false;
  return before?.mode.startsWith('100') ?? false;
}

function inTheWay(changes: readonly FileChange[]): FileChange[][] {
  const owners = new Map<string, FileChange>();
  for (const change of changes) {
    for (const path of new Set([change.oldPath ?? change.path, change.path])) owners.set(path, change);
  }
  const sets = new Map<FileChange, Set<FileChange>>();
  for (const [path, change] of owners) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const other = owners.get(path.slice(0, end));
      if (other === undefined || other === change) continue;
      const joined = new Set([...(sets.get(other) ?? [other]), ...(sets.get(change) ?? [change])]);
      for (const one of joined) sets.set(one, joined);
    }
  }
  return [...new Set(sets.values())].map((set) => changes.filter((change) => set.has(change)));
}

export interface Divided {
  of: Entry;
  hunks: readonly Hunk[];
}

/** `undefined` stands for a path that is not in the index. */
export type Wanted = Entry | undefined | Divided;

export function wantedEntries(units: readonly CommitPart[], chosen: ReadonlySet<CommitPart>): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const byFile = Map.groupBy(
    units.flatMap((unit) => unit.files.map((file) => ({ unit, file }))),
    ({ file }) => file,
  );
  for (const [file, all] of byFile) {
    const taken = all.filter(({ unit }) => chosen.has(unit));
    if (file.oldPath !== undefined) wanted.set(file.oldPath, taken.length > 0 ? undefined : file.before);
    const { before, after, path } = file;
    if (taken.length === all.length) wanted.set(path, after);
    else if (taken.length === 0 || before === undefined)
      wanted.set(path, file.oldPath === undefined ? before : undefined);
    else wanted.set(path, { of: before, hunks: taken.flatMap(({ unit }) => file.hunks[unit.hunk ?? 0] ?? []) });
  }
  return wanted;
}

export function nameOfPart({ files }: CommitPart): string {
  return files
    .map(({ path, oldPath }) => `${oldPath === undefined ? '' : `${shownText(oldPath)} → `}${shownText(path)}`)
    .join(', ');
}

export function patchOf(units: readonly CommitPart[]): string {
  let last: FileChange | undefined;
  const parts = units.flatMap(({ files, hunk }) =>
    files.flatMap((file) => {
      const head = file === last ? [] : [file.head];
      last = file;
      const hunks = hunk === undefined ? file.hunks : [file.hunks[hunk]];
      return [...head, ...hunks.map((one) => one?.text ?? '')];
    }),
  );
  return shownText(parts.join(''));
}
