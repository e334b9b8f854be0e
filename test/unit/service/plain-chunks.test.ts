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
  field: fc.constantFrom('content', 'content', 'content', 'reasoning_content', 'refusal', 'role'),
  model: fc.constantFrom('svc/m', undefined, 'a'),
  finish: fc.constantFrom(null, null, null, 'stop', ''),
  extra: fc.constantFrom(undefined, { usage: { prompt_tokens: 1 } }, { logprobs: { content: 'a' } }, { error: 'a' }),
  isPadded: fc.boolean(),
  isWhole: fc.constantFrom(false, false, false, true),
});
const chunk = fc.record({ at: fc.nat(2), words, damage: fc.constantFrom('', '', '', '}', 'x') });

describe('chunks that differ in plain words alone', () => {
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
            const parts = { [how.field]: text };
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
