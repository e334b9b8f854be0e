import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modelOrder } from '../../../src/conversation/model-order.ts';
import type { ModelFacts } from '../../../src/service/step/learned.ts';
import type { ChatState } from '../../../src/shared/chat/chat-state.ts';

const at = '2026-11-20T10:00:00Z';
const facts: Record<string, ModelFacts> = {
  blind: { parameters: {}, images: { works: false, at, evidence: 'no images' } },
  sees: { parameters: {}, images: { works: true, at, evidence: 'took one' } },
};
const learned = { get: (model: string): ModelFacts => facts[model] ?? { parameters: {} } };

function asked(...images: boolean[]): Pick<ChatState, 'items'> {
  const items = images.map((withImage) => ({
    kind: 'user',
    attachments: withImage ? [{ image: {} }] : [{}],
  }));
  return { items } as unknown as Pick<ChatState, 'items'>;
}

describe('the order of other models', () => {
  const models = { preferred: ['blind', 'other'], known: ['sees', 'blind', 'other'] };

  it('S9 is the preferred one, then all that are known', () => {
    assert.deepEqual(modelOrder(models, asked(false), learned), ['blind', 'other', 'sees', 'blind', 'other']);
    assert.deepEqual(modelOrder(models, { items: [] }, learned)[0], 'blind');
  });

  it('S24 after an image: those that took one first, none that is known not to', () => {
    assert.deepEqual(modelOrder(models, asked(true), learned), ['sees', 'other', 'other']);
  });

  it('S24 only images of the last message decide the order of other models', () => {
    assert.equal(modelOrder(models, asked(true, false), learned)[0], 'blind');
    assert.equal(modelOrder(models, asked(false, true), learned)[0], 'sees');
  });
});
