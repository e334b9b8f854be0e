import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { featuresOf } from '../../../src/service/token-features.ts';
import { sum } from '../../../src/service/token-rates.ts';
import { partTokens, promptParts } from '../../../src/service/tokens.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { createCountedPrompts } from '../../../src/spend/counted-prompts.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';

const model = 'svc/glm-5.3';
const user = (text: string): HistoryMessage => ({ role: 'user', text });
const partsOf = (...texts: string[]) => promptParts({ model, messages: texts.map(user) });
const tokensOf = (...texts: string[]) => sum(partTokens(partsOf(...texts), model));

describe('prompts that the service has counted', () => {
  it('U2 a prompt differs from the nearest one by what was added and what is gone', () => {
    const counted = createCountedPrompts(model, featuresOf);
    assert.equal(counted.nearest(partsOf('a question')), undefined);
    counted.add(partsOf('another conversation altogether'), 50);
    counted.add(partsOf('a question', 'its long answer', 'its long answer'), 100);
    const difference = counted.nearest(partsOf('a question', 'its long answer', 'and more words'));
    assert.ok(difference);
    assert.equal(difference.counted, 100);
    assert.equal(sum(difference.added).toFixed(6), (tokensOf('and more words') - tokensOf('')).toFixed(6));
    assert.equal(sum(difference.gone).toFixed(6), (tokensOf('its long answer') - tokensOf('')).toFixed(6));
  });

  it('U2 what shares less with all of them than it brings is estimated as a whole', () => {
    const counted = createCountedPrompts(model, featuresOf);
    counted.add(partsOf('one conversation about the weather and the sea'), 50);
    assert.equal(counted.nearest(partsOf('something else')), undefined);
  });

  it('U2 what was counted is not estimated again: only what is new has a doubt', () => {
    const estimator = createEstimator(undefined);
    const messages = Array.from({ length: 40 }, (_, index) =>
      user(`${index} plain words of a long history `.repeat(20)),
    );
    const before = estimator.prompt({ model, messages });
    estimator.learn({ model, messages }, 7777);
    const next = [...messages, user('A short question.')];
    const { tokens, error } = estimator.prompt({ model, messages: next });
    assert.ok(tokens > 7777 && tokens < 7800, `${tokens}`);
    assert.ok(before.error > 0.1 && error < 0.002, `${before.error} ${error}`);
  });
});
