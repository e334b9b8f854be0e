import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'mocha';
import { systemProgram } from '../../../../src/tools/command/sandbox/bubblewrap.ts';
import { isRoot, openSandboxed, type Sandboxed, secret, somebody } from './sandboxed.ts';
import { daily } from './toolchains.ts';

const users = isRoot
  ? ([
      ['root', undefined],
      ['somebody', somebody],
    ] as const)
  : ([['somebody', undefined]] as const);

for (const [who, user] of users) {
  describe(`F31 daily work in the sandbox, for ${who}`, function () {
    this.timeout(60_000);
    let sandboxed: Sandboxed;
    before(async function () {
      if (process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) return this.skip();
      sandboxed = await openSandboxed(user);
      await sandboxed.newWorkspace();
      const first = await sandboxed.run('true');
      if ('unusable' in first && first.unusable !== 'broken' && !process.env.CI) this.skip();
      assert.deepEqual(first, { text: '', exitCode: 0, hasEnded: true, appeared: [] });
    });
    after(() => sandboxed?.close());
    beforeEach(() => sandboxed?.newWorkspace());

    for (const { title, work } of daily) {
      describe(title, () => {
        for (const { name, needs, setup, line, more, prints, blocked, harm, close } of work) {
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
            assert.equal(harm?.(world), undefined, answer.text);
          });
        }
      });
    }
  });
}

describe('F31 the sandbox, for root in a folder of somebody else', function () {
  this.timeout(60_000);
  it('is not used, as no write would succeed, and the next folder has it again', async function () {
    if (!isRoot || process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) return this.skip();
    const sandboxed = await openSandboxed();
    try {
      await sandboxed.newWorkspace();
      await chown(sandboxed.world.ws, somebody.uid, somebody.gid);
      const answer = await sandboxed.run('echo x > a.txt');
      await sandboxed.newWorkspace();
      assert.deepEqual(
        [answer, await sandboxed.run('true')].map((each) => Object.keys(each)[0]),
        ['unusable', 'text'],
      );
      assert.deepEqual(answer, { unusable: 'owner' });
    } finally {
      await sandboxed.close();
    }
  });
});
