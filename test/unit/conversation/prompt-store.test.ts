import assert from 'node:assert/strict';
import { createPromptStore } from '../../../src/conversation/composing/prompt-store.ts';

function memory(stored?: unknown) {
  const values = new Map<string, unknown>([['prompts', stored]]);
  return {
    get: <T>(name: string, fallback?: T) => (values.get(name) ?? fallback) as T,
    update: async (name: string, value: unknown) => {
      values.set(name, value);
    },
  };
}

describe('prompts of a workspace', () => {
  it('F5 are kept over a restart, at most a hundred, none twice in a row', () => {
    const kept = memory();
    const store = createPromptStore(kept);
    for (let number = 0; number < 150; number++) store.add(`prompt ${number}`);
    store.add('prompt 149');
    store.add('  ');
    const again = createPromptStore(kept).all();
    assert.equal(again.length, 100);
    assert.equal(again.at(-1), 'prompt 149');
    assert.equal(again[0], 'prompt 50');
  });

  it('begin anew when what was stored makes no sense', () => {
    assert.deepEqual(createPromptStore(memory('x')).all(), []);
    assert.deepEqual(createPromptStore(memory(['a', 1])).all(), ['a']);
  });
});
