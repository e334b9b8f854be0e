import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { createPullRequestRepository } from '../../../src/features/git/core/pull-request-repository.ts';
import { createSplitRepository } from '../../../src/features/git/core/split-repository.ts';
import { createWorktrees } from '../../../src/features/worktrees/core/worktrees.ts';
import { getChanges } from '../../../src/tools/get-changes.ts';
import { openGitProgram } from '../../../src/tools/git/git-program.ts';
import { createNodeGit } from '../../../src/tools/git/node-git.ts';
import { someOf } from '../../support/effort.ts';
import { gitPath } from '../../support/git-in.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from './workspace.ts';

interface World {
  ws: string;
  /** A repository of the user with `OUTSIDE` in all its texts, committed and not. */
  outside: string;
  evil: string;
  git(...args: string[]): string;
  config(...entries: (readonly [string, string])[]): void;
}

function gitIn(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const headOf = (folder: string) => gitIn(folder, 'rev-parse', 'HEAD').trim();

const hostile: Record<string, (world: World) => unknown> = {
  'core.worktree is the home folder': ({ outside, config }) => config(['core.worktree', outside]),
  'core.worktree stands in config.worktree': async ({ ws, outside, config }) => {
    config(['extensions.worktreeConfig', 'true']);
    await writeFile(path.join(ws, '.git/config.worktree'), `[core]\n\tworktree = ${outside}\n`);
  },
  'core.worktree stands in an included file': async ({ ws, outside, config }) => {
    await writeFile(path.join(ws, 'included'), `[core]\n\tworktree = ${outside}\n`);
    config(['include.path', path.join(ws, 'included')]);
  },
  'hooks of the configuration': ({ evil, config }) => {
    for (const event of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit', 'post-commit']) {
      config([`hook.${event}.event`, event], [`hook.${event}.command`, evil]);
    }
  },
  'hooks in files': async ({ ws, evil }) => {
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'fsmonitor-watchman']) {
      await cp(evil, path.join(ws, '.git/hooks', name));
    }
  },
  'core.hooksPath': async ({ ws, evil, config }) => {
    await mkdir(path.join(ws, 'hooks'));
    for (const name of ['post-checkout', 'post-index-change']) await cp(evil, path.join(ws, 'hooks', name));
    config(['core.hooksPath', path.join(ws, 'hooks')]);
  },
  'programs that watch, page, edit and connect': ({ evil, config }) =>
    config(
      ...['fsmonitor', 'pager', 'editor', 'sshCommand', 'askPass', 'gitProxy', 'alternateRefsCommand'].map(
        (key) => [`core.${key}`, evil] as const,
      ),
    ),
  'programs that show differences': async ({ ws, evil, config }) => {
    await writeFile(path.join(ws, '.gitattributes'), '* diff=evil\n');
    config(
      ['diff.external', evil],
      ['diff.evil.command', evil],
      ['diff.evil.textconv', evil],
      ['interactive.diffFilter', evil],
    );
  },
  'filters, many times over': async ({ ws, evil, config }) => {
    await writeFile(path.join(ws, '.gitattributes'), '* filter=evil\n');
    for (const key of ['clean', 'smudge', 'process']) config([`filter.evil.${key}`, evil]);
    await appendFile(path.join(ws, '.git/config'), `[filter "evil"]\n\tclean = ${evil}\n\trequired\n`);
  },
  'a filter with a sign in its name': async ({ ws, evil }) => {
    await writeFile(path.join(ws, '.gitattributes'), '* filter=a=b\n');
    await appendFile(path.join(ws, '.git/config'), `[filter "a=b"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n`);
  },
  'a merge program': async ({ ws, evil, config }) => {
    await writeFile(path.join(ws, '.gitattributes'), '* merge=evil\n');
    config(
      ['merge.evil.driver', evil],
      ['merge.default', 'evil'],
      ['trailer.x.command', evil],
      ['gpg.program', evil],
      ['log.showSignature', 'true'],
    );
  },
  'webcoyote/sandvault#177 programs for what is asked on the way': ({ evil, config }) =>
    config(
      ['uploadpack.packObjectsHook', evil],
      ['core.sshCommand', evil],
      ['core.askPass', evil],
      ['core.gitProxy', evil],
      ['core.pager', evil],
      ['core.alternateRefsCommand', evil],
      ['credential.helper', evil],
      ['diff.external', evil],
      ['sequence.editor', evil],
      ['alias.diff-files', `!${evil}`],
      ['remote.origin.receivepack', evil],
      ['gc.recentObjectsHook', evil],
      ['maintenance.auto', 'true'],
      ['gc.auto', '1'],
    ),
  'a partial clone that fetches by a program': ({ evil, config }) =>
    config(
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::${evil}`],
      ['protocol.ext.allow', 'always'],
      ['remote.origin.uploadpack', evil],
    ),
  'a submodule with programs': async ({ ws, outside, evil, git }) => {
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', outside, 'part');
    git('commit', '-m', 'Part');
    for (const key of ['fsmonitor', 'hooksPath']) gitIn(path.join(ws, 'part'), 'config', `core.${key}`, evil);
    git('config', 'diff.ignoreSubmodules', 'none');
    git('config', 'diff.submodule', 'diff');
    git('config', 'submodule.recurse', 'true');
    await rm(path.join(ws, 'part/o.txt'));
  },
  'a .git file that names another repository': async ({ ws, outside }) => {
    await rm(path.join(ws, '.git'), { recursive: true });
    await writeFile(path.join(ws, '.git'), `gitdir: ${outside}/.git\n`);
  },
  'a .git that is a link': async ({ ws, outside }) => {
    await rm(path.join(ws, '.git'), { recursive: true });
    await symlink(path.join(outside, '.git'), path.join(ws, '.git'));
  },
  'a commondir elsewhere': ({ ws, outside }) => writeFile(path.join(ws, '.git/commondir'), `${outside}/.git\n`),
  'alternates elsewhere': async ({ ws, outside }) => {
    await writeFile(path.join(ws, '.git/objects/info/alternates'), `${outside}/.git/objects\n`);
    await writeFile(path.join(ws, '.git/refs/heads/main'), `${headOf(outside)}\n`);
  },
  'alternates of alternates, one of them quoted': async ({ ws, outside }) => {
    await mkdir(path.join(ws, 'more/objects/info'), { recursive: true });
    await writeFile(path.join(ws, '.git/objects/info/alternates'), '../../more/objects\n');
    await writeFile(path.join(ws, 'more/objects/info/alternates'), `"\\057${outside.slice(1)}/.git/objects"\n`);
    await writeFile(path.join(ws, '.git/refs/heads/main'), `${headOf(outside)}\n`);
  },
  'objects that are a link': async ({ ws, outside }) => {
    await rename(path.join(ws, '.git/objects'), path.join(ws, '.git/objects-old'));
    await symlink(path.join(outside, '.git/objects'), path.join(ws, '.git/objects'));
    await writeFile(path.join(ws, '.git/refs/heads/main'), `${headOf(outside)}\n`);
  },
  'folders of objects that are links': async ({ ws, outside }) => {
    gitIn(outside, 'repack', '-adq');
    await rm(path.join(ws, '.git/objects/pack'), { recursive: true, force: true });
    await symlink(path.join(outside, '.git/objects/pack'), path.join(ws, '.git/objects/pack'));
    await writeFile(path.join(ws, '.git/refs/heads/main'), `${headOf(outside)}\n`);
  },
  'refs in a store elsewhere': ({ outside, config }) =>
    config(['core.repositoryFormatVersion', '1'], ['extensions.refStorage', `files://${outside}/.git`]),
  'attributes and ignore files elsewhere': ({ outside, config }) =>
    config(['core.attributesFile', path.join(outside, 'o.txt')], ['core.excludesFile', path.join(outside, 'o.txt')]),
};

describe('a workspace made hostile', () => {
  before(function () {
    if (gitPath === undefined || process.platform === 'win32') this.skip();
  });

  for (const [how, make] of someOf(Object.entries(hostile), 4)) {
    it(`X09 X05 ${how}: no program runs, and nothing from outside is read unasked`, () =>
      withTempDir(async (temp) => {
        const [ws, outside] = [path.join(temp, 'ws'), path.join(temp, 'outside')];
        await writeFiles(outside, { 'o.txt': 'OUTSIDE committed\n' });
        gitIn(outside, 'init');
        gitIn(outside, 'add', '.');
        gitIn(outside, 'commit', '-m', 'OUTSIDE message');
        await writeFiles(outside, { 'o.txt': 'OUTSIDE changed\n', 'new.txt': 'OUTSIDE new\n' });
        await writeFiles(ws, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
        const git = (...args: string[]) => gitIn(ws, ...args);
        git('init');
        git('add', '.');
        git('commit', '-m', 'First');
        const [evil, marker] = [path.join(temp, 'evil'), path.join(temp, 'ran')];
        await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`);
        await chmod(evil, 0o755);
        const config: World['config'] = (...entries) => {
          for (const [name, value] of entries)
            git('config', '--file', path.join(ws, '.git/config'), '--add', name, value);
        };
        await make({ ws, outside, evil, git, config });
        await writeFiles(ws, { 'a.txt': 'changed\n', 'c.txt': 'new\n' });
        const told = await tellAll(ws, path.join(temp, 'storage'));
        assert.ok(!existsSync(marker), 'a program ran');
        assert.doesNotMatch(told, /OUTSIDE|o\.txt|new\.txt/);
        assert.match(
          told,
          /changed|Git data of this folder|names a place/,
          'it is looked at, or refused with the reason',
        );
      }));
  }
});

/** Lets every feature look, and collects what they have to say; a card is answered by nobody. */
async function tellAll(ws: string, dir: string): Promise<string> {
  const { signal } = new AbortController();
  const openGit = (folder: string, until: AbortSignal, known?: { movedFrom: string }) =>
    openGitProgram(gitPath, folder, until, known);
  const told: unknown[] = [];
  const tell = async (step: () => Promise<unknown>) => told.push(await step().catch((error: unknown) => `${error}`));
  const tool = getChanges.create({ ...openFolders({ ws }), git: createNodeGit({ gitPath: () => gitPath }) });
  for (const args of [{}, { staged: true }, { against: 'HEAD' }]) {
    await tell(async () => {
      const plan = await tool.plan(args, toolContext());
      return plan.approval === undefined
        ? (await plan.run()).forModel
        : 'The Git data of this folder are elsewhere: asked';
    });
  }
  await tell(async () => {
    const split = createSplitRepository(await openGit(ws, signal), ws);
    const { base, target } = await split.range();
    const changes = await split.changes(base, target);
    return JSON.stringify(changes);
  });
  await tell(async () => {
    const repository = createPullRequestRepository(await openGit(ws, signal));
    await repository.branches();
    return JSON.stringify(await repository.material('HEAD', async () => false));
  });
  const worktrees = createWorktrees({ dir, openGit });
  await tell(async () => {
    const uncommitted = await worktrees.uncommitted(ws, signal);
    const folder = await worktrees.add(
      { repository: ws, name: 'task', ...(uncommitted && { tree: uncommitted.tree }) },
      signal,
    );
    await writeFiles(folder, { 'a.txt': 'task\n' });
    const { changes } = await worktrees.inspect(folder, signal);
    const after = changes.map((change) => ({ change, side: 'after' as const }));
    told.push(...(await worktrees.bytes(folder, after, signal)).map(String));
    await worktrees.merged(folder, { ours: 'a\n', base: 'a\n', theirs: 'b\n' }, signal);
    await worktrees.remove(folder, signal);
    return JSON.stringify(changes);
  });
  return told.join('\n');
}
