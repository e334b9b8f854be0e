import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chargeWords, requestsWords } from '../../../src/shared/charge-words.ts';

describe('shared/charge-words', () => {
  it('S10 U2 tells counted, estimated, perhaps charged and not charged apart', () => {
    const words = (charge: 'yes' | 'no' | 'maybe', microUsd: number, estimated: boolean) =>
      chargeWords({ charge, microUsd, estimated }, 'en');
    assert.equal(words('yes', 4400, false), '$0.0044');
    assert.equal(words('yes', 4400, true), '≈ $0.0044');
    assert.equal(words('maybe', 4400, true), '≈ $0.0044 · Possibly charged');
    assert.equal(words('maybe', 0, true), 'Possibly charged');
    assert.equal(words('no', 0, true), 'Not charged');
  });

  it('S10 U2 says of requests how many were not charged, and of how many nobody says', () => {
    const words = (requests: number, notCharged: number, possiblyCharged: number) =>
      requestsWords({ requests, notCharged, possiblyCharged }, 'en');
    assert.equal(words(1, 0, 0), '1 request');
    assert.equal(words(1200, 2, 0), '1,200 requests, 2 not charged');
    assert.equal(words(3, 1, 1), '3 requests, 1 not charged, 1 possibly charged');
  });
});
