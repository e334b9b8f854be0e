import assert from 'node:assert/strict';
import { keyProblemText } from '../../../src/shared/panel/panel-info.ts';

describe('key problem', () => {
  it('X14 names the address that the stored key is for', () => {
    const text = keyProblemText({ state: 'other-address', origin: 'https://old.example' });
    assert.match(text, /belongs to https:\/\/old\.example and is never sent anywhere else/);
  });

  it('X36 says that the storage failed, with its own words', () => {
    assert.match(
      keyProblemText({ state: 'unavailable', message: 'no keyring' }),
      /Couldn't read VS Code's secret storage: no keyring\./,
    );
  });
});
