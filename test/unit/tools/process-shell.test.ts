import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { killTree } from '../../../src/base/kill-tree.ts';
import type { LaunchInput } from '../../../src/sandbox/launch.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { isAlive } from '../../support/is-alive.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const posix = process.platform !== 'win32';

describe('the shell in a child process', () => {
  let temp: TempDir;
  const shell = createProcessShell({ shellPath: () => (posix ? '/bin/sh' : 'cmd'), clock: systemClock });
  before(async () => {
    temp = await makeTempDir();
  });
  after(() => temp.remove());

  const run = async (commandLine: string, signal = new AbortController().signal, onChunk?: (chunk: string) => void) => {
    let output = '';
    const result = await shell.run(
      { commandLine, cwd: temp.path },
      {
        started: () => undefined,
        output(chunk) {
          output += chunk;
          onChunk?.(chunk);
        },
      },
      signal,
    );
    return { ...result, output };
  };

  it('F15 gives exit code, folder and both streams', async function () {
    if (!posix) this.skip();
    assert.deepEqual(await run('pwd; echo oops >&2; exit 3'), {
      exitCode: 3,
      via: 'process',
      output: `${temp.path}\noops\n`,
    });
    assert.equal((await run('kill -9 $$')).exitCode, 137);
  });

  it('F15 gives no input and no pager to wait for', async function () {
    if (!posix) this.skip();
    assert.deepEqual(await run('cat; echo "$PAGER $GIT_PAGER"'), { exitCode: 0, via: 'process', output: 'cat cat\n' });
  });

  it('F15 names no pager that Windows does not have', async function () {
    if (posix) this.skip();
    const { output } = await run('echo pager:%PAGER%; git:%GIT_PAGER%');
    // What is empty is not there, and then its name stands.
    assert.match(output, /^pager:(?:%PAGER%)?; git:cat\r?$/m);
  });

  it('F15 what goes to both streams comes in the order in which it was printed', async function () {
    if (!posix) this.skip();
    const { output } = await run('for n in $(seq 200); do echo out $n; echo err $n >&2; done');
    const lines = Array.from({ length: 200 }, (_, at) => `out ${at + 1}\nerr ${at + 1}\n`);
    assert.equal(output, lines.join(''));
  });

  it('F15 whatever opens an editor ends at once and says that there is none', async function () {
    if (!posix) this.skip();
    const git = 'git -c user.name=a -c user.email=a@b';
    const { exitCode, output } = await run(
      `git init -q r && cd r && ${git} commit -q --allow-empty -m one && ${git} commit --amend --allow-empty`,
    );
    assert.notEqual(exitCode, 0);
    assert.match(output, /No editor opens here/);
    assert.match((await run('sh -c "$VISUAL a.txt"')).output, /No editor opens here/);
  });

  for (const [line, pipe] of [
    ['(echo a; exit 4) | tail -1', [4, 0]],
    ['true | cat', [0, 0]],
    ["trap 'echo own' EXIT; false | cat", undefined],
    ['echo one', undefined],
  ] as const) {
    it(`F15 F31 of ${line} in the sandbox the shell tells ${pipe ?? 'nothing'} of the pipe`, async function () {
      if (!posix) this.skip();
      const sandbox = {
        launch: async ({ file, args, variables }: LaunchInput) => ({
          file,
          args,
          options: { env: { ...process.env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] as const },
          supervise: () => ({ hasBegun: () => true, hasEnded: () => true }),
          release: async () => ({ appeared: [], loaded: [] }),
          blocked: () => [],
          sent: () => new Map(),
        }),
      } as unknown as Pick<Sandbox, 'launch'>;
      const inSandbox = createProcessShell({ shellPath: () => '/bin/bash', clock: systemClock, sandbox });
      const command = { commandLine: line, cwd: temp.path, sandbox: { level: 'on', conversationId: 'c' } as const };
      const listener = { started: () => undefined, output: () => undefined };
      const result = await inSandbox.run(command, listener, new AbortController().signal);
      assert.deepEqual(result.pipe, pipe);
      assert.equal(result.exitCode, 0);
    });
  }

  it('F15 does not wait for what a command leaves in the background', async function () {
    if (!posix) this.skip();
    const { exitCode, output } = await run('sleep 30 & echo $!');
    assert.equal(exitCode, 0);
    const pid = Number(output.trim());
    assert.ok(isAlive(pid));
    await killTree(pid, systemClock);
  });

  it('F15 a shell that cannot be started is a sentence without the path', async () => {
    const missing = createProcessShell({ shellPath: () => path.join(temp.path, 'nope'), clock: systemClock });
    const running = missing.run(
      { commandLine: 'ls', cwd: temp.path },
      { started: () => undefined, output: () => undefined },
      new AbortController().signal,
    );
    await assert.rejects(running, { name: 'ToolError', message: 'The shell could not be started: ENOENT.' });
  });

  it('F15 a shell that is not known, or not by its full path, is replaced by the one that every system has', async function () {
    if (!posix) this.skip();
    for (const shellPath of ['', 'evil', './evil']) {
      assert.equal(createProcessShell({ shellPath: () => shellPath, clock: systemClock }).name(''), 'sh');
    }
  });

  it('F15 abort ends the whole tree, also what ignores SIGTERM or left the process group', async function () {
    if (process.platform !== 'linux') this.skip();
    this.timeout(60_000);
    const stop = new AbortController();
    const script = `(trap '' TERM; echo a $(sh -c 'echo $PPID'); while :; do sleep 1; done) &
(setsid sh -c 'echo b $$; while :; do sleep 1; done' &)
echo c $$
wait`;
    let seen = '';
    const { output, exitCode } = await run(script, stop.signal, (chunk) => {
      seen += chunk;
      if (/^a \d/m.test(seen) && /^b \d/m.test(seen) && /^c \d/m.test(seen)) stop.abort();
    });
    const pids = [...output.matchAll(/^[abc] (\d+)$/gm)].map((match) => Number(match[1]));
    assert.equal(pids.length, 3, output);
    for (const pid of pids) await untilGone(pid);
    assert.equal(exitCode, undefined);
  });

  it('F15 a command that cannot be ended says so after what it printed, and is not waited for', async function () {
    if (!posix) this.skip();
    const clock = { ...systemClock, sleep: () => Promise.reject(new Error('no processes to be seen')) };
    const stubborn = createProcessShell({ shellPath: () => '/bin/sh', clock });
    const stop = new AbortController();
    let pid = 0;
    let printed = '';
    const running = stubborn.run(
      { commandLine: "trap '' TERM; echo $$; while :; do sleep 0.1; done", cwd: temp.path },
      {
        started: () => undefined,
        output(chunk) {
          printed += chunk;
          pid ||= Number(chunk);
          stop.abort();
        },
      },
      stop.signal,
    );
    assert.deepEqual(await running, { via: 'process' });
    assert.match(printed, /^\d+\n.*could not be ended: Error/s);
    await killTree(pid, systemClock, { graceMs: 0 });
  });

  it('F15 ending a tree that is gone already is no error', async () => {
    await killTree(2 ** 22 + 5, systemClock);
  });
});

/** A killed process without a parent that looks stays as a zombie; that is gone enough. */
async function untilGone(pid: number): Promise<void> {
  await waitFor(`the end of process ${pid}`, async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return stat === '' || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  });
}
