import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { systemProgram } from '../../../src/sandbox/bubblewrap.ts';
import { skipWithout } from '../../support/needs.ts';
import { fetchTools, gate, toolsFolder } from './gate.ts';
import { isRoot, openSandboxed, people, type Sandboxed, secret, somebody } from './sandboxed.ts';
import { commit, daily, write } from './toolchains.ts';

const isWhole = process.env.SVC_TEST_ALL === '1';

for (const { who, user, owner } of people) {
  describe(`F31 daily work in the sandbox, for ${who}`, function () {
    this.timeout(60_000);
    let sandboxed: Sandboxed;
    before(async function () {
      if (process.platform !== 'linux') return this.skip();
      skipWithout(this, 'bubblewrap');
      if (isWhole) fetchTools();
      sandboxed = await openSandboxed(user, { owner, readable: isWhole ? [toolsFolder] : [] });
      await sandboxed.newWorkspace();
      const first = await sandboxed.run('true');
      if ('unusable' in first && first.unusable !== 'broken' && !process.env.CI) this.skip();
      assert.deepEqual(first, { text: '', exitCode: 0, hasEnded: true, appeared: [] });
    });
    after(() => sandboxed?.close());
    beforeEach(() => sandboxed?.newWorkspace());

    for (const { title, work } of [...daily, ...gate]) {
      describe(title, () => {
        for (const { name, needs, setup, line, more, prints, ...expected } of work.filter(
          ({ isLong }) => isWhole || !isLong,
        )) {
          const { asks, blocked, loaded, harm, close } = expected;
          it(name, async function () {
            if (needs.some((program) => systemProgram(program) === undefined) && !process.env.CI) this.skip();
            const { world } = sandboxed;
            const runBefore = async (before: string) => {
              await sandboxed.give(world.base);
              return sandboxed.run(before);
            };
            await setup?.({ ...world, run: runBefore });
            await sandboxed.give(world.base);
            const { git, uncovered, ...input } = (typeof more === 'function' ? more() : more) ?? {};
            const inWorkspace = (place: string) => path.join(world.ws, place);
            const answer = await sandboxed.run(line(world), {
              ...input,
              ...(git && { git: inWorkspace(git) }),
              ...(uncovered && { uncovered: uncovered.map(inWorkspace) }),
              tellsBlocked: true,
            });
            close?.();
            assert.ok('text' in answer, JSON.stringify(answer));
            assert.ok(!answer.text.includes(secret), `the secret was printed: ${answer.text}`);
            assert.match(answer.text, prints);
            if (asks !== undefined) assert.deepEqual(answer.asked, asks, answer.text);
            if (blocked !== undefined) assert.deepEqual(answer.blocked, blocked, answer.text);
            if (loaded !== undefined) assert.deepEqual(answer.loaded?.toSorted(), loaded.toSorted());
            assert.equal(harm?.(world), undefined, answer.text);
          });
        }
      });
    }
  });
}

describe('F31 what is outside of the workspace and belongs to it', function () {
  this.timeout(60_000);
  let sandboxed: Sandboxed;
  before(async function () {
    if (process.platform !== 'linux') return this.skip();
    skipWithout(this, 'bubblewrap');
    sandboxed = await openSandboxed(isRoot ? somebody : undefined);
    await sandboxed.newWorkspace();
  });
  after(() => sandboxed?.close());

  it('the top of a monorepo and a linked folder of packages are told, and read, without their secrets, once the user said so', async () => {
    const { home, ws, base } = sandboxed.world;
    const top = path.join(home, 'mono');
    const packages = path.join(home, 'elsewhere/node_modules');
    for (const folder of [top, path.join(top, 'app'), path.join(packages, 'dep')])
      await mkdir(folder, { recursive: true });
    execFileSync('git', ['-c', 'init.defaultBranch=main', 'init', '-q'], { cwd: top });
    await write({ ...sandboxed.world, ws: top }, { 'shared.txt': 'shared', '.env': secret, 'app/a.txt': 'a' });
    await writeFile(path.join(packages, 'dep/index.js'), 'module.exports = "dep"');
    await symlink(packages, path.join(top, 'app/node_modules'));
    await sandboxed.give(base);
    const app = path.join(top, 'app');
    const line =
      'git status --short -uno && echo seen; node -p "require(\'dep\')"; cat ../shared.txt ../.env; echo x > ../new';
    const more = { roots: [app], cwd: app, tellsBlocked: true, conversationId: 'mono' };
    const before = await sandboxed.run(line, more);
    assert.ok('text' in before);
    assert.match(before.text, /not a git repository.*Cannot find module/s);
    assert.deepEqual(before.blocked, [`read ${top}`, `read ${packages}`]);
    await sandboxed.run('true', { ...more, folder: top });
    const after = await sandboxed.run(line, { ...more, folder: packages });
    assert.ok('text' in after);
    assert.match(after.text, /^seen\ndep\nshared.*Permission denied\n.*Read-only file system\n$/s);
    const other = await sandboxed.run(line, { ...more, conversationId: 'other' });
    assert.ok('text' in other && /not a git repository/.test(other.text));
    assert.ok(ws !== app && !existsSync(path.join(top, 'new')));
  });

  it('git works in a linked work tree whose repository is elsewhere, which stays read-only', async () => {
    const { home, base, ws } = sandboxed.world;
    const main = path.join(home, 'main');
    const tree = path.join(home, 'tree');
    await mkdir(main);
    await commit({ ...sandboxed.world, ws: main }, { 'a.txt': 'a' });
    execFileSync('git', ['-c', 'safe.directory=*', 'worktree', 'add', '-q', tree], { cwd: main, stdio: 'ignore' });
    await sandboxed.give(base);
    const answer = await sandboxed.run(
      'git status --short; git log --oneline | wc -l; echo x > a.txt; git commit -qam x',
      {
        ...{ roots: [tree], cwd: tree, tellsBlocked: true },
      },
    );
    assert.ok('text' in answer && ws !== tree);
    assert.match(answer.text, /^1\n.*Read-only file system/s);
  });
});

describe('F31 the sandbox, for root in a folder of somebody else', function () {
  this.timeout(60_000);
  let sandboxed: Sandboxed;
  before(async function () {
    if (!isRoot || process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) return this.skip();
    sandboxed = await openSandboxed(undefined, { owner: { uid: 4711, gid: 4711 } });
  });
  after(() => sandboxed?.close());
  beforeEach(() => sandboxed?.newWorkspace());

  it('X52 has rights over files of these two, and no others', async () => {
    const { ws } = sandboxed.world;
    const answer = await sandboxed.run(
      'echo x > a.txt && echo y > made && chown 4711:4711 made && stat -c %u made; grep CapEff /proc/self/status; chown 12:12 made; mount -t tmpfs none /tmp; unshare -Ur true; ls /proc/self/fd | tr "\\n" " "; cat .env; echo h > .git/hooks/x',
    );
    assert.ok('text' in answer, JSON.stringify(answer));
    assert.match(
      answer.text,
      /^4711\nCapEff:\s0{15}b\n.*Invalid argument\n.*denied[.\s].*No space left on device\n0 1 2 3 .*denied\n.*Read-only/s,
    );
    assert.equal((await stat(path.join(ws, 'made'))).uid, 4711);
  });

  it('X52 sockets in folders that only the owner may enter are covered', async () => {
    const closed = path.join(sandboxed.world.base, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await chown(closed, 4711, 4711);
    const server = createServer().listen(path.join(closed, 'agent'));
    await once(server, 'listening');
    const answer = await sandboxed.run(
      `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${closed}/agent") ? "in" : "out"'`,
    );
    server.close();
    assert.equal('text' in answer && answer.text, 'out');
  });

  it('of folders of several others it is not used, as what one of them has could not be written', async () => {
    const { ws } = sandboxed.world;
    await sandboxed.newWorkspace();
    await chown(sandboxed.world.ws, somebody.uid, somebody.gid);
    const answer = await sandboxed.run('true', { roots: [ws, sandboxed.world.ws] });
    assert.deepEqual(answer, { unusable: 'owner' });
  });
});
