import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { createProcesses } from '../../../src/tools/command/processes.ts';
import type { Shell, ShellListener } from '../../../src/tools/command/shell.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { createFakeClock, settle } from '../service/fake-clock.ts';

const never = new AbortController().signal;
const command = (commandLine: string) => ({ commandLine, cwd: '/', background: true as const });

/** A program that does what the test says. */
function scripted(): { shell: Pick<Shell, 'run'>; listener(): ShellListener; end(code: number): void } {
  let listener: ShellListener | undefined;
  const ended = Promise.withResolvers<{ exitCode?: number; via: 'process' }>();
  return {
    shell: {
      run: async (_, told, signal) => {
        listener = told;
        told.started(() => undefined);
        signal.addEventListener('abort', () => ended.resolve({ via: 'process' }));
        return ended.promise;
      },
    },
    listener() {
      if (listener === undefined) throw new Error('not started');
      return listener;
    },
    end: (exitCode) => ended.resolve({ exitCode, via: 'process' }),
  };
}

describe('programs in the background', () => {
  it('F31 F32 what the sandbox keeps one from is told at the next look, as nobody is asked', async () => {
    const { shell, listener, end } = scripted();
    const clock = createFakeClock();
    const processes = createProcesses({ shell, clock });
    const starting = processes.start('c', command('serve'), never);
    await settle();
    listener().output('up\n');
    await clock.advance(6000);
    const { info } = await starting;
    listener().blocked?.({ kind: 'network', host: 'a.example.org', port: 443 });
    const text = await processes.read('c', info.id, {}, never);
    assert.match(text, /^\[Blocked by the sandbox: a\.example\.org:443\. Nobody is asked .* in the foreground/m);
    end(0);
  });

  it('F32 for real: is started, read, answered and stopped', async function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(60_000);
    const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock });
    const processes = createProcesses({ shell, clock: systemClock });
    const { info, text } = await processes.start(
      'c',
      command('echo pid $$; while read x; do echo "got $x"; done'),
      never,
    );
    const pid = Number(/pid (\d+)/.exec(text)?.[1]);
    assert.equal(info.state, 'running');
    processes.send('c', info.id, 'one\n');
    assert.equal(await processes.read('c', info.id, { until: 'got one', waitSeconds: 20 }, never), 'got one\n');
    assert.equal(await processes.read('c', info.id, {}, never), '', 'nothing is read twice');
    await processes.stop('c', info.id);
    assert.equal(processes.find('c', info.id).state, 'stopped');
    assert.throws(() => process.kill(pid, 0));
    assert.throws(() => processes.send('c', info.id, 'x'), /takes no input any more/);
  });

  it('F32 all of a conversation end with it, those of others go on', async function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(60_000);
    const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock });
    const processes = createProcesses({ shell, clock: systemClock });
    const started = await Promise.all(
      ['one', 'one', 'two'].map((id) => processes.start(id, command('echo $$; exec sleep 100'), never)),
    );
    const pids = started.map(({ text }) => Number(text));
    await processes.stopAll('one');
    const isAlive = (pid: number | undefined) => {
      try {
        return process.kill(pid ?? 0, 0);
      } catch {
        return false;
      }
    };
    assert.deepEqual(pids.map(isAlive), [false, false, true]);
    assert.deepEqual(processes.list('one'), []);
    await processes.stopAll();
    await waitFor('the end of the last one', () => !isAlive(pids[2]), { timeoutMs: 20_000 });
  });

  it('F32 the answer comes when it is quiet for a second, or after five', async () => {
    const clock = createFakeClock();
    const { shell, listener } = scripted();
    const processes = createProcesses({ shell, clock });
    const answers: string[] = [];
    void processes.start('c', command('serve'), never).then(({ text }) => answers.push(text));
    await settle();
    listener().output('listening\n');
    for (let ms = 0; ms < 900; ms += 100) await pass(clock, 100);
    assert.deepEqual(answers, []);
    for (let ms = 0; ms < 600; ms += 100) await pass(clock, 100);
    assert.deepEqual(answers, ['listening\n']);
  });

  it('F32 a prompt without a line end is read, waited for, and given once', async () => {
    const clock = createFakeClock();
    const { shell, listener, end } = scripted();
    const processes = createProcesses({ shell, clock });
    const starting = processes.start('c', command('install'), never);
    await settle();
    listener().output('10%\r50%\r');
    listener().output('99%\nSure? [y/N] ');
    for (let ms = 0; ms < 1500; ms += 100) await pass(clock, 100);
    const { info, text } = await starting;
    assert.equal(text, '99%\nSure? [y/N] ');
    const reading = processes.read('c', info.id, { until: 'Password:', waitSeconds: 60 }, never);
    listener().output('y\nPassw');
    listener().output('ord: ');
    assert.equal(await reading, 'y\nPassword: ');
    end(0);
    await settle();
    assert.equal(await processes.read('c', info.id, {}, never), '');
  });

  it('F32 who names no process means the only one that runs', async () => {
    const { shell, listener } = scripted();
    const clock = createFakeClock();
    const processes = createProcesses({ shell, clock });
    assert.throws(() => processes.find('c', ''), /Nothing runs/);
    const starting = processes.start('c', command('serve'), never);
    await settle();
    listener().output('up');
    for (let ms = 0; ms < 1500; ms += 100) await pass(clock, 100);
    assert.equal(processes.find('c', '').id, (await starting).info.id);
  });

  it('F32 of much output the newest is kept, and what one read gives has a bound', async () => {
    const clock = createFakeClock();
    const { shell, listener, end } = scripted();
    const processes = createProcesses({ shell, clock });
    const starting = processes.start('c', command('chatty'), never);
    await settle();
    for (let line = 0; line < 40_000; line++) listener().output(`line ${line} of many\n`);
    end(3);
    const { info, text } = await starting;
    assert.ok(text.length <= 256 * 1024, `${text.length}`);
    assert.match(text, /line 39999 of many\n$/);
    assert.deepEqual([info.state, info.exitCode], ['ended', 3]);
  });

  it('F32 no more than eight run at a time, and one that is not there is named', async () => {
    const clock = createFakeClock();
    const shell: Pick<Shell, 'run'> = { run: () => new Promise(() => undefined) };
    const processes = createProcesses({ shell, clock });
    for (let count = 0; count < 8; count++) void processes.start('c', command('x'), never);
    await assert.rejects(processes.start('c', command('x'), never), /8 processes run in the background already/);
    assert.throws(() => processes.find('c', 'p99'), /There are: p1, p2/);
    assert.throws(() => processes.find('other', 'p1'), /Nothing runs in the background/);
    assert.equal(processes.running().length, 8);
  });
});

async function pass(clock: ReturnType<typeof createFakeClock>, ms: number): Promise<void> {
  await clock.advance(ms);
  await settle();
}
