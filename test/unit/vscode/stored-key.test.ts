import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readStoredKey } from '../../../src/vscode/account/stored-key.ts';

const here = 'https://here.example';

describe('the stored key', () => {
  const read = async (get: () => Promise<string | undefined>, origin: string | undefined = here) => {
    const heard: string[] = [];
    return { is: await readStoredKey({ get, origin: () => origin, onKey: (key) => heard.push(key) }), heard };
  };
  const stored = async () => JSON.stringify({ key: 'sk-svc-demo', origin: here });

  it('X36 a storage that fails is told, and is not an empty one', async () => {
    const failures = [
      () => Promise.reject(new Error('no keyring')),
      () => Promise.reject('no keyring'),
      async () => {
        throw new Error('no keyring');
      },
    ];
    for (const get of failures) {
      assert.deepEqual(await read(get), { is: { state: 'unavailable', message: 'no keyring' }, heard: [] });
    }
  });

  it('X36 an empty or damaged one asks for the key again', async () => {
    for (const text of [undefined, '', '{', '"sk-svc-x"', 'null', '{"key":5,"origin":""}', '{"key":"sk-svc-x"}']) {
      assert.deepEqual(await read(async () => text), { is: { state: 'absent' }, heard: [] }, text);
    }
  });

  it('X14 is given to the address that it was entered for only, and known as a key in any case', async () => {
    assert.deepEqual(await read(stored), { is: { state: 'present', key: 'sk-svc-demo' }, heard: ['sk-svc-demo'] });
    const elsewhere = await read(stored, 'https://here.example.evil.org');
    assert.deepEqual(elsewhere, { is: { state: 'other-address', origin: here }, heard: ['sk-svc-demo'] });
  });
});
