import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ComposerHostDeps } from '../../../../src/vscode/composer/composer-host.ts';
import { env, reset } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createComposerHost } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/composer/composer-host.ts')
>(new URL('../../../../src/vscode/composer/composer-host.ts', import.meta.url));

describe('what is dropped', () => {
  beforeEach(reset);

  it('F7 is the file of the remote machine, once, by whichever address (phuryn/grok-build-vscode#136)', async () => {
    const added: (string | undefined)[] = [];
    const { attachDropped } = createComposerHost({
      picker: {},
      incoming: { add: async ({ uri }: { uri?: string }) => added.push(uri) },
    } as unknown as ComposerHostDeps);
    Object.assign(env, { remoteName: 'ssh-remote' });
    try {
      const others = ['vscode-remote://wsl%2Bubuntu/w/a.ts', 'vscode-vfs://github/o/r/a.ts'];
      await attachDropped(['vscode-remote://ssh-remote%2Bhost/w/my%20a.ts', 'file:///w/my%20a.ts', ...others]);
      assert.deepEqual(added, ['file:///w/my%20a.ts', ...others]);
    } finally {
      Object.assign(env, { remoteName: undefined });
    }
  });
});
