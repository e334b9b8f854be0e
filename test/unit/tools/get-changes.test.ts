import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { getChanges } from '../../../src/tools/get-changes.ts';
import type { Git } from '../../../src/tools/git/git.ts';
import { createNodeGit } from '../../../src/tools/git/node-git.ts';
import { gitPath } from '../../support/git-in.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { runTool, toolContext } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from './workspace.ts';

const nodeGit = createNodeGit({ gitPath: () => gitPath });

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function makeRepository(folder: string, contents: Record<string, string>): Promise<void> {
  await writeFiles(folder, contents);
  git(folder, 'init');
  git(folder, 'add', '.');
  git(folder, 'commit', '-m', 'First');
}

const changes = async (folders: Record<string, string>, args: object = {}) =>
  (await runTool(getChanges.create({ ...openFolders(folders), git: nodeGit }), args)).forModel;

describe('get_changes', () => {
  before(function () {
    if (gitPath === undefined) this.skip();
  });

  it('F13 gives the list of files and their diff: staged and not, renamed, binary, new', () =>
    withTempDir(async (ws) => {
      const old = `${Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')}\n`;
      await makeRepository(ws, { 'src/a.ts': 'one\ntwo\n', 'b.ts': 'b\n', 'old.ts': old, 'c.bin': 'x\0y' });
      assert.equal(await changes({ ws }), 'Nothing has changed.');
      await writeFiles(ws, { 'src/a.ts': 'one\n2\n', 'b.ts': 'B\n', 'c.bin': 'x\0z', 'new.ts': 'n\n' });
      git(ws, 'mv', 'old.ts', 'src/renamed.ts');
      git(ws, 'add', 'b.ts');
      const all = await changes({ ws });
      assert.match(
        all,
        /^b\.ts \+1 −1\nc\.bin binary\nsrc\/a\.ts \+1 −1\nsrc\/renamed\.ts \(was old\.ts\) \+0 −0\nnew, not added: new\.ts\n\n/,
      );
      assert.match(all, /--- a\/src\/a\.ts\n\+\+\+ b\/src\/a\.ts\n@@ -1,2 \+1,2 @@\n one\n-two\n\+2/);
      assert.doesNotMatch(all, /^(index|diff --git) /m);
      const staged = await changes({ ws }, { staged: true });
      assert.match(staged, /^b\.ts \+1 −1\nsrc\/renamed\.ts/);
      assert.doesNotMatch(staged, /src\/a\.ts|new\.ts/);
    }));

  it('F13 against a branch gives what was done since it was left', () =>
    withTempDir(async (ws) => {
      await makeRepository(ws, { 'a.ts': 'a\n', 'main.ts': 'm\n' });
      git(ws, 'checkout', '-b', 'work');
      await writeFiles(ws, { 'a.ts': 'mine\n' });
      git(ws, 'commit', '-am', 'Mine');
      git(ws, 'checkout', 'main');
      await writeFiles(ws, { 'main.ts': 'theirs\n' });
      git(ws, 'commit', '-am', 'Theirs');
      git(ws, 'checkout', 'work');
      const text = await changes({ ws }, { against: 'main' });
      assert.match(text, /^a\.ts \+1 −1\n\n/);
      assert.doesNotMatch(text, /main\.ts/);
      for (const against of ['nope', '--output=x', 'main..work', '-O/etc/passwd', 'a b', '$(x)']) {
        await assert.rejects(changes({ ws }, { against }), /no branch, tag or commit|no name of a branch/, against);
      }
    }));

  it('X16 of files that may hold secrets only the name is given', () =>
    withTempDir(async (ws) => {
      await makeRepository(ws, {
        '.env': 'TOKEN=old\n',
        'moved.txt': 'needle and enough text to be seen as the same file\n',
      });
      await writeFiles(ws, { '.env': 'TOKEN=new\n' });
      await rename(path.join(ws, 'moved.txt'), path.join(ws, 'id_rsa'));
      git(ws, 'add', '.');
      const text = await changes({ ws });
      assert.match(text, /^\.env \+1 −1, may hold secrets, not shown\n/);
      assert.match(text, /id_rsa \(was moved\.txt\).*may hold secrets/);
      assert.doesNotMatch(text, /TOKEN|needle/);
    }));

  it('F24 names a submodule whose commit is staged, and looks into none', () =>
    withTempDir(async (temp) => {
      const [ws, part] = [path.join(temp, 'ws'), path.join(temp, 'part')];
      await makeRepository(part, { 'p.ts': 'p\n' });
      await makeRepository(ws, { 'a.ts': 'a\n' });
      git(ws, '-c', 'protocol.file.allow=always', 'submodule', 'add', part, 'part');
      git(ws, 'commit', '-m', 'Part');
      const marker = path.join(temp, 'ran');
      const evil = path.join(temp, 'evil.sh');
      await writeFile(evil, `#!/bin/sh\necho ran >> ${marker}\n`);
      await chmod(evil, 0o755);
      const inside = path.join(ws, 'part');
      await writeFiles(inside, { 'p.ts': 'changed\n' });
      git(inside, 'commit', '-am', 'Changed');
      git(ws, 'add', 'part');
      git(ws, 'config', 'diff.submodule', 'log');
      git(inside, 'config', 'core.fsmonitor', evil);
      await writeFiles(inside, { 'p.ts': 'not committed\n' });
      const staged = await changes({ ws }, { staged: true });
      assert.match(staged, /^part \+1 −1\n[\s\S]*-Subproject commit [0-9a-f]+\n\+Subproject commit [0-9a-f]+$/);
      await changes({ ws });
      assert.ok(!existsSync(marker), 'a program of the submodule ran');
    }));

  it('F24 tells the first commit of a repository, deleted files and a merge under way', () =>
    withTempDir(async (ws) => {
      await writeFiles(ws, { 'a.ts': 'a\n' });
      git(ws, 'init');
      git(ws, 'add', '.');
      assert.match(await changes({ ws }, { staged: true }), /^a\.ts \+1 −0\n[\s\S]*\+a$/);
      git(ws, 'commit', '-m', 'First');
      git(ws, 'checkout', '-b', 'work');
      await writeFiles(ws, { 'a.ts': 'work\n', 'b.ts': 'b\n' });
      git(ws, 'add', '.');
      git(ws, 'commit', '-m', 'Work');
      git(ws, 'checkout', 'main');
      await writeFiles(ws, { 'a.ts': 'main\n' });
      git(ws, 'commit', '-am', 'Main');
      assert.throws(() => git(ws, 'merge', 'work'), 'a conflict');
      assert.match(await changes({ ws }, { staged: true }), /b\.ts \+1 −0[\s\S]*\+b/);
      git(ws, 'add', 'a.ts');
      git(ws, 'commit', '-m', 'Merged');
      git(ws, 'rm', 'b.ts');
      assert.match(await changes({ ws }, { staged: true }), /^b\.ts \(deleted\) \+0 −1\n[\s\S]*-b$/);
    }));

  it('F13 shows what a first commit will hold, and a submodule that moved (anthropics/claude-code#33234)', () =>
    withTempDir(async (temp) => {
      const [ws, part] = [path.join(temp, 'ws'), path.join(temp, 'part')];
      await writeFiles(ws, { 'a.ts': 'a\n' });
      git(ws, 'init');
      git(ws, 'add', '.');
      assert.match(await changes({ ws }), /^a\.ts \+1 −0\n[\s\S]*\+a$/);
      await makeRepository(part, { 'p.ts': 'p\n' });
      git(ws, '-c', 'protocol.file.allow=always', 'submodule', 'add', part, 'part');
      git(ws, 'commit', '-m', 'First');
      await writeFiles(path.join(ws, 'part'), { 'p.ts': 'moved\n' });
      git(path.join(ws, 'part'), 'commit', '-am', 'Moved');
      assert.match(await changes({ ws }), /^part \+1 −1\n[\s\S]*\+Subproject commit [0-9a-f]+$/);
    }));

  it('X05 akitaonrails/ai-jail#101 a worktree of a bare repository beside it, both named by relative paths, is read', () =>
    withTempDir(async (temp) => {
      const [first, bare, ws] = ['first', 'repo', 'repo/feature'].map((name) => path.join(temp, name)) as [
        string,
        string,
        string,
      ];
      await makeRepository(first, { 'a.ts': 'a\n' });
      git(temp, 'clone', '-q', '--bare', first, bare);
      git(bare, 'worktree', 'add', '-q', ws, '-b', 'feature');
      await writeFile(path.join(ws, '.git'), 'gitdir: ../worktrees/feature\n');
      await writeFile(path.join(bare, 'worktrees/feature/gitdir'), '../../feature/.git\n');
      await writeFiles(ws, { 'a.ts': 'changed\n' });
      assert.match(await changes({ ws }), /^a\.ts \+1 −1\n/);
    }));

  it('X05 data of the repository elsewhere are asked about as any read outside', () =>
    withTempDir(async (temp) => {
      const [origin, ws] = [path.join(temp, 'origin'), path.join(temp, 'ws')];
      await makeRepository(origin, { 'a.ts': 'a\n' });
      git(temp, 'clone', '--shared', origin, ws);
      await writeFiles(ws, { 'a.ts': 'A\n' });
      const tool = getChanges.create({ ...openFolders({ ws }), git: nodeGit });
      const plan = await tool.plan({}, toolContext());
      const objects = path.join(origin, '.git', 'objects');
      assert.deepEqual(plan.approval?.subject, { kind: 'read', path: objects, reason: 'outside', scope: 'below' });
      assert.match((await plan.run()).forModel, /-a\n\+A/);
    }));

  it('X09 no program that the repository names is run', () =>
    withTempDir(async (temp) => {
      const ws = path.join(temp, 'ws');
      await makeRepository(ws, {
        'a.ts': 'a\n',
        'b.txt': 'b\n',
        '.gitattributes': '*.ts diff=evil filter=evil\n*.txt diff=conv\n',
      });
      const marker = path.join(temp, 'ran');
      const evil = path.join(temp, 'evil.sh');
      await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`);
      await chmod(evil, 0o755);
      const settings = {
        'core.fsmonitor': evil,
        'core.pager': evil,
        'core.sshCommand': evil,
        'core.editor': evil,
        'diff.external': evil,
        'diff.evil.command': evil,
        'diff.conv.textconv': evil,
        'filter.evil.clean': evil,
        'filter.evil.process': evil,
        'filter.evil.required': 'true',
        'core.hooksPath': temp,
      };
      for (const [name, value] of Object.entries(settings)) git(ws, 'config', name, value);
      git(ws, 'config', '-f', path.join(temp, 'included'), 'filter.hidden.clean', evil);
      git(ws, 'config', 'include.path', path.join(temp, 'included'));
      await writeFile(path.join(temp, 'post-index-change'), `#!/bin/sh\necho hook >> ${marker}\n`);
      await chmod(path.join(temp, 'post-index-change'), 0o755);
      await writeFiles(ws, { 'a.ts': 'changed\n', 'b.txt': 'changed\n', 'c.ts': 'new\n' });
      await writeFiles(ws, { '.gitattributes': '*.ts diff=evil filter=evil\n*.txt diff=conv filter=hidden\n' });
      const text = await changes({ ws });
      assert.match(text, /\+changed/);
      await changes({ ws }, { against: 'HEAD' });
      await changes({ ws }, { staged: true });
      assert.ok(!existsSync(marker), 'a program of the repository ran');
    }));

  it('X09 a filter whose name cannot be written on a command line does not run either', () =>
    withTempDir(async (temp) => {
      const ws = path.join(temp, 'ws');
      await makeRepository(ws, { 'a.ts': 'a\n', '.gitattributes': '*.ts filter=a=b\n' });
      const marker = path.join(temp, 'ran');
      git(ws, 'config', 'filter.a=b.clean', `touch ${marker}; cat`);
      await writeFiles(ws, { 'a.ts': 'changed\n' });
      assert.match(await changes({ ws }), /\+changed/);
      assert.ok(!existsSync(marker), 'a program of the repository ran');
    }));

  it('F13 counts more new files than a call takes arguments', async () => {
    const untracked = Array.from({ length: 150_000 }, (_, index) => `node_modules/${index}.js`);
    const huge: Git = {
      isRepository: () => true,
      elsewhere: async () => [],
      changes: async () => ({ files: [], untracked, diff: async () => '' }),
    };
    const { workspace } = openFolders({ ws: '/ws' });
    const { forModel } = await runTool(getChanges.create({ workspace, git: huge }), {});
    assert.match(forModel, /\n\[149900 more files\]$/);
  });

  it('X05 a folder inside a repository shows only what is under it; several folders carry their names', () =>
    withTempDir(async (temp) => {
      await makeRepository(temp, { 'one/a.ts': 'a\n', 'two/b.ts': 'b\n', 'private.ts': 'p\n' });
      await writeFiles(temp, { 'one/a.ts': 'A\n', 'two/b.ts': 'B\n', 'private.ts': 'P\n' });
      const one = await changes({ one: path.join(temp, 'one') });
      assert.match(one, /^a\.ts \+1 −1\n/);
      assert.doesNotMatch(one, /private|two/);
      const both = await changes({ one: path.join(temp, 'one'), two: path.join(temp, 'two') });
      assert.match(both, /^one\/a\.ts \+1 −1\n/);
      assert.match(both, /^two\/b\.ts \+1 −1$/m);
    }));

  it('H15 a long diff is cut at a line and says how much is missing of which file', () =>
    withTempDir(async (ws) => {
      await makeRepository(ws, { 'a.txt': 'a\n', 'min.js': 'x' });
      await writeFiles(ws, { 'a.txt': 'new line of text\n'.repeat(5000), 'min.js': 'y'.repeat(5000) });
      const text = await changes({ ws });
      assert.ok(text.length < 17_000, `${text.length}`);
      assert.match(text, /\n\+new line of text\n\[4\d{3} more lines of a\.txt\]\n--- a\/min\.js\n/);
    }));

  it('F24 F33 shows every file: a small change beside huge ones, and generated ones as a line', () =>
    withTempDir(async (ws) => {
      const lock = JSON.stringify(
        Array.from({ length: 3000 }, (_, at) => at),
        undefined,
        1,
      );
      await makeRepository(ws, { 'a.csv': 'a\n', 'package-lock.json': '[]\n', 'z.ts': 'one\ntwo\n', 'b.lock': '1\n' });
      await writeFiles(ws, {
        'a.csv': 'row,1\n'.repeat(60_000),
        'package-lock.json': lock,
        'z.ts': 'one\n2\n',
        'b.lock': '2\n',
      });
      const text = await changes({ ws });
      assert.match(text, /\n one\n-two\n\+2\n/);
      assert.match(text, /\n-1\n\+2\n/, 'a few lines of a generated file are shown');
      assert.match(text, /\n\[60001 more lines of a\.csv\]/);
      assert.match(text, /\n\[generated, not shown: 3003 lines of package-lock\.json\]$/);
      assert.ok(text.length < 1000, `${text.length}`);
    }));

  it('F24 F33 shares the room over many long files: all of them are begun', () =>
    withTempDir(async (ws) => {
      const files = (sign: string) =>
        Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.ts`, `${sign} ${at}\n`.repeat(400)]));
      await makeRepository(ws, files('old'));
      await writeFiles(ws, { ...files('new'), 'small.ts': 's\n' });
      git(ws, 'add', '.');
      const text = await changes({ ws });
      assert.ok(text.length < 18_500, `${text.length}`);
      for (let at = 0; at < 30; at++)
        assert.match(text, new RegExp(`\\n-old ${at}\\n[\\s\\S]*more lines of f${at}\\.ts`));
      assert.match(text, /\n\+s$/);
    }));

  it('F13 is known not to apply without git or a repository, and says so', () =>
    withTempDir(async (temp) => {
      const [root] = openFolders({ ws: temp }).workspace.roots();
      assert.ok(root !== undefined);
      assert.equal(nodeGit.isRepository(root), false);
      await assert.rejects(changes({ ws: temp }), /No open folder is under git/);
      git(temp, 'init');
      assert.equal(nodeGit.isRepository(root), true);
      assert.equal(createNodeGit({ gitPath: () => undefined }).isRepository(root), false);
      await writeFiles(temp, { 'a.ts': 'a\n' });
      assert.equal(await changes({ ws: temp }), 'new, not added: a.ts');
    }));
});
