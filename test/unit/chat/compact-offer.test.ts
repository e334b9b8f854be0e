import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCompactOffers } from '../../../src/chat/compact-offer.ts';

describe('the offer to shorten a conversation before a message', () => {
  it('U4 U13 stands in the chat with its price until it is answered, once', async () => {
    const offers = createCompactOffers();
    let changes = 0;
    offers.onDidChange(() => changes++);
    offers.answer('c', true);
    assert.equal(changes, 0, 'nothing was asked');
    const compactionEstimate = {
      tokens: 1,
      priceMicroUsd: 7200,
      savedTokens: 1,
      savedMicroUsd: 5610,
      paysAfterRequests: 2,
    };
    const asked = offers.ask('c', { tokens: 32_000, by: 'set' }, compactionEstimate);
    assert.equal(offers.shown('other'), undefined);
    offers.answer('other', true);
    assert.deepEqual(offers.shown('c'), {
      near: { tokens: 32_000, by: 'set' },
      ...{ priceMicroUsd: 7200, savedMicroUsd: 5610, paysAfterRequests: 2 },
    });
    offers.answer('c', false);
    offers.answer('c', true);
    assert.deepEqual([await asked, offers.shown('c'), changes], [false, undefined, 2]);
  });
});
