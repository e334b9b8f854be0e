import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { textClasses } from '../../../src/service/token-rates.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import type { Calibration } from '../../../src/spend/calibration.ts';
import { createEstimator, type Estimator } from '../../../src/spend/estimate.ts';
import { createPreview, type PreviewParts } from '../../../src/spend/preview.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';

const model = 'svc/kimi-k3';
const tools = [{ name: 'read_file', description: 'Reads', parameters: { type: 'object' } }];
const calibrated = (factor: number, more: Partial<Calibration> = {}): Calibration => ({
  factors: Object.fromEntries(textClasses.map((name) => [name, { factor, deviation: 0.02 }])),
  samples: 3,
  spread: 1,
  ...more,
});
const parts = (change: Partial<PreviewParts> = {}): PreviewParts => ({
  model,
  draft: '',
  attachments: '',
  images: [],
  history: [],
  added: '',
  overhead: { system: 'You are', rules: '', tools },
  ...change,
});

describe('price before sending', () => {
  it('U1 adds up to what the estimator says of the whole request', () => {
    fc.assert(
      fc.property(
        fc.record({
          draft: fc.string({ maxLength: 500 }),
          attachments: fc.string({ maxLength: 500 }),
          history: fc.array(fc.record({ role: fc.constant('user' as const), text: fc.string({ maxLength: 300 }) })),
          added: fc.string({ maxLength: 300 }),
          overhead: fc.record({ system: fc.string(), rules: fc.string(), tools: fc.constant(tools) }),
        }),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (random, factor) => {
          const estimator = createEstimator({ [model]: calibrated(factor) });
          const { draft, attachments, history, added, overhead } = random;
          const price = createPreview(estimator)({ model, images: [], ...random });
          const whole = estimator.prompt({
            model,
            messages: [
              { role: 'system', text: overhead.system + overhead.rules },
              ...history,
              { role: 'user', text: added + attachments + draft },
            ],
            tools,
          });
          const sum = Object.values(price.parts).reduce((a, b) => a + b, 0);
          assert.equal(price.tokens, sum);
          assert.equal(price.microUsd, costMicroUsd(sum));
          // Each of the six is rounded up twice: to whole tokens and to whole calibrated ones.
          assert.ok(
            price.tokens >= whole.tokens && price.tokens <= whole.tokens + 18,
            `${price.tokens} ${whole.tokens}`,
          );
        },
      ),
    );
  });

  it('U1 shows nothing for what is not there', () => {
    const { parts: counted, tokens } = createPreview(createEstimator(undefined))(parts());
    assert.deepEqual([counted.attachments, counted.history, counted.rules], [0, 0, 0]);
    assert.ok(counted.tools > 0);
    assert.equal(tokens, counted.draft + counted.tools);
  });

  it('U2 follows the calibration of its model and tells the past error, once there is one', () => {
    const draft = 'x'.repeat(3500);
    const known = { [model]: { factor: 2, error: 0.07, samples: 4 } };
    const preview = createPreview(createEstimator(known));
    const plain = createPreview(createEstimator(undefined))(parts({ draft }));
    const calibrated = preview(parts({ draft }));
    assert.equal(plain.error, undefined);
    assert.equal(calibrated.error, 0.07);
    assert.equal(calibrated.parts.draft, plain.parts.draft * 2);
    const other = preview(parts({ draft, model: 'svc/glm-5.3' }));
    assert.equal(other.error, undefined);
    assert.deepEqual(other.parts, plain.parts);
  });

  it('U2 counts everything anew after a reply taught the estimator', () => {
    const estimator = createEstimator(undefined);
    const preview = createPreview(estimator);
    const history: HistoryMessage[] = [{ role: 'user', text: 'h'.repeat(700) }];
    const overhead = { system: 's'.repeat(700), rules: 'r'.repeat(700), tools };
    const { parts: before } = preview(parts({ history, overhead }));
    const request = { model, messages: [{ role: 'user' as const, text: 'x'.repeat(3486) }] };
    estimator.learn(request, { promptTokens: 2000, completionTokens: 1, totalTokens: 2001, estimated: false });
    // The host asks for both again when a turn has ended.
    const { parts: after } = preview(parts({ history: [...history], overhead: { ...overhead } }));
    for (const category of ['draft', 'history', 'rules', 'tools'] as const) {
      assert.equal(after[category], before[category] * 2, category);
    }
  });

  it('U1 counts a long history once while only the draft changes', () => {
    const estimator = createEstimator(undefined);
    let counted = 0;
    const counting: Pick<Estimator, 'prompt' | 'text' | 'images'> = {
      prompt: (request) => {
        counted += request.messages.length;
        return estimator.prompt(request);
      },
      text: estimator.text,
      images: estimator.images,
    };
    const preview = createPreview(counting);
    const history: HistoryMessage[] = Array.from({ length: 1000 }, () => ({ role: 'user', text: 'hello' }));
    const { overhead } = parts();
    const before = preview(parts({ history, overhead }));
    counted = 0;
    const after = preview(parts({ history, overhead, draft: 'a much longer draft' }));
    assert.equal(counted, 1);
    assert.equal(after.parts.history, before.parts.history);
    assert.ok(after.tokens > before.tokens);
    preview(parts({ history, overhead, model: 'svc/glm-5.3' }));
    assert.ok(counted > 1000);
  });

  it('S24 counts images that are attached or in the history, and says while that is an assumption', () => {
    const image = { hash: 'a', mediaType: 'image/png' as const, width: 1000, height: 750, bytes: 1 };
    const history: HistoryMessage[] = [{ role: 'user', text: '', images: [{ ...image, label: 'a.png' }] }];
    const preview = createPreview(createEstimator(undefined));
    const attached = preview(parts({ images: [image] }));
    assert.deepEqual([attached.parts.attachments, attached.assumed], [1000, true]);
    const earlier = preview(parts({ history }));
    assert.deepEqual([earlier.parts.history, earlier.assumed], [1004, true]);
    assert.equal(preview(parts()).assumed, undefined);
    const known = createEstimator({ [model]: { factor: 1, error: 0.1, samples: 3, image: 0.5 } });
    const learned = createPreview(known)(parts({ images: [image] }));
    assert.deepEqual([learned.parts.attachments, learned.assumed], [500, undefined]);
  });
});
