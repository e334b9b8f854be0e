import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { nativeModelInfo } from '../../../src/features/native-chat/vscode/native-model-info.ts';
import type { NativeModels } from '../../../src/features/native-chat/vscode/native-models.ts';
import { registerModels } from '../../../src/features/native-chat/vscode/register-models.ts';
import { keySecretName } from '../../../src/vscode/account/key-secret-name.ts';
import { createMemento } from '../../unit/vscode/memento.ts';

type Provider = vscode.LanguageModelChatProvider;

const list = ['svc/kimi-k3', 'svc/glm-5.3'].map((id) => nativeModelInfo({ id, name: id }, {}, undefined, undefined));

/** The registration in a window of its own: its state, its keyring, and what VS Code would be given. */
function open({ key, state = createMemento() }: { key?: string; state?: vscode.Memento }) {
  const kept = new Map(key === undefined ? [] : [[keySecretName, key]]);
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  const modelsChanged = new vscode.EventEmitter<void>();
  let loads = 0;
  let asked = 0;
  const nobody = async () => assert.fail('nothing is sent here');
  const models: NativeModels = {
    async list(silent) {
      if (!kept.has(keySecretName) && !silent) asked++;
      return kept.has(keySecretName) ? list : [];
    },
    respond: nobody,
    countTokens: nobody,
  };
  const providers: Provider[] = [];
  const real = vscode.lm.registerLanguageModelChatProvider;
  Object.assign(vscode.lm, {
    registerLanguageModelChatProvider: (_vendor: string, provider: Provider) => {
      providers.push(provider);
      return { dispose: () => undefined };
    },
  });
  let registered: ReturnType<typeof registerModels>;
  try {
    registered = registerModels(
      {
        globalState: Object.assign(state, { setKeysForSync: () => undefined }),
        secrets: {
          keys: async () => [...kept.keys()],
          get: async (name) => kept.get(name),
          store: async (name, value) => {
            kept.set(name, value);
            changed.fire({ key: name });
          },
          delete: async (name) => {
            kept.delete(name);
            changed.fire({ key: name });
          },
          onDidChange: changed.event,
        },
      },
      async () => {
        loads++;
        return models;
      },
    );
  } finally {
    Object.assign(vscode.lm, { registerLanguageModelChatProvider: real });
  }
  const [provider] = providers;
  assert.ok(provider);
  let told = 0;
  provider.onDidChangeLanguageModelChatInformation?.(() => told++);
  const ask = async (silent: boolean, more: object = {}) => {
    const source = new vscode.CancellationTokenSource();
    return (await provider.provideLanguageModelChatInformation({ silent, ...more }, source.token)) ?? [];
  };
  const enterKey = () => {
    kept.set(keySecretName, 'stored');
    changed.fire({ key: keySecretName });
  };
  return {
    registered,
    models,
    modelsChanged,
    ask,
    enterKey,
    state,
    loads: () => loads,
    asked: () => asked,
    told: () => told,
  };
}

describe('the models that VS Code is told of', () => {
  const made: vscode.Disposable[] = [];
  afterEach(() => vscode.Disposable.from(...made.splice(0)).dispose());
  const opened = (options: Parameters<typeof open>[0]) => {
    const window = open(options);
    made.push(window.registered);
    return window;
  };

  it('F27 without a key are none, and nothing of ours is loaded and nobody asked for it', async () => {
    const { ask, loads, asked } = opened({});
    assert.deepEqual(await ask(true), []);
    assert.deepEqual([loads(), asked()], [0, 0]);
    assert.deepEqual(await ask(false), []);
    assert.deepEqual([loads(), asked()], [1, 1]);
  });

  it('F27 are each there once, also when VS Code has a group of its own for them', async () => {
    const { ask } = opened({ key: 'stored' });
    const found = [...(await ask(true)), ...(await ask(true, { group: 'svc', configuration: { apiKey: 'x' } }))];
    assert.deepEqual(
      found.map(({ id }) => id),
      list.map(({ id }) => id),
    );
  });

  it('F27 have a default one in an older release without another, where nothing is listed otherwise', async () => {
    const { ask } = opened({ key: 'stored' });
    const defaults = (await ask(true)).filter((info) => Reflect.get(info, 'isDefault') === true).map(({ id }) => id);
    assert.deepEqual(defaults, vscode.version.startsWith('1.106.') ? ['svc/kimi-k3'] : []);
  });

  it('F27 are remembered for the next window, which loads nothing to name them', async () => {
    const first = opened({ key: 'stored' });
    assert.equal((await first.ask(true)).length, 2);
    const next = opened({ key: 'stored', state: first.state });
    assert.equal((await next.ask(true)).length, 2);
    assert.deepEqual([first.loads(), next.loads()], [1, 0]);
  });

  it('F27 are told of again when a key comes, and when what was loaded changes', async () => {
    const { ask, enterKey, registered, models, modelsChanged, told } = opened({});
    assert.deepEqual(await ask(true), []);
    enterKey();
    assert.equal(told(), 1);
    assert.equal((await ask(true)).length, 2);
    registered.attach({ models: async () => models, onDidChange: modelsChanged.event });
    assert.equal(told(), 2);
  });
});
