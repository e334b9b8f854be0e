import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { openSandboxed, people, type RunnerAnswer, type RunnerInput, type Sandboxed } from './sandboxed.ts';

for (const { who, user, owner } of people) {
  describe(`F31 git's data that commands may write, for ${who}`, function () {
    this.timeout(60_000);
    let sandboxed: Sandboxed;
    let git = '';
    const inGit = (name: string) => path.join(git, name);
    const run = async (
      line: string,
      more: Partial<RunnerInput> = {},
    ): Promise<Extract<RunnerAnswer, { text: string }>> => {
      const answer = await sandboxed.run(line, { tellsBlocked: true, ...more });
      assert.ok('text' in answer, JSON.stringify(answer));
      return answer;
    };
    const outsideGit = (...args: string[]) =>
      execFileSync('git', ['-C', sandboxed.world.ws, '-c', 'safe.directory=*', ...args], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: sandboxed.world.outside, GIT_CONFIG_NOSYSTEM: '1' },
      });
    before(async function () {
      if (process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) return this.skip();
      sandboxed = await openSandboxed(user, { owner });
      writeFileSync(
        path.join(sandboxed.world.home, '.gitconfig'),
        '[user]\n\tname = A "B"\n\temail = a@example.org\n[core]\n\teditor = evil\n',
      );
      await sandboxed.give(sandboxed.world.home);
      await sandboxed.newWorkspace();
      const first = await sandboxed.run('true');
      if ('unusable' in first && first.unusable !== 'broken' && !process.env.CI) this.skip();
      assert.ok('text' in first, JSON.stringify(first));
    });
    after(() => sandboxed?.close());
    beforeEach(async () => {
      await sandboxed.newWorkspace();
      git = path.join(sandboxed.world.ws, '.git');
      await rm(git, { recursive: true });
      outsideGit('init', '-q', '-b', 'main');
      outsideGit('config', 'user.name', 'x');
      outsideGit('config', '--unset', 'user.name');
      outsideGit('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '--allow-empty', '-m', 'first');
      await sandboxed.give(sandboxed.world.ws);
    });

    it('before, a commit, a branch and a stash are told by what they could not write', async () => {
      assert.deepEqual((await run('git add a.txt')).blocked, ['write .git/index.lock']);
      assert.match((await run('git checkout -q -b x 2>&1 | tail -1')).blocked?.join() ?? '', /^write \.git\//);
      assert.match((await run('git -c a.b=c stash -u; true')).blocked?.join() ?? '', /^write \.git\//);
      assert.deepEqual((await run('git stash list; git config a.b c; true')).blocked, ['write .git/config']);
    });

    it('afterwards git does its work as the user, and nothing is left of what that takes', async () => {
      const before = readdirSync(git).toSorted();
      const line =
        'set -e; git add a.txt; git commit -qm one; git checkout -q -b topic; echo b >> a.txt; git stash -q; git stash pop -q; git commit -qam two; git checkout -q main; git merge -q --no-ff -m merged topic; git rebase -q HEAD~1 2>&1; git log --format="%an %ae %s"; git status --short; git fsck; git gc -q 2> /dev/null';
      const answer = await run(line, { git });
      assert.deepEqual([answer.exitCode, answer.blocked], [0, []], answer.text);
      assert.match(answer.text, /^A B a@example\.org two\n/m);
      const made = readdirSync(git)
        .toSorted()
        .filter((name) => !before.includes(name));
      assert.deepEqual(
        made.filter((name) => ['commondir', 'config.worktree', 'modules', 'worktrees'].includes(name)),
        [],
      );
      assert.match(outsideGit('log', '--format=%s'), /two/);
      outsideGit('fsck');
      assert.deepEqual(answer.appeared, []);
    });

    it('X52 hooks, settings and what leads to others stay as they are', async () => {
      const config = readFileSync(inGit('config'), 'utf8');
      const hooks = readdirSync(inGit('hooks')).toSorted();
      const line = [
        'git config core.hooksPath /tmp',
        'echo x >> .git/config; echo x > .git/config.new; mv -f .git/config.new .git/config',
        'echo x > .git/hooks/pre-commit; rm -rf .git/hooks; mv .git/hooks .git/old; ln -s /tmp .git/hooks/x',
        'mkdir -p /tmp/evil/hooks; echo /tmp/evil > .git/commondir; mv -f .git/commondir .git/c; rm -f .git/commondir',
        'echo "[core]" > .git/config.worktree; rm -f .git/config.worktree',
        'mkdir -p .git/modules/m .git/worktrees/w; rmdir .git/modules .git/worktrees .git/info; echo "* filter=x" > .git/info/attributes',
        'mv .git .old; mv .git/. /tmp/x; rm -rf .git/hooks .git/info',
        'rm -f .git/config.new .git/c',
        // Left there, where they could be made.
        'echo /tmp/evil > .git/commondir; echo "[core]" > .git/config.worktree; mkdir .git/modules .git/worktrees',
      ].join('; ');
      await run(line, { git });
      assert.equal(readFileSync(inGit('config'), 'utf8'), config);
      assert.deepEqual(readdirSync(inGit('hooks')).toSorted(), hooks);
      for (const name of ['commondir', 'config.worktree', 'modules', 'worktrees'])
        assert.ok(!existsSync(inGit(name)), name);
      assert.ok(!existsSync(inGit('info/attributes')));
      assert.ok(lstatSync(git).isDirectory());
    });

    it('X52 links in it, through which git outside would write, are removed and told', async () => {
      const { outside } = sandboxed.world;
      const line = `mv .git/logs/HEAD /tmp; ln -s ${outside}/file .git/logs/HEAD; ln -sfn ${outside}/file .git/COMMIT_EDITMSG; mkdir -p .git/objects/ab; rmdir .git/objects/ab; ln -s ${outside} .git/objects/ab`;
      const answer = await run(line, { git });
      assert.deepEqual(answer.blocked?.toSorted(), [
        'link .git/COMMIT_EDITMSG',
        'link .git/logs/HEAD',
        'link .git/objects/ab',
      ]);
      for (const name of ['logs/HEAD', 'COMMIT_EDITMSG', 'objects/ab']) assert.ok(!existsSync(inGit(name)), name);
    });

    it('X52 a rebase that was left open, whose list may name programs, is told', async () => {
      const line = 'mkdir .git/rebase-merge; echo "exec touch /tmp/x" > .git/rebase-merge/git-rebase-todo';
      assert.deepEqual((await run(line, { git })).appeared, ['.git/rebase-merge']);
    });

    it('X52 of another repository, and in another conversation, nothing is written', async () => {
      const other = path.join(sandboxed.world.ws, 'sub/.git');
      await mkdir(path.join(other, 'refs'), { recursive: true });
      await sandboxed.give(sandboxed.world.ws);
      await run('echo x > sub/.git/HEAD; true', { git });
      await run('echo x > .git/HEAD; true', { conversationId: 'two' });
      assert.deepEqual(
        [existsSync(path.join(other, 'HEAD')), readFileSync(inGit('HEAD'), 'utf8')],
        [false, 'ref: refs/heads/main\n'],
      );
    });
  });
}
