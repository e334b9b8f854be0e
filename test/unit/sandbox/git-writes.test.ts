import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { skipWithout } from '../../support/needs.ts';
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
    const gitIn = (folder: string, ...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'safe.directory=*', ...args], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: sandboxed.world.outside, GIT_CONFIG_NOSYSTEM: '1' },
      });
    const outsideGit = (...args: string[]) => gitIn(sandboxed.world.ws, ...args);
    const makeRepository = (folder: string) => {
      gitIn(folder, 'init', '-q', '-b', 'main');
      gitIn(folder, 'config', 'user.name', 'x');
      gitIn(folder, 'config', '--unset', 'user.name');
      const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
      gitIn(folder, ...author, 'commit', '-q', '--allow-empty', '-m', 'first');
    };
    before(async function () {
      if (process.platform !== 'linux') return this.skip();
      skipWithout(this, 'bubblewrap');
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
      makeRepository(sandboxed.world.ws);
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

    it('branches and tags that are gone or lead to another history are told with where they led', async () => {
      for (const branch of ['gone', 'kept', 'back']) outsideGit('branch', branch);
      outsideGit('tag', 'v1');
      const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
      outsideGit(...author, 'commit', '-q', '--allow-empty', '-m', 'second');
      outsideGit('branch', '-f', 'back', 'main');
      await sandboxed.give(sandboxed.world.ws);
      const [first, second] = ['gone', 'main'].map((branch) => outsideGit('rev-parse', branch).trim());
      const line =
        'git branch -q -D gone; git branch -q -f kept main; git branch -q -f back main~1; git tag -d v1 >/dev/null; git commit -q --allow-empty -m third; git reflog expire --expire=now --all';
      const answer = await run(line, { git });
      assert.deepEqual(answer.lost?.toSorted(), [`back ${second}`, `gone ${first}`, `v1 ${first}`], answer.text);
      assert.equal((await run('git commit -q --amend --allow-empty -m other', { git })).lost?.length, 1);
      assert.equal((await run('git log --oneline', { git })).lost, undefined);
    });

    it('X52 a rebase that was left open, whose list may name programs, is told', async () => {
      const line = 'mkdir .git/rebase-merge; echo "exec touch /tmp/x" > .git/rebase-merge/git-rebase-todo';
      assert.deepEqual((await run(line, { git })).appeared, ['.git/rebase-merge']);
    });

    describe('where the data is outside of the workspace', () => {
      const commitLine =
        'set -e; echo b > b.txt; git add b.txt; git commit -qm two; git checkout -q -b topic; echo c > b.txt; git stash -q';
      let repository = '';
      beforeEach(async () => {
        repository = await mkdtemp(path.join(sandboxed.world.base, 'repository-'));
        await mkdir(path.join(repository, 'part'));
        git = path.join(repository, '.git');
        makeRepository(repository);
      });

      it('a linked worktree is told by it, then commits; settings, hooks and other worktrees stay', async () => {
        gitIn(
          repository,
          'worktree',
          'add',
          '-q',
          '-b',
          'other',
          path.join(sandboxed.world.base, `other${path.basename(repository)}`),
        );
        const tree = path.join(sandboxed.world.base, `tree${path.basename(repository)}`);
        gitIn(repository, 'worktree', 'add', '-q', '-b', 'tree', tree);
        await sandboxed.give(repository, tree);
        const here = { roots: [tree], cwd: tree };
        const own = path.join(git, 'worktrees', path.basename(tree));
        assert.deepEqual((await run('git commit -q --allow-empty -m x', here)).blocked, [`write ${own}/index.lock`]);
        assert.deepEqual((await run('git stash -u; true', here)).blocked, [`write ${own}/index.lock`]);
        const config = readFileSync(inGit('config'), 'utf8');
        const done = await run(commitLine, { ...here, git });
        assert.deepEqual([done.exitCode, done.blocked], [0, []], done.text);
        assert.match(gitIn(repository, 'log', '--format=%s', 'tree'), /^two\n/);
        const attack = [
          `echo x >> ${git}/config; echo x > ${git}/hooks/pre-commit; echo /tmp > ${own}/commondir; echo /tmp > ${own}/gitdir`,
          `echo "[core]" > ${own}/config.worktree; mkdir ${git}/worktrees/evil; mv ${own} ${git}/worktrees/x`,
          `echo x > ${git}/worktrees/other${path.basename(repository)}/HEAD; echo x > ${repository}/new; ln -sfn /tmp/x ${own}/ORIG_HEAD`,
          `mkdir ${own}/rebase-merge; echo x > .git`,
        ].join('; ');
        const told = await run(attack, { ...here, git });
        assert.deepEqual(told.appeared, [`${own}/rebase-merge`]);
        assert.ok(told.blocked?.includes(`link ${own}/ORIG_HEAD`), told.blocked?.join());
        assert.deepEqual(
          [config, `../..\n`, `${tree}/.git\n`, 'ref: refs/heads/other\n'],
          [
            inGit('config'),
            `${own}/commondir`,
            `${own}/gitdir`,
            inGit(`worktrees/other${path.basename(repository)}/HEAD`),
          ].map((file) => readFileSync(file, 'utf8')),
        );
        for (const left of [
          inGit('hooks/pre-commit'),
          `${own}/config.worktree`,
          inGit('worktrees/evil'),
          `${repository}/new`,
        ])
          assert.ok(!existsSync(left), left);
      });

      it('a folder of a repository is told by it, then commits; the rest of the repository stays', async () => {
        await sandboxed.give(repository);
        const part = path.join(repository, 'part');
        const here = { roots: [part], cwd: part, folder: repository };
        assert.deepEqual((await run('git add .', here)).blocked, [`write ${git}/index.lock`]);
        const done = await run(commitLine, { ...here, git });
        assert.deepEqual([done.exitCode, done.blocked], [0, []], done.text);
        assert.match(gitIn(repository, 'log', '--format=%s', 'main'), /^two\n/);
        await run(`echo x >> ${git}/config; echo x > ${repository}/new; echo x > ${git}/hooks/pre-commit`, {
          ...here,
          git,
        });
        for (const left of [inGit('hooks/pre-commit'), inGit('commondir'), `${repository}/new`])
          assert.ok(!existsSync(left), left);
        await run(`echo x > ${git}/HEAD; true`, { ...here, conversationId: 'two' });
        assert.equal(readFileSync(inGit('HEAD'), 'utf8'), 'ref: refs/heads/topic\n');
      });
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
