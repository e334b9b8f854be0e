import { ignoreRulesUnder } from '../ignore-rules.ts';
import { realPlaceOf } from '../path-guard.ts';
import type { Files, Place, Search, SearchScope, TextMatch, Workspace } from '../workspace.ts';

export interface UnsavedSearchDeps {
  workspace: Workspace;
  files: Files;
  /** Searches one file at a time without ripgrep, and so reads unsaved documents. */
  walk: Search;
}

/** Makes a search of the disk search unsaved documents as they are typed, and not as they are stored. */
export function withUnsaved(disk: Search, { workspace, files, walk }: UnsavedSearchDeps): Search {
  const unsavedUnder = async (under: SearchScope): Promise<readonly Place[]> => {
    if (workspace.unsavedText(under) !== undefined) return [under];
    const prefix = under.path === '' ? '' : `${under.path}/`;
    const open = workspace.unsavedIn(under.root).filter(({ path }) => path.startsWith(prefix));
    if (open.length === 0) return [];
    const rules = await ignoreRulesUnder(files, under, workspace.excludes(under.root));
    const judged = await Promise.all(
      open.map(async (place) => {
        const isReal = (await realPlaceOf(place))?.path === place.path;
        return isReal && !(await rules.ignoresDeep(place.path, false)) ? place : undefined;
      }),
    );
    return judged.filter((place) => place !== undefined);
  };
  return {
    files: disk.files,
    async text(under, query, { wants, onMatch }, signal) {
      const open = (await unsavedUnder(under)).filter(wants);
      let stopped = false;
      const onTyped = (match: TextMatch) => {
        stopped = !onMatch(match);
        return !stopped;
      };
      for (const place of open) {
        await walk.text(place, query, { wants, onMatch: onTyped }, signal);
        if (stopped || signal.aborted) return [];
      }
      const typed = new Set(open.map(({ path }) => path));
      return disk.text(under, query, { wants: (place) => !typed.has(place.path) && wants(place), onMatch }, signal);
    },
  };
}
