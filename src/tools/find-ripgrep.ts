import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

export interface RipgrepPlaces {
  /** `svc.search.ripgrepPath`, empty when not set. */
  configured: string;
  /** Where the editor is installed; its own copy is used. */
  appRoot: string;
  /** The `PATH` variable. */
  searchPath: string;
  platform: NodeJS.Platform;
  arch: string;
}

/** The first that can be run: the configured one, the editor's own, one on the search path. `undefined`: there is none. */
export async function findRipgrep(places: RipgrepPlaces): Promise<string | undefined> {
  for (const candidate of candidates(places)) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

function candidates({ configured, appRoot, searchPath, platform, arch }: RipgrepPlaces): string[] {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const modules = ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) => [
    path.join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name),
    path.join(appRoot, folder, '@vscode', `ripgrep-${platform}-${arch}`, 'bin', name),
    path.join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
  ]);
  const onPath = searchPath.split(path.delimiter).map((folder) => path.join(folder, name));
  // A relative one would be looked for in whatever folder is open.
  return [configured, ...modules, ...onPath].filter((candidate) => path.isAbsolute(candidate));
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run: the next one is tried.
    return false;
  }
}
