import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { receiptOf } from '../../../src/shared/chat/receipt.ts';
import { requestRows } from '../../../src/shared/chat/request-rows.ts';
import { attempt, stepFinished } from '../conversation/samples.ts';

const usage = (promptTokens: number, completionTokens: number) => ({
  ...{ promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, estimated: false },
});
const row = (promptTokens: number, completionTokens: number, reasoningTokens = 0) =>
  requestRows(
    stepFinished('t', { attempts: [attempt({ usage: usage(promptTokens, completionTokens), reasoningTokens })] }),
  );

describe('the receipt of an answer', () => {
  it('U22 divides what was paid, to the token: what was sent again, thinking, and the answer', () => {
    const rows = [
      ...row(20_000, 900, 700),
      ...row(21_000, 500),
      ...requestRows({
        ...{ type: 'subagentPaid', turnId: 't', step: 1, callId: 'c', estimatedMicroUsd: 0, maxMicroUsd: 0 },
        attempts: [
          attempt({ usage: usage(3000, 100) }),
          attempt({ outcome: 'failed', charge: 'no', usage: usage(9, 9) }),
        ],
      }),
    ];
    const { lines, savedByCompacting } = receiptOf(rows, { overhead: 4000, history: 36_000, steps: 1000 });
    assert.deepEqual(
      lines.map(({ line, tokens }) => `${line} ${tokens}`),
      ['overhead 4000', 'history 36000', 'steps 1000', 'others 3000', 'thinking 700', 'reply 800'],
    );
    assert.equal(
      lines.reduce((sum, { tokens }) => sum + tokens, 0),
      rows.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0),
    );
    // Of 18,000 tokens a request, 14,000 are old: twice 12,800 less, for 15,200 once.
    assert.equal(savedByCompacting, 10_400);
  });

  it('U22 tells no saving where there is none, and nothing that was not paid', () => {
    assert.equal(receiptOf(row(9000, 10), { overhead: 500, history: 8500, steps: 0 }).savedByCompacting, 0);
    assert.deepEqual(receiptOf([], undefined), { lines: [], savedByCompacting: 0 });
    assert.deepEqual(receiptOf(row(7, 3), undefined).lines, [
      { line: 'others', tokens: 7 },
      { line: 'reply', tokens: 3 },
    ]);
  });
});
