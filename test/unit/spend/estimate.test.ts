import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { cacheFeatures, featuresOf } from '../../../src/service/token-features.ts';
import { textClasses } from '../../../src/service/token-rates.ts';
import { estimatePromptTokens, estimateTokens, promptTokens } from '../../../src/service/tokens.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { type Calibration, calibrate, predict } from '../../../src/spend/calibration.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';

const model = 'svc/kimi-k3';
const words = (count: number) => 'some words '.repeat(count / 2);
const russian = (count: number) => 'несколько слов '.repeat(count / 2);
const asked = (text: string, of = model) => ({ model: of, messages: [{ role: 'user' as const, text }] });
const request = asked(words(1000));

describe('estimate', () => {
  it('W02 counts by script: a Chinese character is most of a token, a Latin word about one', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('x'), 2);
    assert.equal(estimateTokens(words(100)), 106);
    const chinese = estimateTokens('请解释这个函数'.repeat(10));
    assert.ok(chinese > 35 && chinese < 56, `${chinese}`);
    assert.ok(
      estimateTokens('{"a":[1,2],"b":{"c":null}}'.repeat(10)) > estimateTokens('a sentence of some words. '.repeat(10)),
    );
  });

  it('U2 reads a text once, in steps linear in its length, however often the history is counted', () => {
    let read = 0;
    const shapes = cacheFeatures((text) => {
      read += text.length;
      return featuresOf(text);
    });
    const counting = createEstimator(undefined, undefined, shapes);
    const messages: HistoryMessage[] = [];
    let written = 0;
    for (let n = 0; n < 300; n++) {
      const text = `${n} ${words(200)}`;
      written += text.length;
      messages.push({ role: 'user', text });
      // What comes back from the store is another object with the same text.
      counting.prompt({ model, messages: messages.map((message) => ({ ...message })) });
      counting.learn({ model, messages }, 400 * (n + 1));
    }
    assert.equal(read, written);
  });

  it('S13 counts the history, the tools, the calls and the reasoning that are sent again', () => {
    const bare = estimatePromptTokens({ model, messages: [{ role: 'user', text: 'hello' }] });
    const answer = (writer: string): HistoryMessage => ({
      role: 'assistant',
      text: words(10),
      reasoning: words(20),
      model: writer,
      toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"src/a.ts"}' }],
    });
    const tools = [{ name: 'read_file', description: 'Reads', parameters: { type: 'object' } }];
    const sized = (writer: string) =>
      estimatePromptTokens({ model, messages: [{ role: 'user', text: 'hello' }, answer(writer)], tools });
    assert.ok(sized(model) > bare + 10 + 20 + 10);
    assert.ok(sized('svc/glm-5.3') <= sized(model) - 20, 'reasoning of another model is not sent');
  });

  it('U2 comes close to what the service counts after some requests and says how close', () => {
    const estimator = createEstimator(undefined);
    const { error: before } = estimator.prompt(request);
    for (let n = 0; n < 20; n++) estimator.learn(request, 1300);
    const { tokens, error } = estimator.prompt(request);
    assert.ok(Math.abs(tokens - 1300) <= 5, `${tokens}`);
    assert.ok(error < before / 2 && error < 0.06, `${error}`);
    assert.equal(estimator.prompt({ ...request, model: 'svc/other' }).error, before);
  });

  it('U2 lets a new script take the blame for itself, and the old one keep what it learned', () => {
    const estimator = createEstimator(undefined);
    for (let n = 1; n <= 10; n++) estimator.learn(asked(words(200 * n)), 250 * n);
    const before = estimator.prompt(request).tokens;
    const count = 2500 + 3 * estimator.text(model, russian(1000)).tokens;
    for (let n = 0; n < 4; n++) estimator.learn(asked(words(2000) + russian(1000)), count);
    assert.ok(Math.abs(estimator.prompt(request).tokens / before - 1) < 0.05);
    const tokens = estimator.prompt(asked(words(2000) + russian(1000))).tokens;
    assert.ok(Math.abs(tokens / count - 1) < 0.05, `${tokens} of ${count}`);
  });

  it('U2 keeps what it learned over a restart', () => {
    let stored: unknown;
    const first = createEstimator(undefined, (calibrations) => {
      stored = JSON.parse(JSON.stringify(calibrations));
    });
    first.learn(request, 2000);
    assert.deepEqual(createEstimator(stored).text(model, words(500)), first.text(model, words(500)));
  });

  it('E22 starts anew from anything that is no calibration, and keeps sizes that stand alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        for (const estimator of [createEstimator({ [model]: stored }), createEstimator(stored)]) {
          const { tokens, error } = estimator.prompt(request);
          assert.ok(tokens > 0 && error >= 0 && error <= 1);
        }
      }),
    );
    const earlier = createEstimator({ [model]: { factor: 2, error: 0.1, samples: 9, whole: 5000, image: 0.5 } });
    assert.deepEqual(earlier.prompt(request), createEstimator(undefined).prompt(request));
    assert.equal(earlier.longestRequest(model), 5000);
  });

  it('E06 the calibration of at most a hundred models is kept', () => {
    let stored: Record<string, unknown> = {};
    const estimator = createEstimator(undefined, (calibrations) => {
      stored = calibrations;
    });
    for (let n = 0; n < 150; n++) estimator.learn({ ...request, model: `m${n}` }, 1000);
    assert.equal(Object.keys(stored).length, 100);
    assert.ok('m149' in stored);
  });

  it('U2 stays within bounds whatever is reported', () => {
    const texts = fc.constantFrom(words(100), russian(100), '请解释这个函数', '{"a":[1,2]}', '');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(texts, { minLength: 1 }), fc.double())), (samples) => {
        let calibration: Calibration | undefined;
        for (const [parts, reported] of samples) {
          const classes = promptTokens(asked(parts.join('\n')));
          calibration = calibrate(calibration, { model, classes }, reported);
          const { tokens, error } = predict(calibration, model, classes);
          assert.ok(tokens > 0 && Number.isFinite(tokens) && error >= 0 && error <= 1);
        }
        for (const { factor, deviation } of Object.values(calibration?.factors ?? {})) {
          assert.ok(factor >= 0.2 && factor <= 5 && deviation >= 0 && deviation <= 1);
        }
      }),
    );
  });

  describe('H17 an input that the service cut', () => {
    const proved = (save?: (all: Record<string, unknown>) => void) => {
      const estimator = createEstimator(undefined, save);
      for (const tokens of [1000, 1100, 1200, 1300]) estimator.learn(asked(words(tokens)), tokens);
      return estimator;
    };

    it('H17 is told when a proved estimate is missed by far twice in a row, with both numbers', () => {
      const estimator = proved();
      assert.equal(estimator.learn(asked(words(10_000)), 4000), undefined, 'once may be chance');
      const cut = estimator.learn(asked(words(10_000)), 4000);
      assert.ok(cut && cut.sentTokens > 9000 && cut.sentTokens < 10_500, `${cut?.sentTokens}`);
      assert.equal(cut.countedTokens, 4000);
      assert.equal(estimator.longestRequest(model), 1300);
    });

    it('H17 a count that fits in between starts the counting anew', () => {
      const estimator = proved();
      for (let n = 0; n < 3; n++) {
        assert.equal(estimator.learn(asked(words(10_000)), 4000), undefined);
        assert.equal(estimator.learn(asked(words(1200)), 1200), undefined);
      }
    });

    it('H17 teaches the estimate little at once, and all of it when it stays so', () => {
      const estimator = proved();
      const { tokens: before } = estimator.prompt(request);
      estimator.learn(asked(words(10_000)), 4000);
      assert.ok(estimator.prompt(request).tokens > 0.85 * before);
      for (let n = 0; n < 40; n++) estimator.learn(asked(words(10_000)), 4000);
      const { tokens } = estimator.prompt(asked(words(10_000)));
      assert.ok(tokens < 4400, `${tokens}`);
    });

    it('H17 is not believed of an estimate without practice, nor of a bad one', () => {
      const fresh = createEstimator(undefined);
      for (let n = 0; n < 2; n++) assert.equal(fresh.learn(asked(words(10_000)), 2000), undefined);
      const wild = createEstimator(undefined);
      for (const tokens of [500, 2000, 400, 2500]) wild.learn(request, tokens);
      for (let n = 0; n < 2; n++) assert.equal(wild.learn(asked(words(10_000)), 8000), undefined);
    });

    it('H17 is not believed of a request that is no longer than one which was counted whole: that is learned', () => {
      const estimator = proved();
      const before = estimator.prompt(request).tokens;
      for (let n = 0; n < 3; n++) assert.equal(estimator.learn(request, 500), undefined);
      assert.ok(estimator.prompt(request).tokens < before);
    });

    it('H22 is never concluded from a change of language, which is learned instead', () => {
      const others = [
        'несколько слов ',
        'λίγες λέξεις ',
        'بعض الكلمات ',
        'כמה מילים ',
        'कुछ शब्द ',
        'คำบางคำ',
        '一些单词',
        'いくつかの言葉',
        '몇 단어 ',
        'ein paar Wörter ',
      ];
      fc.assert(
        fc.property(
          fc.constantFrom('svc/deepseek-v4-pro', 'svc/qwen-3.8-27b', 'svc/glm-5.3'),
          fc.constantFrom(...others),
          fc.double({ min: 0.2, max: 3, noNaN: true }),
          (of, phrase, times) => {
            const estimator = createEstimator(undefined);
            const plain = (text: string) => estimateTokens(text, of);
            for (let n = 1; n <= 10; n++) estimator.learn(asked(words(200 * n), of), 212 * n + 4);
            const changed = (n: number) => {
              const messages = [words(2000), phrase.repeat(400 * n)].map((text) => ({ role: 'user' as const, text }));
              return {
                request: { model: of, messages },
                real: 2128 + Math.round(times * plain(phrase.repeat(400 * n))),
              };
            };
            for (let n = 1; n <= 12; n++) {
              const { request: next, real } = changed(n);
              assert.equal(estimator.learn(next, real), undefined, `${phrase} ${n}`);
            }
            const { request: next, real } = changed(13);
            const { tokens } = estimator.prompt(next);
            assert.ok(Math.abs(tokens / real - 1) < 0.06, `${phrase}: ${tokens} of ${real}`);
          },
        ),
        { numRuns: 200 },
      );
    });

    it('H17 the longest whole input is kept over a restart', () => {
      let saved: unknown;
      proved((all) => {
        saved = all;
      });
      assert.equal(createEstimator(saved).longestRequest(model), 1300);
    });
  });

  const image = { hash: 'a', mediaType: 'image/png' as const, width: 1000, height: 750, bytes: 1, label: 'a.png' };

  it('S24 learns what an image counts for from what stands above the text, and says until then that it does not know', () => {
    const estimator = createEstimator(undefined);
    const withImage = { model, messages: [{ role: 'user' as const, text: words(1000), images: [image] }] };
    assert.deepEqual(estimator.images(model, [image]), { tokens: 1000, assumed: true });
    estimator.learn(withImage, 1304, 1);
    assert.equal(estimator.images(model, [image]).assumed, true, 'nothing is known of the text yet');
    for (let n = 0; n < 9; n++) estimator.learn(request, 1004);
    const text = estimator.prompt(request).tokens;
    estimator.learn(withImage, text + 300, 1);
    const { tokens, assumed } = estimator.images(model, [image]);
    assert.ok(Math.abs(tokens - 300) <= 1 && assumed === undefined);
    assert.ok(Math.abs(estimator.prompt(withImage).tokens - text - 300) <= 1);
    assert.equal(estimator.prompt(request).tokens, text, 'the text is counted as before');
    assert.equal(estimator.prompt({ ...withImage, model: 'svc/other' }).assumed, true);
  });

  it('S24 an image that was not sent teaches nothing about images', () => {
    let saved: unknown;
    const estimator = createEstimator(undefined, (calibrations) => {
      saved = calibrations;
    });
    const messages = [{ role: 'user' as const, text: words(1000), images: [image, image] }];
    for (let n = 0; n < 9; n++) estimator.learn(request, 1004);
    estimator.learn({ model, messages }, 1304, 1);
    assert.equal(estimator.images(model, [image]).assumed, true);
    estimator.learn({ model, messages }, estimator.prompt(request).tokens + 600, 2);
    const { tokens } = createEstimator(saved).images(model, [image]);
    assert.ok(Math.abs(tokens - 300) <= 1, 'kept');
  });

  it('has a doubt and a place for every class', () => {
    const { tokens, error } = predict(undefined, model, new Float64Array(textClasses.length).fill(100));
    assert.equal(Math.round(tokens), 100 * textClasses.length);
    assert.ok(error > 0.1 && error < 1);
  });
});
