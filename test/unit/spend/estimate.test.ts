import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { calibrate, createEstimator, estimatePromptTokens, estimateTokens } from '../../../src/spend/estimate.ts';

const model = 'svc/kimi-k3';
const request = { model, messages: [{ role: 'user' as const, text: 'x'.repeat(3500) }] };
const usage = (promptTokens: number, estimated = false) => ({
  promptTokens,
  completionTokens: 1,
  totalTokens: promptTokens + 1,
  estimated,
});

describe('estimate', () => {
  it('W02 takes 3.5 characters for a token', () => {
    assert.equal(estimateTokens('x'.repeat(35)), 10);
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('x'), 1);
  });

  it('S13 counts the history, the tools, the calls and the reasoning that are sent again', () => {
    const bare = estimatePromptTokens({ messages: [{ role: 'user', text: 'hello' }] });
    const withAnswer = estimatePromptTokens({
      messages: [
        { role: 'user', text: 'hello' },
        {
          role: 'assistant',
          text: 'y'.repeat(35),
          reasoning: 'z'.repeat(70),
          model,
          toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"src/a.ts"}' }],
        },
      ],
      tools: [{ name: 'read_file', description: 'Reads', parameters: { type: 'object' } }],
    });
    assert.ok(withAnswer > bare + 30 + 20);
  });

  it('U2 comes close to what the service counts after some requests and shows its error', () => {
    const estimator = createEstimator(undefined);
    assert.equal(estimator.prompt(request).error, undefined);
    for (let n = 0; n < 20; n++) estimator.learn(request, usage(1300));
    const { tokens, error = 1 } = estimator.prompt(request);
    assert.ok(Math.abs(tokens - 1300) <= 2, `${tokens}`);
    assert.ok(error < 0.01);
    assert.equal(estimator.prompt({ ...request, model: 'svc/other' }).error, undefined);
  });

  it('U2 learns nothing from a usage that is an estimate itself', () => {
    const estimator = createEstimator(undefined);
    estimator.learn(request, usage(5000, true));
    assert.equal(estimator.prompt(request).error, undefined);
  });

  it('U2 keeps what it learned over a restart', () => {
    let stored: unknown;
    const first = createEstimator(undefined, (calibrations) => {
      stored = JSON.parse(JSON.stringify(calibrations));
    });
    first.learn(request, usage(2000));
    assert.deepEqual(createEstimator(stored).prompt(request), first.prompt(request));
  });

  it('E22 starts anew from anything that is no calibration', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        assert.ok(createEstimator({ [model]: stored }).prompt(request).tokens > 0);
        assert.ok(createEstimator(stored).prompt(request).tokens > 0);
      }),
    );
  });

  it('E06 keeps at most a hundred models', () => {
    let stored: Record<string, unknown> = {};
    const estimator = createEstimator(undefined, (calibrations) => {
      stored = calibrations;
    });
    for (let n = 0; n < 150; n++) estimator.learn({ ...request, model: `m${n}` }, usage(1000));
    assert.equal(Object.keys(stored).length, 100);
    assert.ok('m149' in stored);
  });

  it('U2 stays within bounds whatever is reported', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double())), (samples) => {
        let calibration: ReturnType<typeof calibrate>;
        for (const [estimated, reported] of samples) calibration = calibrate(calibration, estimated, reported);
        if (calibration === undefined) return;
        assert.ok(calibration.factor >= 0.2 - 1e-9 && calibration.factor <= 5 + 1e-9);
        assert.ok(calibration.error >= 0 && calibration.error <= 1);
      }),
    );
  });

  describe('H17 an input that the service cut', () => {
    const asked = (characters: number) => ({
      model: 'm',
      messages: [{ role: 'user' as const, text: 'x'.repeat(characters) }],
    });
    const counted = (promptTokens: number) => ({
      promptTokens,
      completionTokens: 1,
      totalTokens: promptTokens + 1,
      estimated: false,
    });
    const proved = () => {
      const estimator = createEstimator(undefined);
      for (const tokens of [1000, 1100, 1200, 1300]) estimator.learn(asked(tokens * 3.5), counted(tokens));
      return estimator;
    };

    it('H17 is seen by a count far below a proved estimate, with both numbers', () => {
      const estimator = proved();
      const cut = estimator.learn(asked(35_000), counted(6000));
      assert.ok(cut && cut.sentTokens > 9500 && cut.sentTokens < 10_500);
      assert.equal(cut.countedTokens, 6000);
      assert.equal(estimator.longest('m'), 1300);
    });

    it('H17 teaches the estimate nothing', () => {
      const estimator = proved();
      const before = estimator.prompt(asked(3500));
      estimator.learn(asked(35_000), counted(6000));
      assert.deepEqual(estimator.prompt(asked(3500)), before);
    });

    it('H17 is not believed of an estimate without practice, nor of a bad one', () => {
      assert.equal(createEstimator(undefined).learn(asked(35_000), counted(2000)), undefined);
      const wild = createEstimator(undefined);
      for (const tokens of [500, 2000, 400, 2500]) wild.learn(asked(3500), counted(tokens));
      assert.equal(wild.learn(asked(35_000), counted(2000)), undefined);
    });

    it('H17 is not believed of a request that is no longer than one which was counted whole: that is learned', () => {
      const estimator = proved();
      const before = estimator.prompt(asked(3500)).tokens;
      assert.equal(estimator.learn(asked(3500), counted(500)), undefined);
      assert.ok(estimator.prompt(asked(3500)).tokens < before);
    });

    it('H17 the longest whole input is kept over a restart', () => {
      let saved: unknown;
      const estimator = createEstimator(undefined, (all) => {
        saved = all;
      });
      estimator.learn(asked(3500), counted(1000));
      assert.equal(createEstimator(saved).longest('m'), 1000);
    });
  });

  it('S24 learns what an image counts for from what stands above the text, and says until then that it does not know', () => {
    const estimator = createEstimator(undefined);
    const image = { hash: 'a', mediaType: 'image/png' as const, width: 1000, height: 750, bytes: 1, label: 'a.png' };
    const withImage = { model, messages: [{ role: 'user' as const, text: 'x'.repeat(3500), images: [image] }] };
    assert.deepEqual(estimator.images(model, [image]), { tokens: 1000, assumed: true });
    estimator.learn(withImage, usage(1304), 1);
    assert.equal(estimator.images(model, [image]).assumed, true, 'nothing is known of the text yet');
    estimator.learn(request, usage(1004));
    estimator.learn(withImage, usage(1304), 1);
    assert.deepEqual(estimator.images(model, [image]), { tokens: 300 });
    assert.equal(estimator.prompt(withImage).tokens, 1304);
    assert.equal(estimator.prompt(request).tokens, 1004, 'the text is counted as before');
    assert.equal(estimator.prompt({ ...withImage, model: 'svc/other' }).assumed, true);
  });

  it('S24 an image that was not sent teaches nothing about images', () => {
    let saved: unknown;
    const estimator = createEstimator(undefined, (calibrations) => {
      saved = calibrations;
    });
    const image = { hash: 'a', mediaType: 'image/png' as const, width: 1000, height: 750, bytes: 1, label: 'a.png' };
    const messages = [{ role: 'user' as const, text: 'x'.repeat(3500), images: [image, image] }];
    estimator.learn(request, usage(1004));
    estimator.learn({ model, messages }, usage(1004));
    estimator.learn({ model, messages }, usage(1304), 1);
    assert.equal(estimator.images(model, [image]).assumed, true);
    estimator.learn({ model, messages }, usage(1604), 2);
    assert.deepEqual(createEstimator(saved).images(model, [image]), { tokens: 300 }, 'kept');
  });
});
