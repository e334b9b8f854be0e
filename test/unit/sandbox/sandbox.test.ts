import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { skipWithout } from '../../support/needs.ts';
import { attacks, ordinary, reported } from './corpus.ts';
import { openSandboxed, people, type Sandboxed, secret } from './sandboxed.ts';

for (const { who, user, owner } of people) {
  describe(`F31 X52 the sandbox, for ${who}`, function () {
    this.timeout(30_000);
    let sandboxed: Sandboxed;
    before(async function () {
      if (process.platform !== 'linux') return this.skip();
      skipWithout(this, 'bubblewrap');
      sandboxed = await openSandboxed(user, { owner });
      await sandboxed.newWorkspace();
      const first = await sandboxed.run('true');
      if ('unusable' in first && first.unusable !== 'broken' && !process.env.CI) this.skip();
      assert.deepEqual(first, { text: '', exitCode: 0, hasEnded: true, appeared: [] });
    });
    after(() => sandboxed?.close());
    beforeEach(() => sandboxed?.newWorkspace());

    for (const { title, attacks: cases } of attacks) {
      describe(title, () => {
        for (const attack of cases) {
          if (attack.as?.includes(who) === false) continue;
          it(`${attack.name}: ${attack.why}`, async () => {
            const { world } = sandboxed;
            await attack.setup?.(world, sandboxed);
            await sandboxed.give(world.ws);
            const answer = await sandboxed.run(attack.line(world), attack.more?.(world));
            if (attack.unusable !== undefined) return assert.deepEqual(answer, { unusable: attack.unusable });
            assert.ok('text' in answer, JSON.stringify(answer));
            const harm = await attack.harm(world, answer.text);
            assert.equal(harm, undefined, answer.text);
            assert.ok(!answer.text.includes(secret), `the secret was printed: ${answer.text}`);
          });
        }
      });
    }

    it('what conversations left that are no more is removed, closed folders as well', async () => {
      const line = 'mkdir -p ~/a/b /tmp/c; touch ~/a/b/f; ln -s / ~/a/b/l; chmod 0 ~/a/b; chmod 500 ~/a /tmp/c';
      for (const conversationId of ['gone1', 'gone2', 'kept']) await sandboxed.run(line, { conversationId });
      await sandboxed.run('', { forgetAllBut: 'kept' });
      assert.deepEqual(readdirSync(sandboxed.world.state), ['kept']);
    });

    it('folders of packages from elsewhere stand in the workspace: read-only, and without their secrets', async () => {
      const { world } = sandboxed;
      const elsewhere = path.join(world.base, 'main');
      const source = path.join(elsewhere, 'node_modules');
      await mkdir(path.join(source, 'pkg'), { recursive: true });
      await mkdir(path.join(world.ws, 'packages/own'), { recursive: true });
      await writeFile(path.join(source, 'pkg/index.js'), 'here\n');
      await writeFile(path.join(source, 'pkg/.env'), `${secret}\n`);
      await writeFile(path.join(world.ws, 'packages/own/index.js'), 'own\n');
      await symlink('../packages/own', path.join(source, 'own'));
      await sandboxed.give(world.ws, elsewhere);
      const target = path.join(world.ws, 'node_modules');
      const line = `cat node_modules/pkg/index.js node_modules/own/index.js; cat node_modules/pkg/.env; touch node_modules/new; mv node_modules gone; echo >node_modules/pkg/index.js`;
      const answer = await sandboxed.run(line, { borrowed: [{ source, target }] });
      assert.ok('text' in answer, JSON.stringify(answer));
      assert.match(answer.text, /^here\nown\n/);
      assert.ok(!answer.text.includes(secret), answer.text);
      assert.deepEqual(readdirSync(source).toSorted(), ['own', 'pkg']);
      assert.equal(readFileSync(path.join(source, 'pkg/index.js'), 'utf8'), 'here\n');
    });

    describe('reports', () => {
      for (const { name, setup, line, appeared } of reported) {
        it(name, async () => {
          const { world } = sandboxed;
          await setup?.(world);
          await sandboxed.give(world.ws);
          const answer = await sandboxed.run(line);
          assert.ok('text' in answer, JSON.stringify(answer));
          assert.deepEqual(answer.appeared.toSorted(), appeared);
        });
      }
    });

    describe('lets through', () => {
      for (const { line, prints } of ordinary) {
        it(line, async () => {
          const answer = await sandboxed.run(line);
          assert.ok('text' in answer, JSON.stringify(answer));
          assert.match(answer.text, prints);
          assert.ok(!existsSync(path.join(sandboxed.world.ws, '.vscode')), 'a folder was left behind');
        });
      }
    });
  });
}
