import type { Place } from '../../files/workspace.ts';
import type { ChangedFile } from './checkpoint-manifest.ts';

export interface TwinFile extends ChangedFile {
  name?: Place;
}

/**
 * Joins a file that went and one that came when their names differ by case alone and the disk takes both for one, as
 * a rename leaves them: removing the new one would remove the old one. `named` returns the file under the name that
 * the disk has for it.
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
