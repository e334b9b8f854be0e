import path from 'node:path';
import { createWorktrees } from '../../../../src/features/worktrees/core/worktrees.ts';
import { openGitProgram } from '../../../../src/tools/git/git-program.ts';

/** Makes or removes a worktree, or counts part of its work as brought back, and is gone before or after the given call of git. */
const [, , phase, when, step, gitPath, repository = '', dir = ''] = process.argv;
const { signal } = new AbortController();
let calls = 0;
const die = () => process.kill(process.pid, 'SIGKILL');

const worktrees = createWorktrees({
  dir,
  async openGit(folder, _signal, known) {
    const program = await openGitProgram(gitPath, folder, signal, known);
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
const folder = path.join(dir, 'task');
if (phase === 'add') await worktrees.add({ repository, name: 'task' }, signal);
else if (phase === 'remove') await worktrees.remove(folder, signal);
else {
  const { tree, changes } = await worktrees.inspect(folder, signal);
  const left = changes.filter(({ path: name }) => name !== 'a.txt');
  await worktrees.settle(folder, tree, left, signal);
}
