import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createOnboarding } from '../../../src/vscode/account/onboarding.ts';
import { createReadiness } from '../../../src/vscode/account/readiness.ts';
import { createKeyStore } from '../../../src/vscode/account/secrets.ts';
import { createSettings } from '../../../src/vscode/host/settings.ts';

const key = 'sk-svc-0123456789abcdefghij';
const origin = 'http://127.0.0.1:9';

/** A storage that behaves as told; what is not told works. */
function openStorage(faults: { get?: () => string | undefined; store?: Error; delete?: Error }) {
  const kept = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  const fail = async (error: Error | undefined) => {
    if (error) throw error;
  };
  const secrets: vscode.SecretStorage = {
    onDidChange: changed.event,
    keys: async () => [...kept.keys()],
    get: async (name) => (faults.get === undefined ? kept.get(name) : faults.get()),
    store: async (name, value) => {
      await fail(faults.store);
      kept.set(name, value);
      changed.fire({ key: name });
    },
    delete: async (name) => {
      await fail(faults.delete);
      kept.delete(name);
      changed.fire({ key: name });
    },
  };
  return secrets;
}

/** Stands for the person at the window: types the key whenever a box asks, and reads what is said. */
function sitDown() {
  const real = { ...vscode.window };
  const asked: string[] = [];
  const said: string[] = [];
  const say = async (text: string) => void said.push(text);
  Object.assign(vscode.window, {
    showInputBox: async (options?: vscode.InputBoxOptions) => {
      asked.push(options?.prompt ?? '');
      if (asked.length > 5) throw new Error('the key is asked for again and again');
      return key;
    },
    showErrorMessage: say,
    showWarningMessage: say,
    showInformationMessage: say,
  });
  return {
    asked,
    said,
    leave: () => {
      const { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage } = real;
      Object.assign(vscode.window, { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage });
    },
  };
}

describe('a key that VS Code cannot keep', () => {
  let person: ReturnType<typeof sitDown>;
  const made: vscode.Disposable[] = [];
  afterEach(async () => {
    person.leave();
    vscode.Disposable.from(...made.splice(0)).dispose();
    await vscode.workspace.getConfiguration('svc').update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
  });

  const open = async (faults: Parameters<typeof openStorage>[0]) => {
    person = sitDown();
    await vscode.workspace.getConfiguration('svc').update('baseUrl', `${origin}/v1`, vscode.ConfigurationTarget.Global);
    const settings = createSettings();
    const keys = createKeyStore(openStorage(faults), () => origin);
    const readiness = await createReadiness(settings, keys);
    made.push(settings, keys, readiness);
    const onboarding = createOnboarding({
      settings,
      keys,
      checkKey: async () => ({ state: 'accepted' }),
      nameOf: (model) => model,
      onAccepted: () => assert.fail('a key that is not kept is not in use'),
    });
    return { onboarding, readiness };
  };

  it('X36 says so when the storage refuses it, asks once, and does not claim that it is stored', async () => {
    const { onboarding, readiness } = await open({ store: new Error('The keyring is locked') });
    assert.equal(await onboarding.setApiKey(), false);
    assert.equal(person.asked.length, 1);
    assert.deepEqual(person.said, ['VS Code could not store the key: The keyring is locked. Nothing was saved.']);
    assert.equal(readiness.hasKey(), false);
    assert.equal(await onboarding.ensureReady(), false);
    assert.equal(person.asked.length, 2, 'once more because the user sent again, not by itself');
  });

  it('X36 says so when the storage takes it and forgets it', async () => {
    const { onboarding, readiness } = await open({ get: () => undefined });
    assert.equal(await onboarding.setApiKey(), false);
    assert.equal(person.asked.length, 1);
    assert.match(person.said.join('\n'), /^VS Code didn't store the key\.$/);
    assert.equal(readiness.hasKey(), false);
  });

  it('X36 names a storage that cannot be read where the key is asked for, and after it was entered', async () => {
    const { onboarding, readiness } = await open({
      get: () => {
        throw new Error('No keyring service');
      },
    });
    assert.equal(readiness.keyProblem()?.state, 'unavailable');
    assert.equal(await onboarding.setApiKey(), false);
    assert.equal(person.asked.length, 1);
    assert.match(person.asked.join('\n'), /No keyring service/);
    assert.match(person.said.join('\n'), /^VS Code didn't store the key\. .*No keyring service/);
  });

  it('X36 says that a key is still stored when it cannot be removed', async () => {
    const { onboarding } = await open({
      get: () => JSON.stringify({ key, origin }),
      delete: new Error('Access denied'),
    });
    await onboarding.removeApiKey();
    assert.deepEqual(person.said, ['VS Code could not remove the key: Access denied. It is still stored.']);
  });
});
