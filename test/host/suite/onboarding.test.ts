import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createOnboarding, type OnboardingDeps } from '../../../src/vscode/account/onboarding.ts';
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

/** Stands for the person at the window: enters each of `typed` in turn, reads what is said, then closes the box. */
function sitDown(typed: readonly string[] = [key]) {
  const real = { ...vscode.window };
  /** The prompts of the boxes. */
  const asked: string[] = [];
  const said: string[] = [];
  const toasts: string[] = [];
  const say = async (text: string) => void toasts.push(text);
  const createInputBox = () => {
    const accepted = new vscode.EventEmitter<void>();
    const hidden = new vscode.EventEmitter<void>();
    const changed = new vscode.EventEmitter<string>();
    let open = true;
    let message: unknown;
    const texts = [...typed];
    const enter = () => {
      const text = texts.shift();
      if (text === undefined) return box.hide();
      Object.assign(box, { value: text });
      changed.fire(text);
      accepted.fire();
      return undefined;
    };
    const box = {
      value: '',
      enabled: true,
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      onDidChangeValue: changed.event,
      set validationMessage(text: unknown) {
        message = text;
        if (text === undefined || texts.length === typed.length) return;
        said.push(String(text));
        setImmediate(enter);
      },
      get validationMessage() {
        return message;
      },
      show() {
        asked.push(String(Object(box).prompt));
        enter();
      },
      hide() {
        if (open) hidden.fire();
        open = false;
      },
      dispose: () => undefined,
    };
    return box;
  };
  const { createInputBox: box, showErrorMessage, showWarningMessage, showInformationMessage } = real;
  Object.assign(vscode.window, {
    createInputBox,
    showErrorMessage: say,
    showWarningMessage: say,
    showInformationMessage: say,
  });
  return {
    asked,
    said,
    toasts,
    leave: () => {
      Object.assign(vscode.window, {
        createInputBox: box,
        showErrorMessage,
        showWarningMessage,
        showInformationMessage,
      });
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

  const open = async (
    faults: Parameters<typeof openStorage>[0],
    { typed = [key], ...others }: Partial<OnboardingDeps> & { typed?: readonly string[] } = {},
  ) => {
    person = sitDown(typed);
    await vscode.workspace.getConfiguration('svc').update('baseUrl', `${origin}/v1`, vscode.ConfigurationTarget.Global);
    const settings = createSettings();
    const keys = createKeyStore(openStorage(faults), () => origin);
    const readiness = await createReadiness(settings, keys);
    made.push(settings, keys, readiness);
    const onboarding = createOnboarding({
      settings,
      keys,
      readiness,
      listModels: async () => ({ ok: true, models: [] }),
      checkKey: async () => ({ state: 'accepted' }),
      nameOf: (model) => model,
      onAccepted: () => assert.fail('a key that is not kept is not in use'),
      ...others,
    });
    return { onboarding, readiness };
  };

  it('X36 says so when the storage refuses it, asks once, and does not claim that it is stored', async () => {
    const { onboarding, readiness } = await open({ store: new Error('The keyring is locked') });
    assert.equal(await onboarding.setApiKey(), false);
    assert.equal(person.asked.length, 1);
    assert.deepEqual(person.said, ["VS Code couldn't store the key: The keyring is locked. Nothing was saved."]);
    assert.deepEqual(person.toasts, []);
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
    assert.deepEqual(person.toasts, ["VS Code couldn't remove the key: Access denied. It is still stored."]);
  });

  it('S18 S1 keeps the box open for a key that is refused, says so there, and forgets it once a key is accepted', async () => {
    let checks = 0;
    const { onboarding, readiness } = await open(
      {},
      {
        typed: ['sk-svc-wrong-0123456789', key],
        checkKey: async () => ({ state: ++checks === 1 ? 'rejected' : 'accepted' }),
        onAccepted: () => undefined,
      },
    );
    assert.equal(await onboarding.setApiKey(), true);
    assert.equal(person.asked.length, 1);
    assert.match(person.said.join('\n'), /^The API key was not accepted\./);
    assert.deepEqual(person.toasts, []);
    assert.equal(readiness.keyProblem(), undefined);
  });

  it('S18 says on the setup page what became of a key that was refused', async () => {
    const { onboarding, readiness } = await open({}, { checkKey: async () => ({ state: 'rejected' }) });
    assert.equal(await onboarding.setApiKey(), false);
    assert.deepEqual(readiness.keyProblem(), { state: 'rejected' });
    assert.equal(readiness.hasKey(), false);
  });

  it('S2 asks an address before it is saved, and saves one that does not answer only when told again', async () => {
    const asked: (string | undefined)[] = [];
    const failure = { kind: 'unreachable', message: 'x', at: '2026-01-01T00:00:00.000+00:00' } as const;
    const address = 'https://other.example/v1';
    const dead: Partial<OnboardingDeps> = {
      listModels: async (_signal, at) => {
        asked.push(at);
        return { ok: false, failure };
      },
    };
    const configured = () => vscode.workspace.getConfiguration('svc').get('baseUrl');
    const once = await open({}, { typed: [address], ...dead });
    assert.equal(await once.onboarding.setBaseUrl(), false);
    assert.deepEqual(asked, [address]);
    assert.equal(configured(), `${origin}/v1`);
    assert.match(person.said.join('\n'), /press Enter again to save it anyway/);
    person.leave();
    const twice = await open({}, { typed: [address, address], ...dead });
    assert.equal(await twice.onboarding.setBaseUrl(), true);
    assert.equal(configured(), address);
    assert.deepEqual(person.toasts, []);
  });
});
