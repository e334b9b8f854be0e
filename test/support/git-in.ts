import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs git in a folder, as somebody with a name, on a branch called `main`. */
export function gitIn(folder: string): (...args: string[]) => Promise<{ stdout: string }> {
  const identity = ['-c', 'user.name=A User', '-c', 'user.email=user@example.com', '-c', 'init.defaultBranch=main'];
  return (...args) => run('git', [...identity, ...args], { cwd: folder });
}
