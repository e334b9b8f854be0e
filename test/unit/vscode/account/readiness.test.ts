import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { keySecretName } from '../../../../src/vscode/account/key-secret-name.ts';
import { EventEmitter, person, reset, set } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createReadiness } = await importWithVscodeStub<typeof import('../../../../src/vscode/account/readiness.ts')>(
  new URL('../../../../src/vscode/account/readiness.ts', import.meta.url),
);
const { createKeyStore } = await importWithVscodeStub<typeof import('../../../../src/vscode/account/secrets.ts')>(
  new URL('../../../../src/vscode/account/secrets.ts', import.meta.url),
);
const { createSettings } = await importWithVscodeStub<typeof import('../../../../src/vscode/host/settings.ts')>(
  new URL('../../../../src/vscode/host/settings.ts', import.meta.url),
);
const turn = () => new Promise(setImmediate);

describe('whether a request can be sent', () => {
  beforeEach(reset);

  async function open() {
    const kept = new Map<string, string>();
    const changed = new EventEmitter<{ key: string }>();
    const secrets = {
      get: async (name: string) => kept.get(name),
      store: async (name: string, value: string) => void kept.set(name, value),
      delete: async (name: string) => void kept.delete(name),
      onDidChange: changed.event,
    };
    const settings = createSettings();
    const origin = () => {
      const address = settings.baseUrl();
      return 'url' in address ? new URL(address.url).origin : undefined;
    };
    const keys = createKeyStore(secrets as unknown as Parameters<typeof createKeyStore>[0], origin);
    const readiness = await createReadiness(settings, keys);
    let changes = 0;
    readiness.onDidChange(() => changes++);
    const tell = async (key = keySecretName) => {
      changed.fire({ key });
      await turn();
      return changes;
    };
    return { keys, readiness, kept, tell, changes: () => changes };
  }

  it('S17 X14 a key counts for the address that it was entered for, and is known for hiding in any case', async () => {
    set('svc.baseUrl', { globalValue: 'https://one.example/v1' });
    const { keys, readiness, kept, tell, changes } = await open();
    assert.deepEqual([readiness.hasAddress(), readiness.hasKey(), readiness.keyProblem()], [true, false, undefined]);
    await keys.write('sk-svc-1');
    assert.deepEqual(kept.get(keySecretName), '{"key":"sk-svc-1","origin":"https://one.example"}');
    assert.equal(await tell('other'), 0);
    assert.equal(await tell(), 1);
    assert.equal(readiness.hasKey(), true);
    assert.deepEqual(person.ran.at(-1), ['setContext', 'svc.hasKey', true]);
    set('svc.model', { globalValue: 'x' });
    await turn();
    assert.equal(changes(), 1);
    set('svc.baseUrl', { globalValue: 'https://two.example/v1' });
    await turn();
    assert.deepEqual([changes(), readiness.hasKey()], [2, false]);
    assert.deepEqual(readiness.keyProblem(), { state: 'other-address', origin: 'https://one.example' });
    assert.deepEqual(keys.known(), ['sk-svc-1']);
    await keys.remove();
    assert.equal(kept.size, 0);
  });

  it('U5 says that the last key was rejected until there is a usable one', async () => {
    set('svc.baseUrl', { globalValue: 'https://one.example/v1' });
    const { keys, readiness, tell, changes } = await open();
    readiness.noteRejection(true);
    assert.deepEqual([readiness.keyProblem(), changes()], [{ state: 'rejected' }, 1]);
    await keys.write('sk-svc-1');
    await tell();
    assert.equal(readiness.keyProblem(), undefined);
  });

  it('has no address while the setting holds none', async () => {
    const { readiness } = await open();
    assert.equal(readiness.hasAddress(), false);
  });
});
