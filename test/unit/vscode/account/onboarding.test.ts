import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { KeyCheck, ModelList } from '../../../../src/service/contract.ts';
import type { Failure } from '../../../../src/shared/failure/failure.ts';
import type { OnboardingDeps } from '../../../../src/vscode/account/onboarding.ts';
import type { KeyState } from '../../../../src/vscode/account/stored-key.ts';
import { person, reset, settings } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createOnboarding } = await importWithVscodeStub<typeof import('../../../../src/vscode/account/onboarding.ts')>(
  new URL('../../../../src/vscode/account/onboarding.ts', import.meta.url),
);
const turn = () => new Promise(setImmediate);
const key = `sk-svc-${'a'.repeat(40)}`;
const failure = { kind: 'unreachable', message: 'no', at: '2026-11-20T10:00:00Z' } as Failure;

describe('address and key, asked for', () => {
  beforeEach(reset);

  function open({ hasAddress = true, stored }: { hasAddress?: boolean; stored?: string | undefined } = {}) {
    let state: KeyState = stored === undefined ? { state: 'absent' } : { state: 'present', key: stored };
    const rejections: boolean[] = [];
    const world = {
      list: { ok: true, models: [] } as ModelList,
      check: { state: 'accepted' } as KeyCheck,
      write: (written: string): KeyState => ({ state: 'present', key: written }),
      accepted: 0,
      asked: [] as string[],
    };
    const onboarding = createOnboarding({
      settings: {
        baseUrl: () => (hasAddress ? { url: 'https://here.example/v1', changed: [] } : { error: 'none' }),
        dashboardUrl: () => '',
      } as unknown as OnboardingDeps['settings'],
      keys: {
        read: async () => state,
        write: async (written) => {
          state = world.write(written);
        },
        remove: async () => {
          if (stored === 'locked') throw new Error('locked');
          state = { state: 'absent' };
        },
      } as OnboardingDeps['keys'],
      readiness: { keyProblem: () => undefined, noteRejection: (isRejected) => void rejections.push(isRejected) },
      listModels: async (_signal, asked) => {
        world.asked.push(asked);
        return world.list;
      },
      checkKey: async (given) => {
        world.asked.push(given);
        return world.check;
      },
      nameOf: (id) => id,
      onAccepted: () => world.accepted++,
    });
    const type = async (text: string) => {
      const box = person.boxes.at(-1);
      box?.type(text);
      box?.enter();
      await turn();
      return box?.validationMessage as string | undefined;
    };
    return { onboarding, world, rejections, type, state: () => state };
  }

  it('U5 S17 a key is checked before it is stored, and only an accepted one warms the line', async () => {
    const { onboarding, world, rejections, type, state } = open();
    const asked = onboarding.setApiKey();
    assert.match((await type('sk-nonsense')) ?? '', /./);
    assert.deepEqual(world.asked, []);
    await type(` ${key} `);
    assert.equal(await asked, true);
    assert.deepEqual(
      [world.asked, state(), rejections, world.accepted],
      [[key], { state: 'present', key }, [false], 1],
    );
  });

  it('U5 a rejected key is not stored, however often it is entered', async () => {
    const { onboarding, world, rejections, type, state } = open();
    world.check = { state: 'rejected' } as KeyCheck;
    void onboarding.setApiKey();
    assert.match((await type(key)) ?? '', /not accepted/);
    person.boxes[0]?.enter();
    await turn();
    assert.deepEqual([state(), rejections, person.boxes[0]?.isShown], [{ state: 'absent' }, [true, true], true]);
  });

  it('U5 a key that cannot be checked is stored only when it is entered once more', async () => {
    const { onboarding, world, type, state } = open();
    world.check = { state: 'unknown', failure } as KeyCheck;
    const asked = onboarding.setApiKey();
    assert.match((await type(key)) ?? '', /Press Enter again/);
    assert.deepEqual(state(), { state: 'absent' });
    person.boxes[0]?.enter();
    assert.equal(await asked, true);
    assert.deepEqual([state(), world.accepted], [{ state: 'present', key }, 0]);
  });

  it('X36 a storage that fails or forgets is told, and the box stays', async () => {
    const { onboarding, world, type } = open();
    world.write = () => {
      throw new Error('no keyring');
    };
    void onboarding.setApiKey();
    assert.match((await type(key)) ?? '', /no keyring.*Nothing was saved/);
    world.write = () => ({ state: 'absent' });
    assert.equal(await type(key), "VS Code didn't store the key.");
    world.write = () => ({ state: 'unavailable', message: 'gone' });
    assert.match((await type(key)) ?? '', /didn't store the key\. .*gone/);
    assert.equal(world.accepted, 0);
  });

  it('an address is asked for its models and saved as it will be used; one that does not answer only the second time', async () => {
    const { onboarding, world, type } = open({ hasAddress: false });
    const asked = onboarding.setBaseUrl();
    assert.match((await type('ftp://x')) ?? '', /./);
    world.list = { ok: false, failure };
    assert.match((await type('https://new.example/v1/')) ?? '', /press Enter again/);
    assert.equal(settings.get('svc.baseUrl'), undefined);
    person.boxes[0]?.enter();
    assert.equal(await asked, true);
    assert.deepEqual(world.asked, ['https://new.example/v1']);
    assert.deepEqual(settings.get('svc.baseUrl'), { globalValue: 'https://new.example/v1' });
  });

  it('asks only for what is missing before a message is sent', async () => {
    assert.equal(await open({ stored: key }).onboarding.ensureReady(), true);
    assert.equal(person.boxes.length, 0);
    const ready = open().onboarding.ensureReady();
    await turn();
    assert.equal(person.boxes[0]?.title, 'API Key');
    person.boxes[0]?.hide();
    assert.equal(await ready, false);
    const unset = open({ hasAddress: false, stored: key }).onboarding.ensureReady();
    await turn();
    assert.equal(person.boxes[1]?.title, 'Service Address');
    person.boxes[1]?.hide();
    assert.equal(await unset, false);
    assert.equal(person.boxes.length, 2);
  });

  it('removes a key and says so, or that there is none, or that it is still there', async () => {
    const said = async (stored?: string) => {
      await open({ stored }).onboarding.removeApiKey();
      return person.messages.at(-1)?.text;
    };
    assert.match((await said()) ?? '', /No API key is stored/);
    assert.match((await said(key)) ?? '', /was removed/);
    assert.match((await said('locked')) ?? '', /couldn't remove the key: locked/);
  });

  it('takes only an address of the web for the dashboard', async () => {
    const { onboarding, type } = open();
    const asked = onboarding.setDashboardUrl();
    for (const wrong of ['dash', 'javascript:alert(1)', 'file:///etc'])
      assert.match((await type(wrong)) ?? '', /https/);
    await type(' https://dash.example ');
    assert.equal(await asked, true);
    assert.deepEqual(settings.get('svc.dashboardUrl'), { globalValue: 'https://dash.example' });
  });
});
