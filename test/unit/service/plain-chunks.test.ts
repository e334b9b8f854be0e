import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseJson } from '../../../src/base/parse-json.ts';
import { readChunk } from '../../../src/service/wire/chunk-schema.ts';
import { createPlainChunks } from '../../../src/service/wire/plain-chunks.ts';
import { times } from '../../support/effort.ts';

const words = fc.oneof(
  fc.constantFrom('', 'a', 'content', 'x"y', 'a\\b', 'line\n', '\u2028', '…', '🙂', '[DONE]', '{}', '\u007f', 'svc/m'),
  fc.string({ maxLength: 8 }),
);
/** Where the words can stand, and what can come beside them: each is another frame. */
const layout = fc.record({
  field: fc.constantFrom('content', 'content', 'content', 'reasoning_content', 'arguments', 'refusal', 'role'),
  model: fc.constantFrom('svc/m', undefined, 'a'),
  finish: fc.constantFrom(null, null, null, 'stop', ''),
  extra: fc.constantFrom(undefined, { usage: { prompt_tokens: 1 } }, { logprobs: { content: 'a' } }, { error: 'a' }),
  isPadded: fc.boolean(),
  isWhole: fc.constantFrom(false, false, false, true),
});
const chunk = fc.record({ at: fc.nat(2), words, damage: fc.constantFrom('', '', '', '}', 'x') });

describe('chunks that differ in words alone', () => {
  it('S5 are read as each would be by itself', () => {
    let spared = 0;
    fc.assert(
      fc.property(
        fc.array(layout, { minLength: 3, maxLength: 3 }),
        fc.array(chunk, { minLength: 4, maxLength: 30 }),
        (layouts, chunks) => {
          const plain = createPlainChunks();
          for (const [index, { at, words: text, damage }] of chunks.entries()) {
            // Mostly one after the other in one layout, as services do.
            const how = layouts[index % 7 < 5 ? 0 : at] ?? layouts[0];
            if (how === undefined) continue;
            const called = [{ index: 0, function: { arguments: text } }];
            const parts = how.field === 'arguments' ? { tool_calls: called } : { [how.field]: text };
            const choice = { index: 0, [how.isWhole ? 'message' : 'delta']: parts, finish_reason: how.finish };
            const sent = { id: 'c', model: how.model, choices: [choice], ...how.extra };
            const data = JSON.stringify(sent, null, how.isPadded ? 1 : 0) + damage;
            const known = plain.read(data);
            const whole = readChunk(parseJson(data));
            if (known !== undefined) {
              spared++;
              assert.deepEqual(known, whole);
            } else if (whole !== undefined) plain.learn(data, whole);
          }
        },
      ),
      { numRuns: times(500, 20_000) },
    );
    assert.ok(spared > 100);
  });

  it('S5 P1 spare parsing in the forms in which services send words', () => {
    const said = ['The', ' "quoted"', '\n\tback\\slash', ' – 数据 🙂', '}', ' end'];
    const base = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'svc/m' };
    const forms: Record<string, (words: string) => unknown> = {
      text: (content) => ({ ...base, choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null }),
      'reasoning beside empty text': (words) => ({
        choices: [{ delta: { content: null, reasoning_content: words }, finish_reason: null, index: 0 }],
        ...base,
      }),
      'reasoning on a channel': (reasoning) => ({ ...base, choices: [{ delta: { reasoning, channel: 'analysis' } }] }),
      arguments: (words) => ({
        ...base,
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: words } }] } }],
      }),
      'several words': (words) => ({ ...base, choices: [{ delta: { content: `${words} and${words}` } }], p: 'abc' }),
    };
    for (const [name, formOf] of Object.entries(forms)) {
      const plain = createPlainChunks();
      let parsed = 0;
      for (let index = 0; index < 60; index++) {
        const data = JSON.stringify(formOf(said[index % said.length] ?? ''));
        const whole = readChunk(parseJson(data)) ?? assert.fail();
        const known = plain.read(data);
        if (known === undefined) {
          parsed += 1;
          plain.learn(data, whole);
        } else assert.deepEqual(known, whole);
      }
      assert.equal(parsed, 1, name);
    }
  });

  it('S5 looks for what chunks share ever more seldom where they share nothing', () => {
    const plain = createPlainChunks();
    let looks = 0;
    const chunk = { finish: '', text: 'a', reasoning: '', calls: [], whole: false, last: false };
    for (let index = 0; index < 1000; index++) {
      const data = `{"n":${index},"choices":[{"delta":{"content":"a"}}]}`;
      assert.equal(plain.read(data), undefined);
      plain.learn(data, {
        ...chunk,
        get text() {
          looks++;
          return 'a';
        },
      });
    }
    assert.ok(looks < 200, String(looks));
  });
});
