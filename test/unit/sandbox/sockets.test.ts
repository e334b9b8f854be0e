import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { skipWithout } from '../../support/needs.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const connect = (place: string) =>
  `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${place}") ? "open\\n" : "closed\\n"'`;

describe('sockets in folders that the user lets commands read or write', () => {
  beforeEach(function () {
    if (process.platform !== 'linux') this.skip();
    skipWithout(this, 'bubblewrap');
  });

  for (const setting of ['readable', 'writable'] as const) {
    it(`X52 nobody in the sandbox connects to one: ${setting}`, () =>
      withTempDir(async (temp) => {
        const base = await realpath(temp);
        for (const folder of ['ws', 'home', 'shared/inner']) await mkdir(path.join(base, folder), { recursive: true });
        const shared = path.join(base, 'shared');
        let connections = 0;
        const server = createServer((socket) => {
          connections += 1;
          socket.end();
        });
        await new Promise<void>((resolve) => server.listen(path.join(base, 'shared/inner/agent'), resolve));
        const sandbox = createSandbox({
          ...{ stateDir: path.join(base, 'state'), home: path.join(base, 'home'), editorData: [] },
          ...{
            roots: () => [path.join(base, 'ws')],
            protection: () => () => false,
            readable: () => [],
            writable: () => [],
          },
          ...{ environment: process.env, clock: systemClock, log: () => undefined },
          [setting]: () => [shared],
        });
        assert.equal(await sandbox.unusable(), undefined);
        const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock, sandbox });
        let text = '';
        await shell.run(
          {
            commandLine: `test -d ${shared}/inner && ${connect(`${shared}/inner/agent`)}`,
            cwd: path.join(base, 'ws'),
            sandbox: { level: 'on', conversationId: 'c' },
          },
          { started: () => undefined, output: (chunk) => (text += chunk) },
          new AbortController().signal,
        );
        await new Promise((resolve) => server.close(resolve));
        assert.deepEqual({ text, connections }, { text: 'closed\n', connections: 0 });
      }));
  }

  it('X52 of root, one in a closed folder of another user, which root reaches only outside, does not keep the sandbox from working', async function () {
    if (process.getuid?.() !== 0) this.skip();
    await withTempDir(async (temp) => {
      const base = await realpath(temp);
      for (const folder of ['ws', 'home']) await mkdir(path.join(base, folder));
      // What is below the folder for temporary files is hidden anyway.
      const closed = await mkdtemp('/opt/svc-sockets-');
      const server = createServer();
      try {
        await new Promise<void>((resolve) => server.listen(path.join(closed, 'agent'), resolve));
        await chown(closed, 12_345, 12_345);
        const sandbox = createSandbox({
          ...{ stateDir: path.join(base, 'state'), home: path.join(base, 'home'), editorData: [] },
          ...{
            roots: () => [path.join(base, 'ws')],
            protection: () => () => false,
            readable: () => [],
            writable: () => [],
          },
          ...{ environment: process.env, clock: systemClock, log: () => undefined },
        });
        assert.equal(await sandbox.unusable(), undefined);
        const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock, sandbox });
        let text = '';
        await shell.run(
          {
            commandLine: `ls ${closed}; ${connect(path.join(closed, 'agent'))}`,
            cwd: path.join(base, 'ws'),
            sandbox: { level: 'on', conversationId: 'c' },
          },
          { started: () => undefined, output: (chunk) => (text += chunk) },
          new AbortController().signal,
        );
        assert.match(text, /Permission denied.*closed\n$/s);
      } finally {
        await new Promise((resolve) => server.close(resolve));
        await rm(closed, { recursive: true, force: true });
      }
    });
  });

  it('X52 secrets in a folder that is set as readable stay hidden, and one that is named itself is read', () =>
    withTempDir(async (temp) => {
      const base = await realpath(temp);
      const files = ['shared/.env', 'shared/keys/server.pem', 'shared/.aws/credentials', 'own/.env', 'own/.env.other'];
      for (const file of [...files, 'shared/plain', 'shared/cacert.pem', 'ws/a', 'home/a']) {
        await mkdir(path.dirname(path.join(base, file)), { recursive: true });
        await writeFile(path.join(base, file), `in ${file}\n`);
      }
      await symlink(path.join(base, 'shared'), path.join(base, 'link'));
      const sandbox = createSandbox({
        ...{ stateDir: path.join(base, 'state'), home: path.join(base, 'home'), editorData: [] },
        ...{ roots: () => [path.join(base, 'ws')], protection: () => () => false, writable: () => [] },
        ...{ environment: process.env, clock: systemClock, log: () => undefined },
        readable: () => [path.join(base, 'link'), path.join(base, 'own/.env'), path.join(base, 'gone')],
      });
      assert.equal(await sandbox.unusable(), undefined);
      const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock, sandbox });
      let text = '';
      await shell.run(
        {
          commandLine: `cd ${base}; cat ${files.join(' ')} link/.env link/.aws/credentials shared/plain link/cacert.pem 2>/dev/null`,
          cwd: path.join(base, 'ws'),
          sandbox: { level: 'on', conversationId: 'c' },
        },
        { started: () => undefined, output: (chunk) => (text += chunk) },
        new AbortController().signal,
      );
      assert.equal(text, 'in own/.env\nin shared/plain\nin shared/cacert.pem\n');
    }));

  for (const setting of ['readable', 'writable'] as const) {
    it(`X52 the editor’s data in one stays hidden: ${setting}`, () =>
      withTempDir(async (temp) => {
        const base = await realpath(temp);
        for (const folder of ['ws', 'home', 'shared/editor']) await mkdir(path.join(base, folder), { recursive: true });
        await writeFile(path.join(base, 'shared/editor/state'), 'canary-5f0e');
        await writeFile(path.join(base, 'shared/plain'), 'plain');
        const sandbox = createSandbox({
          ...{ stateDir: path.join(base, 'shared/editor/svc'), home: path.join(base, 'home') },
          ...{ editorData: [path.join(base, 'shared/editor')], roots: () => [path.join(base, 'ws')] },
          ...{ protection: () => () => false, readable: () => [], writable: () => [] },
          ...{ environment: process.env, clock: systemClock, log: () => undefined },
          [setting]: () => [path.join(base, 'shared')],
        });
        assert.equal(await sandbox.unusable(), undefined);
        const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock, sandbox });
        let text = '';
        await shell.run(
          {
            commandLine: `cd ${base}/shared && cat plain && ls -A editor && cat editor/state; touch editor/x`,
            cwd: path.join(base, 'ws'),
            sandbox: { level: 'on', conversationId: 'c' },
          },
          { started: () => undefined, output: (chunk) => (text += chunk) },
          new AbortController().signal,
        );
        assert.match(text, /^plaincat: editor\/state: No such file/);
        assert.ok(!existsSync(path.join(base, 'shared/editor/x')));
      }));
  }
});
