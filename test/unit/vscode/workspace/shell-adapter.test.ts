import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Launch, LaunchInput } from '../../../../src/sandbox/launch.ts';
import type { ShellListener } from '../../../../src/tools/command/shell.ts';
import * as fake from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createShell } = await importWithVscodeStub<typeof import('../../../../src/vscode/workspace/shell-adapter.ts')>(
  new URL('../../../../src/vscode/workspace/shell-adapter.ts', import.meta.url),
);

/** Asks as a door does, then lets the command begin. */
const launchAsking = async ({ file, args, ask, onBlocked }: LaunchInput): Promise<Launch> => {
  onBlocked?.({ kind: 'network', host: 'b.example.org', port: 443 });
  const answer = await ask?.({ kind: 'hosts', hosts: ['a.example.org:443'] }, new AbortController().signal);
  return {
    file,
    args,
    options: { stdio: ['ignore', 'pipe', 'pipe'], env: { ANSWER: answer ?? 'none' } },
    supervise(_, onBegin) {
      onBegin?.();
      return { hasEnded: () => true, hasBegun: () => true };
    },
    release: async () => ({ appeared: [], loaded: [] }),
    blocked: () => [],
    sent: () => new Map(),
  };
};

describe('the terminal of a command', () => {
  beforeEach(() => {
    fake.reset();
    Object.assign(fake.env, { shell: '/bin/sh' });
    Object.assign(fake.window, {
      createTerminal: () => ({ exitStatus: undefined, dispose() {} }),
      onDidCloseTerminal: new fake.EventEmitter().event,
    });
  });

  it('F31 hands on everything that a listener may hear or be asked, of a command in the sandbox', async function () {
    if (process.platform === 'win32') return this.skip();
    const shell = createShell({ clock: systemClock, log: () => undefined, sandbox: { launch: launchAsking } });
    const heard = new Map<string, unknown>();
    // A member that is added has to be named here.
    const listener: Required<ShellListener> = {
      started: () => void heard.set('started', true),
      output: (chunk) => void heard.set('output', `${heard.get('output') ?? ''}${chunk}`),
      blocked: ({ kind }) => void heard.set('blocked', kind),
      async ask({ kind }) {
        heard.set('ask', kind);
        return 'allow';
      },
    };
    const command = { commandLine: 'echo $ANSWER', cwd: '/', sandbox: { level: 'on', conversationId: 'c' } } as const;
    await shell.run(command, listener, new AbortController().signal);
    shell.dispose();
    assert.deepEqual(Object.fromEntries(heard), { started: true, output: 'allow\n', ask: 'hosts', blocked: 'network' });
    assert.deepEqual([...heard.keys()].sort(), Object.keys(listener).sort());
  });
});
