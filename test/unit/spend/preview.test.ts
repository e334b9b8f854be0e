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
          // Each of the six is rounded up, and at the two seams of the message a word or a run of signs may be cut.
          const seams = 4 * Math.max(1, factor);
          assert.ok(Math.abs(price.tokens - whole.tokens) <= 6 + 2 * seams, `${price.tokens} ${whole.tokens}`);
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

  it('U2 follows the calibration of its model, and says how far off it may be, more narrowly once it has practice', () => {
    const draft = 'some words '.repeat(500);
    const preview = createPreview(createEstimator({ [model]: calibrated(2) }));
    const plain = createPreview(createEstimator(undefined))(parts({ draft }));
    const known = preview(parts({ draft }));
    assert.ok(plain.error > 0.1 && plain.error < 0.3, `${plain.error}`);
    assert.ok(known.error > 0.01 && known.error < plain.error / 2, `${known.error}`);
    assert.ok(Math.abs(known.parts.draft - plain.parts.draft * 2) <= 1);
    assert.deepEqual(preview(parts({ draft, model: 'svc/glm-5.3' })), plain);
  });

  it('U2 counts everything anew after a reply taught the estimator', () => {
    const estimator = createEstimator(undefined);
    const preview = createPreview(estimator);
    const words = 'some words '.repeat(100);
    const history: HistoryMessage[] = [{ role: 'user', text: words }];
    const overhead = { system: words, rules: words, tools };
    const { parts: before } = preview(parts({ history, overhead }));
    const request = { model, messages: [{ role: 'user' as const, text: words.repeat(20) }] };
    estimator.learn(request, 3 * estimator.prompt(request).tokens);
    // The host asks for both again when a turn has ended.
    const { parts: after } = preview(parts({ history: [...history], overhead: { ...overhead } }));
    for (const category of ['history', 'rules', 'tools'] as const) {
      assert.ok(after[category] > before[category] * 2, category);
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
    const known = createEstimator({ [model]: calibrated(1, { image: 0.5 }) });
    const learned = createPreview(known)(parts({ images: [image] }));
    assert.deepEqual([learned.parts.attachments, learned.assumed], [500, undefined]);
  });
});
