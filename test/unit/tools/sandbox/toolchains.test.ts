import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { systemProgram } from '../../../../src/tools/command/sandbox/bubblewrap.ts';
import { isRoot, openSandboxed, people, type Sandboxed, secret, somebody } from './sandboxed.ts';
import { daily } from './toolchains.ts';

for (const { who, user, owner } of people) {
  describe(`F31 daily work in the sandbox, for ${who}`, function () {
    this.timeout(60_000);
    let sandboxed: Sandboxed;
    before(async function () {
      if (process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) return this.skip();
      sandboxed = await openSandboxed(user, owner);
      await sandboxed.newWorkspace();
      const first = await sandboxed.run('true');
      if ('unusable' in first && first.unusable !== 'broken' && !process.env.CI) this.skip();
      assert.deepEqual(first, { text: '', exitCode: 0, hasEnded: true, appeared: [] });
    });
    after(() => sandboxed?.close());
    beforeEach(() => sandboxed?.newWorkspace());

    for (const { title, work } of daily) {
      describe(title, () => {
        for (const { name, needs, setup, line, more, prints, blocked, loaded, harm, close } of work) {
          it(name, async function () {
            if (needs.some((program) => systemProgram(program) === undefined) && !process.env.CI) this.skip();
            const { world } = sandboxed;
            const runBefore = async (before: string) => {
              await sandboxed.give(world.base);
              return sandboxed.run(before);
            };
            await setup?.({ ...world, run: runBefore });
            await sandboxed.give(world.base);
            const answer = await sandboxed.run(line(world), { ...more, tellsBlocked: true });
            close?.();
            assert.ok('text' in answer, JSON.stringify(answer));
            assert.ok(!answer.text.includes(secret), `the secret was printed: ${answer.text}`);
            assert.match(answer.text, prints);
            if (blocked !== undefined) assert.deepEqual(answer.blocked, blocked, answer.text);
            if (loaded !== undefined) assert.deepEqual(answer.loaded?.toSorted(), loaded.toSorted());
            assert.equal(harm?.(world), undefined, answer.text);
          });
        }
      });
    }
  });
}

describe('F31 the sandbox, for root in a folder of somebody else', function () {
  this.timeout(60_000);
  let sandboxed: Sandboxed;
  before(async function () {
    if (!isRoot || process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) return this.skip();
    sandboxed = await openSandboxed(undefined, { uid: 4711, gid: 4711 });
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
