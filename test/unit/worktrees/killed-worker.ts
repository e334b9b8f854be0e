import path from 'node:path';
import { openGitProgram } from '../../../src/tools/git/git-program.ts';
import { createWorktrees } from '../../../src/worktrees/worktrees.ts';

/** Makes or removes a worktree, and is gone before or after the given call of git. */
const [, , phase, when, step, gitPath, repository = '', dir = ''] = process.argv;
const { signal } = new AbortController();
let calls = 0;
const die = () => process.kill(process.pid, 'SIGKILL');

const worktrees = createWorktrees({
  dir,
  async openGit(folder) {
    const program = await openGitProgram(gitPath, folder, signal);
    return {
      ...program,
      async run(args, options) {
        const isLast = ++calls === Number(step);
        if (isLast && when === 'before') die();
        const answer = await program.run(args, options);
        if (isLast) die();
        return answer;
      },
    };
  },
});
if (phase === 'add') await worktrees.add({ repository, name: 'task' }, signal);
else await worktrees.remove(path.join(dir, 'task'), signal);
