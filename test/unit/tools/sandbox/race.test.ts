import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { systemProgram } from '../../../../src/tools/command/sandbox/bubblewrap.ts';
import { gatherFacts } from '../../../../src/tools/command/sandbox/facts.ts';
import { inputOf, launchOf, type SandboxDeps, stateOf } from '../../../../src/tools/command/sandbox/launch.ts';
import { withTempDir } from '../../../support/temp-dir.ts';

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
        ...{ stateDir: base, home, editorData: [], roots: () => [ws], isProtected: () => false },
        ...{ readable: () => [], writable: () => [], environment: process.env, clock: systemClock },
        log: (line) => failures.push(line),
      };
      const state = await stateOf(path.join(base, 'state'));
      const facts = await gatherFacts(inputOf(deps, { roots: [ws], home: await realpath(home), state }));
      assert.ok(!('unfit' in facts));
      const bash = systemProgram('bash');
      const bwrap = systemProgram('bwrap');
      assert.ok(bash !== undefined && bwrap !== undefined);
      await swap(ws, home);
      const launch = launchOf(deps, { bash, bwrap, canDisableNamespaces: true }, facts, {
        ...{ file: '/bin/sh', args: ['-c', 'echo begun; cat sub/.git/config */.env'], cwd: ws, network: false },
        variables: {},
        release: async () => [],
      });
      const child = spawn(launch.file, launch.args, launch.options);
      const attended = launch.attend(child);
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += chunk;
      });
      await new Promise((resolve) => child.once('close', resolve));
      return { text, hasBegun: attended.hasBegun() };
    });

  beforeEach(function () {
    if (process.platform !== 'linux' || !existsSync('/usr/bin/bwrap')) this.skip();
  });

  it('F31 X52 nothing runs when git’s data turned out to be a link to somewhere else', async () => {
    const { text, hasBegun } = await run(async (ws) => {
      await rename(path.join(ws, 'sub'), path.join(ws, 'away'));
      await symlink('../home', path.join(ws, 'sub'));
    });
    assert.deepEqual({ text, hasBegun }, { text: '', hasBegun: false });
  });

  it('F31 it runs when nothing was moved', async () => {
    const { text, hasBegun } = await run(async () => undefined);
    assert.deepEqual({ text, hasBegun }, { text: 'begun\n', hasBegun: true });
  });
});
