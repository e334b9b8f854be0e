import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { bubblewrapLine, systemProgram } from '../../../src/sandbox/bubblewrap.ts';
import { stateOf } from '../../../src/sandbox/command-plans.ts';
import { launchOf } from '../../../src/sandbox/launch.ts';
import type { Mount } from '../../../src/sandbox/plan/mounts.ts';
import { planSandbox } from '../../../src/sandbox/plan/plan.ts';
import type { SandboxDeps } from '../../../src/sandbox/plan/plan-input.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { skipWithout } from '../../support/needs.ts';
import { withTempDir } from '../../support/temp-dir.ts';

describe('a folder that is moved between looking and mounting', () => {
  const run = (swap: (ws: string, home: string) => Promise<void>) =>
    withTempDir(async (base) => {
      const [ws, home] = [path.join(base, 'ws'), path.join(base, 'home')];
      await mkdir(path.join(ws, 'sub/.git'), { recursive: true });
      await mkdir(path.join(home, '.git'), { recursive: true });
      await writeFile(path.join(home, '.git/config'), 'canary-5f0e');
      await writeFile(path.join(ws, 'sub/.env'), 'canary-5f0e');
      const failures: string[] = [];
      const deps: SandboxDeps = {
        ...{ stateDir: base, home, editorData: [], roots: () => [ws], protection: () => () => false },
        ...{ readable: () => [], writable: () => [], environment: process.env, clock: systemClock },
        log: (line) => failures.push(line),
      };
      const state = await stateOf(path.join(base, 'state'));
      const plan = await planSandbox({ deps, roots: [ws], home: await realpath(home), state });
      assert.ok(!('unfit' in plan));
      const bash = systemProgram('bash');
      const bwrap = systemProgram('bwrap');
      assert.ok(bash !== undefined && bwrap !== undefined);
      await swap(ws, home);
      const launch = await launchOf(deps, { bash, bwrap, canDisableNamespaces: true, canCloseMachine: true }, plan, {
        ...{
          file: '/bin/sh',
          args: ['-c', 'echo begun; cat sub/.git/config */.env 2>/dev/null'],
          cwd: ws,
          network: false,
        },
        variables: {},
        release: async () => ({ appeared: [], loaded: [] }),
      });
      const child = spawn(launch.file, launch.args, launch.options);
      const attended = launch.supervise(child);
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += chunk;
      });
      await new Promise((resolve) => child.once('close', resolve));
      return { text, hasBegun: attended.hasBegun() };
    });

  beforeEach(function () {
    if (process.platform !== 'linux') this.skip();
    skipWithout(this, 'bubblewrap');
  });

  it('F31 X52 nothing runs when git’s data turned out to be a link to somewhere else', async () => {
    const { text, hasBegun } = await run(async (ws) => {
      await rename(path.join(ws, 'sub'), path.join(ws, 'away'));
      await symlink('../home', path.join(ws, 'sub'));
    });
    assert.deepEqual({ text, hasBegun }, { text: '', hasBegun: false });
  });

  it('F31 X52 flatcar/Flatcar#2417 bubblewrap makes nothing outside when a folder becomes a link between two mounts', () =>
    withTempDir(async (base) => {
      const [ws, outside] = [path.join(base, 'ws'), path.join(base, 'outside')];
      for (const folder of [ws, outside]) await mkdir(folder);
      await symlink(`/oldroot${outside}`, path.join(ws, 'sub'));
      const [bash = '', bwrap = ''] = [systemProgram('bash'), systemProgram('bwrap')];
      const mounts: Mount[] = [
        { kind: 'read-write', place: ws, source: ws },
        { kind: 'masked', place: path.join(ws, 'sub/.env'), source: '/dev/null' },
      ];
      const programs = { bash, bwrap, canDisableNamespaces: true, canCloseMachine: true };
      const command = { file: '/bin/true', args: [], cwd: ws, network: false };
      const { file, args } = bubblewrapLine(programs, mounts, command);
      const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
      for (const pipe of child.stdio) if (pipe && 'end' in pipe) pipe.end();
      await new Promise((resolve) => child.once('close', resolve));
      assert.deepEqual(await readdir(outside), []);
    }));

  it('F31 a command runs when no folder was moved', async () => {
    const { text, hasBegun } = await run(async () => undefined);
    assert.deepEqual({ text, hasBegun }, { text: 'begun\n', hasBegun: true });
  });
});

describe('processes that end while the machine is looked at', () => {
  it('F31 processes that end during the look are no reason not to run', async function () {
    if (process.platform !== 'linux') this.skip();
    await withTempDir(async (base) => {
      const ws = path.join(base, 'ws');
      await mkdir(ws);
      const deps: SandboxDeps = {
        ...{ stateDir: base, home: base, editorData: [], roots: () => [ws], protection: () => () => false },
        ...{ readable: () => [], writable: () => [], environment: process.env, clock: systemClock, log: assert.fail },
      };
      const state = await stateOf(path.join(base, 'state'));
      const input = { deps, roots: [await realpath(ws)], home: await realpath(base), state };
      const spawning = spawn('bash', ['-c', 'while :; do for n in 1 2 3 4 5 6; do /bin/true & done; wait; done']);
      try {
        for (let look = 0; look < 300; look++) await planSandbox(input);
      } finally {
        spawning.kill('SIGKILL');
      }
    });
  });
});

describe('a socket that is gone between looking and mounting', () => {
  /** `vanish`: how often one is there when the workspace is looked at, and gone before it is covered. */
  const run = (vanish: number) =>
    withTempDir(async (base) => {
      const [ws, home] = [await realpath(await makeFolder(base, 'ws')), await makeFolder(base, 'home')];
      // Where nothing can be made in its place: git's data is read-only.
      const data = await makeFolder(ws, '.git');
      const place = path.join(data, 'daemon.ipc');
      const sandbox = createSandbox({
        ...{
          stateDir: path.join(base, 'state'),
          home,
          editorData: [],
          roots: () => [ws],
          protection: () => () => false,
        },
        ...{ readable: () => [], writable: () => [], environment: process.env, clock: systemClock },
        log: () => undefined,
      });
      assert.equal(await sandbox.unusable(), undefined);
      let looks = 0;
      const shell = createProcessShell({
        shellPath: () => '/bin/sh',
        clock: systemClock,
        sandbox: {
          async launch(input) {
            looks += 1;
            const server = createServer();
            if (looks <= vanish) await new Promise<void>((resolve) => server.listen(place, resolve));
            const launch = await sandbox.launch(input);
            if (looks <= vanish) await new Promise((resolve) => server.close(resolve));
            return launch;
          },
        },
      });
      let text = '';
      let starts = 0;
      const listener = {
        started: () => {
          starts += 1;
        },
        output: (chunk: string) => {
          text += chunk;
        },
      };
      const command = { commandLine: 'echo begun', cwd: ws, sandbox: { level: 'on' as const, conversationId: 'c' } };
      const result = await shell.run(command, listener, new AbortController().signal).then(
        ({ exitCode }) => exitCode,
        (error: Error) => error.message,
      );
      return { result, text, looks, starts, left: await readdir(data) };
    });

  beforeEach(function () {
    if (process.platform !== 'linux') this.skip();
    skipWithout(this, 'bubblewrap');
  });

  it('F31 the workspace is looked at again, and the command runs as if nothing had been', async () => {
    for (const vanish of [0, 1]) {
      // Sockets of other programs on this machine vanish too.
      const { looks, ...rest } = await run(vanish);
      assert.ok(looks > vanish);
      assert.deepEqual(rest, { result: 0, text: 'begun\n', starts: 1, left: [] });
    }
  });

  it('F31 X52 it is looked at no fourth time, and nothing runs', async () => {
    const { result, text, ...rest } = await run(9);
    assert.equal(result, 'The sandbox could not be made. The command was not run.');
    assert.match(text, /^bwrap: .*\n$/);
    assert.deepEqual(rest, { looks: 3, starts: 0, left: [] });
  });
});

describe('a trial of the sandbox that does not start', () => {
  /** `fails`: how many runs of bubblewrap end at once, as when a socket of some program is gone before it is covered. */
  const tryWith = (fails: number, refusing = ':') =>
    withTempDir(async (base) => {
      const real = systemProgram('bwrap');
      assert.ok(real !== undefined);
      const [ws, home] = [await makeFolder(base, 'ws'), await makeFolder(base, 'home')];
      const bwrap = path.join(base, 'bwrap');
      const runs = path.join(base, 'runs');
      const lines = [
        `[ "$1" = --version ] && exec ${real} --version`,
        refusing,
        `echo run >> ${runs}`,
        `[ "$(wc -l < ${runs})" -gt ${fails} ] && exec ${real} "$@"`,
        'echo "bwrap: Can\'t find source path /tmp/agent: No such file or directory" >&2; exit 1',
      ];
      await writeFile(bwrap, `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o700 });
      const sandbox = createSandbox({
        ...{
          stateDir: path.join(base, 'state'),
          home,
          editorData: [],
          roots: () => [ws],
          protection: () => () => false,
        },
        ...{ readable: () => [], writable: () => [], environment: process.env, clock: systemClock, bwrap },
        log: () => undefined,
      });
      const unusable = await sandbox.unusable();
      return { unusable, runs: (await readFile(runs, 'utf8')).split('\n').length - 1 };
    });

  beforeEach(function () {
    if (process.platform !== 'linux') this.skip();
    skipWithout(this, 'bubblewrap');
  });

  it('F31 a folder of the workspace that is gone is told as unfit, and stops no turn', async () => {
    await withTempDir(async (base) => {
      const [ws, home] = [await makeFolder(base, 'ws'), await makeFolder(base, 'home')];
      const sandboxOf = (...roots: string[]) =>
        createSandbox({
          ...{
            stateDir: path.join(base, 'state'),
            home,
            editorData: [],
            roots: () => roots,
            protection: () => () => false,
          },
          ...{ readable: () => [], writable: () => [], environment: process.env, clock: systemClock },
          log: () => undefined,
        });
      assert.equal(await sandboxOf(path.join(base, 'gone')).unusable(), 'home');
      assert.equal(await sandboxOf(path.join(base, 'gone'), ws).unusable(), undefined);
    });
  });

  it('F31 is made again, so that one bad moment does not switch it off for the whole day', async () => {
    for (const fails of [0, 1]) {
      const { unusable, runs } = await tryWith(fails);
      assert.equal(unusable, undefined);
      assert.ok(runs > fails);
    }
  });

  it('F31 X52 flatcar/Flatcar#2417 commands ask where bubblewrap follows links and the machine cannot be closed to it', async () => {
    const refusing = 'case "$*" in *"/../oldroot"*) echo "bwrap: Can\'t resolve /../oldroot" >&2; exit 1;; esac';
    const { unusable } = await tryWith(0, refusing);
    const [, minor = 0] = execFileSync('bwrap', ['--version'], { encoding: 'utf8' }).match(/0\.(\d+)/) ?? [];
    if (Number(minor) < 9) assert.equal(unusable, 'broken');
  });

  it('F31 a sandbox whose trial does not start is not tried a fourth time', async () => {
    assert.deepEqual(await tryWith(9), { unusable: 'broken', runs: 3 });
  });
});

async function makeFolder(base: string, name: string): Promise<string> {
  await mkdir(path.join(base, name));
  return path.join(base, name);
}
