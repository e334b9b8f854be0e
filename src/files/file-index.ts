import { type RankedPath, rankedPath } from './rank-paths.ts';
import { maxIgnored, withSearchTimeout } from './search/search-timeout.ts';
import { displayPath, type Place, type Search, type Workspace } from './workspace.ts';

export interface IndexedPath extends RankedPath {
  place: Place;
  isFolder: boolean;
}

/** Lists every path of the workspace that is not ignored once, and not again at every key that is pressed. */
export interface FileIndex {
  known(): readonly IndexedPath[];
  /**
   * Resolves with all paths. It lists only when something has changed since, never twice at a time, and rejects with
   * what the listing rejects with.
   */
  paths(): Promise<readonly IndexedPath[]>;
  /** Finds some files, ignored ones too, whose path contains the text; what a short look does not reach is left out. */
  withIgnored(text: string, signal: AbortSignal): Promise<readonly IndexedPath[]>;
  changed(): void;
}

const maxFiles = 200_000;

export function createFileIndex({ workspace, search }: { workspace: Workspace; search: Search }): FileIndex {
  let known: readonly IndexedPath[] = [];
  let version = 0;
  let listing: { version: number; running: boolean; paths: Promise<readonly IndexedPath[]> } | undefined;

  const list = async (): Promise<readonly IndexedPath[]> => {
    const found: IndexedPath[] = [];
    if (known.length === 0) known = found;
    const folders = new Map<string, IndexedPath>();
    const add = (place: Place, isFolder: boolean): IndexedPath => {
      const entry = { ...rankedPath(displayPath(workspace, place)), place, isFolder };
      found.push(entry);
      return entry;
    };
    for (const root of workspace.roots()) {
      const onFile = (place: Place) => {
        add(place, false);
        for (let end = place.path.lastIndexOf('/'); end > 0; end = place.path.lastIndexOf('/', end - 1)) {
          const path = place.path.slice(0, end);
          const key = `${root.uri} ${path}`;
          if (folders.has(key)) break;
          folders.set(key, add({ root, path }, true));
        }
        return found.length < maxFiles;
      };
      await search.files({ root, path: '' }, onFile, new AbortController().signal);
    }
    known = found;
    return found;
  };
  return {
    known: () => known,
    paths() {
      // While files come and go, as in an installation, the listing that runs is new enough.
      if (listing && (listing.running || listing.version === version)) return listing.paths;
      const started = { version, running: true, paths: list() };
      listing = started;
      started.paths.then(
        () => {
          started.running = false;
        },
        () => {
          listing = undefined;
        },
      );
      return started.paths;
    },
    async withIgnored(text, signal) {
      const found: IndexedPath[] = [];
      const look = withSearchTimeout(signal);
      for (const root of workspace.roots()) {
        const onFile = (place: Place) => {
          const path = displayPath(workspace, place);
          if (path.toLowerCase().includes(text.toLowerCase()))
            found.push({ ...rankedPath(path), place, isFolder: false });
          return found.length < maxIgnored;
        };
        await search.files({ root, path: '', withIgnored: true }, onFile, look);
      }
      return found;
    },
    changed() {
      version++;
    },
  };
}
