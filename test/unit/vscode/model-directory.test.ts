import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { ModelList } from '../../../src/service/contract.ts';
import { knownModels } from '../../../src/service/models.ts';
import { importWithVscodeStub } from '../../support/vscode-stub.ts';
import { createMemento } from './memento.ts';

type Directory = typeof import('../../../src/vscode/account/model-directory.ts');

describe('the directory of models', () => {
  let directory: Directory;
  before(async () => {
    directory = await importWithVscodeStub(new URL('../../../src/vscode/account/model-directory.ts', import.meta.url));
  });

  const newList: ModelList = { ok: true, models: [{ id: 'svc/new-1', name: 'New 1' }] };
  let whileAsked = () => {};
  beforeEach(() => {
    whileAsked = () => {};
  });

  function open(list: ModelList = newList) {
    const address = { now: 'https://one.example/v1' as string | undefined };
    const memento = createMemento();
    const create = () => directory.createModelDirectory(memento, () => address.now);
    const ask = async () => {
      whileAsked();
      return list;
    };
    return { address, create, ask };
  }
  const published = knownModels.map(({ id }) => id);
  const { signal } = new AbortController();

  it('S2 S27 uses the list of the service, in the next window too, and tells when it changes', async () => {
    const { create, ask } = open();
    const first = create();
    let changes = 0;
    first.onDidChange(() => void changes++);
    assert.deepEqual([first.ids(), first.fromService()], [published, false]);
    assert.equal(await first.refresh(ask, signal), undefined);
    await first.refresh(ask, signal);
    assert.deepEqual([first.ids(), first.fromService(), changes], [['svc/new-1'], true, 1]);
    assert.deepEqual(create().ids(), ['svc/new-1']);
  });

  it('S2 S27 never uses the list of another address', async () => {
    const { address, create, ask } = open();
    const models = create();
    await models.refresh(ask, signal);
    address.now = 'https://two.example/v1';
    assert.deepEqual([models.ids(), models.fromService()], [published, false]);
    address.now = undefined;
    assert.deepEqual([models.ids(), models.fromService()], [published, false]);
    address.now = 'https://one.example/v1';
    assert.deepEqual([models.ids(), models.fromService()], [['svc/new-1'], true]);
  });

  it('S2 S27 drops a list that comes after the address was changed', async () => {
    const { address, create, ask } = open();
    const models = create();
    whileAsked = () => {
      address.now = 'https://two.example/v1';
    };
    await models.refresh(ask, signal);
    assert.deepEqual([models.ids(), models.fromService()], [published, false]);
  });

  it('S2 keeps what it had when the service is not reached', async () => {
    const failure = { kind: 'unreachable', message: 'no', at: '2026-11-20T10:00:00Z' } as const;
    const { create, ask } = open({ ok: false, failure });
    const models = create();
    assert.equal(await models.refresh(ask, signal), failure);
    assert.deepEqual(models.ids(), published);
  });
});
