import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { skipWithout } from '../../support/needs.ts';
import { openSandboxed, people, type Sandboxed, secret, type World } from './sandboxed.ts';

interface Report {
  name: string;
  setup(world: World): void;
  line: string;
  /** What was printed, and the workspace afterwards. */
  holds(text: string, world: World): boolean;
}

const reports: readonly Report[] = [
  {
    name: 'anthropics/claude-code#86508 a folder that is reached by a link and holds a .env keeps no command from running',
    setup({ ws }) {
      mkdirSync(path.join(ws, 'real/app'), { recursive: true });
      writeFileSync(path.join(ws, 'real/app/.env'), secret);
      symlinkSync('real', path.join(ws, 'link'));
    },
    line: 'echo runs; cat link/app/.env real/app/.env',
    holds: (text) => text.startsWith('runs') && !text.includes(secret),
  },
  {
    name: 'max-sixty/tend#1279 a workspace in a folder that nobody may list',
    setup: ({ base }) => chmodSync(base, 0o711),
    line: 'echo runs; echo x > new; cat new',
    holds: (text) => text === 'runs\nx\n',
  },
  {
    name: 'PostHog/posthog#87021 settings and pointers of git, by rewriting, moving and linking',
    setup: ({ ws }) => mkdirSync(path.join(ws, 'other')),
    line: 'echo x >> .git/config; mv .git gone; rm -rf .git; ln -sfn other .git; echo x > .git/config.worktree; echo runs',
    holds: (text, { ws }) =>
      text.endsWith('runs\n') &&
      readFileSync(path.join(ws, '.git/config'), 'utf8') === '[core]\n' &&
      !existsSync(path.join(ws, '.git/config.worktree')),
  },
  {
    name: 'PostHog/posthog#87021 programs that were planted in node_modules/.bin are not those that start the next command',
    setup({ ws }) {
      mkdirSync(path.join(ws, 'node_modules/.bin'), { recursive: true });
      for (const name of ['bwrap', 'bash', 'sh', 'git']) {
        const file = path.join(ws, 'node_modules/.bin', name);
        writeFileSync(file, `#!/bin/sh\ntouch ${ws}/planted\n`);
        chmodSync(file, 0o755);
      }
    },
    line: 'echo runs',
    holds: (text, { ws }) => text === 'runs\n' && !existsSync(path.join(ws, 'planted')),
  },
];

for (const { who, user, owner } of people) {
  describe(`public reports on sandboxes, as ${who}`, function () {
    this.timeout(60_000);
    let sandboxed: Sandboxed;

    before(async function () {
      if (process.platform !== 'linux') this.skip();
      skipWithout(this, 'bubblewrap');
      sandboxed = await openSandboxed(user, { owner });
    });
    beforeEach(() => sandboxed.newWorkspace());
    after(() => sandboxed?.close());

    for (const { name, setup, line, holds } of reports)
      it(`F31 X52 ${name}`, async () => {
        const { world } = sandboxed;
        setup(world);
        await sandboxed.give(world.ws);
        const answer = await sandboxed.run(line);
        assert.ok('text' in answer, JSON.stringify(answer));
        assert.ok(holds(answer.text, world), answer.text);
      });

    it('F31 openai/codex#20716 where a folder of settings is a link, commands ask and say so', async () => {
      const { ws } = sandboxed.world;
      mkdirSync(path.join(ws, 'settings'));
      symlinkSync('settings', path.join(ws, '.vscode'));
      await sandboxed.give(ws);
      assert.deepEqual(await sandboxed.run('echo runs'), { unusable: 'link' });
    });
  });
}
