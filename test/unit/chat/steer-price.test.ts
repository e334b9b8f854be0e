import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createSteerPrice } from '../../../src/chat/steer-price.ts';
import { createStepEstimate } from '../../../src/chat/step-estimate.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { ChatRequest } from '../../../src/service/contract.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { costMicroUsd, noCost } from '../../../src/spend/price.ts';
import { attempt, stepFinished } from '../conversation/samples.ts';

const model = 'svc/glm-5.3';

function stepEstimate(mode = 'agent') {
  const values = new Map<string, unknown>();
  const usual = createStepEstimate(
    {
      get: <T>(key: string) => values.get(key) as T | undefined,
      update: async (key, value) => void values.set(key, value),
    },
    () => mode,
  );
  const turn = (steps: number, turnId = `t${steps}-${Math.random()}`) => {
    const events: ChatEvent[] = Array.from({ length: steps }, (_, at) => stepFinished(turnId, { step: at + 1 }));
    usual.follow([...events, { type: 'turnEnded', turnId, at: 1, outcome: 'finished', cost: noCost }]);
  };
  return { usual, turn, values };
}

describe('what a message usually costs', () => {
  it('U1 U2 is within 25 % of the bill from the second message on, by mode and model, whatever the model thinks', () => {
    for (const thought of [0, 500, 2000]) {
      const { usual } = stepEstimate();
      let told: number | undefined;
      const off: number[] = [];
      for (const [at, requests] of [4, 5, 4, 3, 4, 4].entries()) {
        const turnId = `t${at}`;
        const first = 4000 + 1000 * at;
        told = usual.usual(model, first);
        const totals = Array.from({ length: requests }, (_, step) => first + 600 * step + 300 + thought);
        const totalTokens = totals.reduce((sum, one) => sum + one, 0);
        usual.follow([
          ...totals.map((one, step) => {
            const usage = {
              promptTokens: first + 600 * step,
              completionTokens: 300 + thought,
              totalTokens: one,
              estimated: false,
            };
            return stepFinished(turnId, { step: step + 1, attempts: [attempt({ usage })] });
          }),
          { type: 'turnEnded', turnId, at: 1, outcome: 'finished', cost: { ...noCost, requests, totalTokens } },
        ]);
        if (at > 0) off.push(Math.abs((told ?? 0) - totalTokens) / totalTokens);
      }
      assert.ok(
        (off.toSorted((one, other) => one - other)[Math.floor(off.length / 2)] ?? 1) <= 0.25,
        `${thought}: ${off.join(' ')}`,
      );
      assert.equal(usual.usual('svc/other', 4000), undefined);
    }
  });
});

describe('the price of a word to the running turn', () => {
  it('F43 U1 is its own tokens in every request that usually follows: ten at first, then the median of the latest longer turns', () => {
    const { usual, turn, values } = stepEstimate();
    assert.equal(usual.left(3), 10);
    for (const steps of [1, 1, 1, 1, 8, 6, 12, 4]) turn(steps);
    assert.equal(usual.left(2), 10, 'four turns that were longer are too few');
    turn(30);
    assert.equal(usual.left(2), 6, 'of 6, 4, 10, 2 and 28');
    assert.equal(usual.left(20), 10);
    for (let at = 0; at < 40; at++) turn(9);
    assert.deepEqual([usual.left(1), (values.get('turnSteps') as number[]).length], [8, 20]);
  });

  it('F43 U1 counts what is attached, and the loss of Stop is the prompt that is under way', () => {
    const estimator = createEstimator(undefined);
    const request: ChatRequest = { model, surface: 'chat', messages: [{ role: 'user', text: 'word '.repeat(20_000) }] };
    const price = createSteerPrice({
      estimator,
      estimate: () => ({ tokens: 1000 }),
      stepEstimate: { left: (step) => 12 - step },
      last: (id) => (id === 'c' ? request : undefined),
    });
    const conversation = (id: string) =>
      ({
        id,
        state: () => ({ items: [{ kind: 'answer', parts: [{ type: 'text', step: 2, text: 'x' }] }] }),
      }) as unknown as Conversation;
    const message = { id: 'q', text: 'Only the tests.', attachments: [], model };
    const tokens = estimator.text(model, message.text).tokens;
    assert.equal(price.atNextStep(message, conversation('c')), costMicroUsd(tokens * 10));
    const attachments = [{ id: 'a', label: 'a.ts', text: 'x' }];
    assert.equal(price.atNextStep({ ...message, attachments }, conversation('c')), costMicroUsd((tokens + 1000) * 10));
    assert.equal(price.lostByStop(conversation('c')), costMicroUsd(estimator.prompt(request).tokens));
    assert.equal(price.lostByStop(conversation('other')), undefined);
  });
});
