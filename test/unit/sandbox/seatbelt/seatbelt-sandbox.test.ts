import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import type { SandboxLevel } from '../../../../src/sandbox/launch.ts';
import type { SandboxDeps } from '../../../../src/sandbox/plan/plan-input.ts';
import { createSeatbeltSandbox } from '../../../../src/sandbox/seatbelt/seatbelt-sandbox.ts';
import { isAlive } from '../../../support/is-alive.ts';
import { skipWithout } from '../../../support/needs.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';

const secret = 'canary-71c2';

/** On a Mac the real one; on Linux what `stand-in.ts` can do of it. Windows has neither. */
(process.platform === 'win32' ? describe.skip : describe)('commands under a profile of macOS', function () {
  this.timeout(60_000);
  let temp: TempDir;
  let standIn: string | undefined;
  const at = (...parts: string[]) => path.join(temp.path, ...parts);

  async function script(name: string, text: string): Promise<string> {
    const file = at(name);
    await writeFile(file, `#!/bin/sh\n${text}\n`);
    await chmod(file, 0o755);
    return file;
  }

  function depsIn(log: string[] = []): SandboxDeps {
    return {
      ...{ stateDir: at('state'), home: at('home'), editorData: [at('home/code')], roots: () => [at('ws')] },
      ...{ protection: () => () => false, readable: () => [], writable: () => [], clock: systemClock },
      environment: { PATH: process.env.PATH, API_TOKEN: secret },
      log: (trialScript) => log.push(trialScript),
    };
  }

  before(async function () {
    if (process.platform !== 'darwin') skipWithout(this, 'bubblewrap');
    temp = await makeTempDir('svc-seatbelt-');
    temp = { ...temp, path: await realpath(temp.path) };
    for (const folder of ['home/code', 'home/other', 'ws/.git', 'ws/src']) await mkdir(at(folder), { recursive: true });
    for (const file of ['home/secret', 'home/other/secret', 'home/code/secret', 'ws/.env'])
      await writeFile(at(file), secret);
    const file = path.join(import.meta.dirname, 'stand-in.ts');
    if (process.platform !== 'darwin')
      standIn = await script('sandbox-exec', `exec "${process.execPath}" "${file}" "$@"`);
  });
  after(() => temp?.remove());

  /** What the line prints, and how it ends. */
  async function run(
    trialScript: string,
    level: SandboxLevel = 'on',
    onOutput?: (stop: () => Promise<void>, text: string) => void,
  ) {
    const sandbox = createSeatbeltSandbox(depsIn(), standIn);
    const command = { file: '/bin/sh', args: ['-c', trialScript], cwd: at('ws'), variables: { MARK: 'set' } };
    const launch = await sandbox.launch({ ...command, level, conversationId: 'c1' });
    const child = spawn(launch.file, launch.args, launch.options);
    const running = launch.supervise(child);
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      onOutput?.(async () => launch.kill?.(child), text);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    return {
      text,
      code,
      hasEnded: running.hasEnded(),
      hasBegun: running.hasBegun(),
      ...(await launch.release()),
      launch,
    };
  }

  it('F31 are run where the trial holds, with what the workspace needs and nothing more', async () => {
    const log: string[] = [];
    assert.equal(await createSeatbeltSandbox(depsIn(log), standIn).unusable(), undefined, log.join());
    const done = await run(
      'echo "$MARK" > src/a.txt; cat src/a.txt; echo t > "$TMPDIR/t" && echo temp; echo "[$API_TOKEN]"; exit 3',
    );
    assert.deepEqual([done.text, done.code, done.hasEnded], ['set\ntemp\n[]\n', 3, true]);
    const { text } = await run(
      `cat .env ../home/secret ../home/other/secret ../home/code/secret; echo x > .git/config; echo x > ../home/x; mkdir .vscode; mv .git moved; ls -A "$HOME"; echo end`,
    );
    assert.ok(!text.includes(secret) && text.endsWith('end\n'), text);
    for (const file of ['ws/.git/config', 'home/x']) await assert.rejects(readFile(at(file)), file);
  });

  it('F31 tell what they made that others obey, and what they were kept from', async () => {
    const { appeared, launch } = await run('echo rules > AGENTS.md; echo x > .git/HEAD');
    assert.deepEqual(appeared, ['AGENTS.md']);
    assert.ok(launch.blocked(`sh: ${at('ws/.git/HEAD')}: Read-only file system`).length > 0);
  });

  it('F31 end with everything that they started, also what left its session', async () => {
    const trialScript = '(sleep 1000 & echo $! > pid; wait) & echo up; wait';
    const stopped: Promise<void>[] = [];
    const done = await run(trialScript, 'on', (stop, text) => {
      if (text.includes('up') && stopped.length === 0) stopped.push(stop());
    });
    await Promise.all(stopped);
    assert.ok(done.hasBegun && !done.hasEnded);
    const pid = Number(await readFile(at('ws/pid'), 'utf8').catch(() => '0'));
    // In bubblewrap the number is one of its own.
    if (process.platform === 'darwin' && pid > 0) assert.ok(!isAlive(pid));
  });

  for (const [what, text, wanted] of [
    ['holds nothing back', 'shift 2; exec "$@"', 'broken'],
    ['lets nothing through', 'exit 65', 'broken'],
    ['says that it does not know the profile', 'echo "invalid profile" >&2; exit 65', 'broken'],
    ['lets the line run without a word of its begin', 'shift 4; exec /bin/sh "$@" 3>/dev/null', 'broken'],
  ] as const)
    it(`F31 ask instead where the sandbox of the system ${what}`, async () => {
      const log: string[] = [];
      const program = await script(`broken-${what.length}`, text);
      assert.equal(await createSeatbeltSandbox(depsIn(log), program).unusable(), wanted);
      assert.match(log.join(), /does not hold/);
    });

  it('F31 ask instead where there is none, and in a home folder', async () => {
    assert.equal(await createSeatbeltSandbox(depsIn(), at('none')).unusable(), 'missing');
    const inHome = { ...depsIn(), roots: () => [at('home')] };
    assert.equal(await createSeatbeltSandbox(inHome, standIn).unusable(), 'home');
    await assert.rejects(
      createSeatbeltSandbox(inHome, standIn).launch({
        ...{ file: '/bin/sh', args: [], cwd: at('home'), level: 'on', conversationId: 'c1', variables: {} },
      }),
      { why: 'home' },
    );
  });
});
