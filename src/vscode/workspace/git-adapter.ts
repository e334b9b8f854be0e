import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Git } from '../../tools/git/git.ts';
import { type GitProgram, openGitProgram } from '../../tools/git/git-program.ts';
import { createNodeGit } from '../../tools/git/node-git.ts';
import { gitExtension } from './git-extension.ts';

export function createGit(): Git {
  return createNodeGit({ gitPath });
}

export function openGit(folder: string, signal: AbortSignal, known?: { movedFrom: string }): Promise<GitProgram> {
  return openGitProgram(gitPath(), folder, signal, known);
}

let onPath: string | undefined;

function gitPath(): string | undefined {
  onPath ??= firstOnPath();
  return fromExtension() ?? onPath;
}

function fromExtension(): string | undefined {
  const extension = gitExtension();
  if (!extension?.isActive || !extension.exports.enabled) return undefined;
  const found = extension.exports.getAPI(1).git.path;
  return path.isAbsolute(found) ? found : undefined;
}

/**
 * Returns the first git on the search path. Only absolute folders count, because a relative one would be resolved in
 * whatever folder is open.
 */
function firstOnPath(): string | undefined {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not there, or not a program.
    return false;
  }
}
