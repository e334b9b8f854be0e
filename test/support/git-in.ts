import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** The product's git in tests of repositories. With `SVC_TEST_GIT` another than the system's is tried. */
export const gitPath = [
  process.env.SVC_TEST_GIT ?? '',
  '/usr/bin/git',
  '/usr/local/bin/git',
  '/opt/homebrew/bin/git',
].find((file) => existsSync(file));

const run = promisify(execFile);

/** Runs git in a folder, as somebody with a name, on a branch called `main`. */
export function gitIn(folder: string): (...args: string[]) => Promise<{ stdout: string }> {
  const identity = ['-c', 'user.name=A User', '-c', 'user.email=user@example.com', '-c', 'init.defaultBranch=main'];
  return (...args) => run('git', [...identity, ...args], { cwd: folder });
}
