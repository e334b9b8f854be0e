import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const maxAnswerMs = 5000;
/** Older versions lack options that `ripgrep-search.ts` passes and would refuse every search. */
const oldestMajor = 13;

export interface RipgrepCandidates {
  configured: string;
  appRoot: string;
  searchPath: string;
  platform: NodeJS.Platform;
  arch: string;
}

/**
 * Returns the first that answers as ripgrep: the configured one, the editor's own, one on the search path. Another
 * program in its place would find nothing and report nothing.
 */
export async function findRipgrep(places: RipgrepCandidates): Promise<string | undefined> {
  for (const candidate of candidates(places)) {
    if (await isRipgrep(candidate)) return candidate;
  }
  return undefined;
}

function candidates({ configured, appRoot, searchPath, platform, arch }: RipgrepCandidates): string[] {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const modules = ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) => [
    path.join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name),
    path.join(appRoot, folder, '@vscode', `ripgrep-${platform}-${arch}`, 'bin', name),
    path.join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
  ]);
  const onPath = searchPath.split(path.delimiter).map((folder) => path.join(folder, name));
  // A relative path would be searched in whatever folder is open.
  return [configured, ...modules, ...onPath].filter((candidate) => path.isAbsolute(candidate));
}

async function isRipgrep(candidate: string): Promise<boolean> {
  try {
    const { stdout } = await runFile(candidate, ['--no-config', '--version'], { timeout: maxAnswerMs });
    return Number(/^ripgrep (\d+)\./.exec(stdout)?.[1]) >= oldestMajor;
  } catch {
    // Not there, not ours to run, or something else: the next one is tried.
    return false;
  }
}
