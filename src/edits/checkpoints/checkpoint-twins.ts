import type { Place } from '../../files/workspace.ts';
import type { ChangedFile } from './checkpoint-manifest.ts';

/** One file; `name`: that under which it is there now, for one that got another by case alone on a disk that ignores case. */
export interface TwinFile extends ChangedFile {
  name?: Place;
}

/**
 * A file that went and one that came, as a rename leaves them, are one where their names differ by case alone and the disk takes both for
 * one: taking away the new one would take the old one. `named`: the file as the disk calls it.
 */
export async function joinTwins(
  entries: readonly ChangedFile[],
  named: (entry: ChangedFile) => Promise<Place | undefined> | undefined,
): Promise<TwinFile[]> {
  const joined = new Map<ChangedFile, TwinFile>();
  const gone = new Set<ChangedFile>();
  for (const old of entries.filter(({ before }) => before !== null)) {
    const fresh = entries.find((other) => other.before === null && other.root === old.root && isTwin(old, other));
    if (fresh === undefined || gone.has(fresh)) continue;
    const [one, other] = await Promise.all([named(old), named(fresh)]);
    if (one === undefined || one.path !== other?.path) continue;
    gone.add(fresh);
    joined.set(old, { ...old, after: fresh.after, name: one });
  }
  return entries.filter((entry) => !gone.has(entry)).map((entry) => joined.get(entry) ?? entry);
}

function isTwin(one: ChangedFile, other: ChangedFile): boolean {
  return one.path !== other.path && one.path.toLowerCase() === other.path.toLowerCase();
}
