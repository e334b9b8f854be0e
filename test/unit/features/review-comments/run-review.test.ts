import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import * as z from 'zod/mini';
import { defineTool } from '../../../../src/agent/tool.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { changedLines } from '../../../../src/features/review-comments/core/changed-lines.ts';
import { type ReviewAsk, reviewRequest, runReview } from '../../../../src/features/review-comments/core/run-review.ts';
import type { ChatRequest, ReplyCall, ServiceClient, StreamResult } from '../../../../src/service/contract.ts';
import { requestMicroUsd } from '../../../../src/spend/estimate.ts';
import { paidAttempt } from '../../../support/paid-attempt.ts';
import { wholeReply } from '../../../support/whole-reply.ts';

const lines = ['const a = 1;', 'if (a = 2) stop();', 'const b = 1;'];
const hunks = changedLines('a.ts', '@@ -1,2 +1,3 @@\n const a = 1;\n+if (a = 2) stop();\n const b = 1;\n');
const fault = {
  path: 'a.ts',
  quote: 'if (a = 2) stop();',
  line: 2,
  severity: 'error',
  title: 'Assigns',
  why: 'Always true.',
};
const call = (args: object, name = 'report_finding'): ReplyCall => ({ name, arguments: JSON.stringify(args) });

describe('a review of changes', () => {
  let replies: { text?: string; calls?: ReplyCall[] }[];
  let requests: ChatRequest[];
  let looks: string[];
  let stop: AbortController;
  const ask = (): ReviewAsk => ({
    files: new Map([['a.ts', { uri: 'file:///a.ts', lines }]]),
    hunks,
    known: [],
    isDismissed: () => false,
    model: 'm',
    request: {},
    maxMicroUsd: 30_000,
    turnId: 't1',
    signal: stop.signal,
    onProgress: (title, microUsd) => looks.push(`${title} ${microUsd}`),
  });
  const refresh = defineTool({
    name: 'look',
    kind: 'read',
    description: 'Looks.',
    access: 'read',
    parameters: z.object({ at: z.number() }),
    title: ({ at }) => `Look ${at}`,
    run: async ({ at }) => ({ forModel: `seen ${at}` }),
  });
  const client: Pick<ServiceClient, 'stream'> = {
    async stream(request, _onEvent, signal): Promise<StreamResult> {
      requests.push(request);
      const { text = '', calls = [] } = replies.shift() ?? {};
      if (signal.aborted) return { outcome: 'stopped', reply: wholeReply('m'), attempts: [] };
      const reply = wholeReply('m', { text, toolCalls: calls });
      return { outcome: 'done', reply, attempts: [{ ...paidAttempt, requestId: `r${requests.length}` }] };
    },
  };
  const run = (more: Partial<ReviewAsk> = {}, estimate = 1000) => {
    let ids = 0;
    return runReview(
      {
        client,
        tools: [refresh],
        estimate: () => estimate,
        clock: systemClock,
        newId: () => `f${++ids}`,
        log: () => undefined,
      },
      { ...ask(), ...more },
    );
  };
  beforeEach(() => {
    [replies, requests, looks, stop] = [[], [], [], new AbortController()];
  });

  it('F33 ends with the finding that says it is the last: one request, entered as a review', async () => {
    replies = [{ calls: [call({ ...fault, replacement: 'if (a === 2) stop();', last: true })] }];
    const { outcome, findings, attempts } = await run();
    assert.equal(outcome, 'finished');
    assert.deepEqual(
      findings.map(({ uri, anchor, replacement }) => [uri, anchor.first, replacement]),
      [['file:///a.ts', 1, ['if (a === 2) stop();']]],
    );
    assert.deepEqual([requests.length, attempts.length], [1, 1]);
    const [{ surface, messages, tools } = assert.fail()] = requests;
    assert.equal(surface, 'review');
    assert.match(messages[1]?.text ?? '', /File: a\.ts\n {4}1 {2}const a = 1;\n {4}2 \+if \(a = 2\) stop\(\);/);
    assert.deepEqual(
      tools?.map(({ name }) => name),
      ['look', 'report_finding'],
    );
  });

  it('F33 tells a lying quote once and then lists the finding without a place', async () => {
    const lie = { ...fault, quote: 'if (c = 3) stop();' };
    replies = [{ calls: [call(lie)] }, { calls: [call(lie)] }, { text: 'Done.' }];
    const { findings, unplaced } = await run();
    assert.deepEqual([findings.length, unplaced.map(({ title }) => title)], [0, ['Assigns']]);
    const told = requests[1]?.messages.at(-1);
    assert.match(told?.role === 'tool' ? told.text : '', /the quote is not in a\.ts/);
    assert.match(JSON.stringify(requests[2]?.messages), /Noted\./);
  });

  it('F33 looks at most seven times: the eighth request has to report, and is offered nothing else', async () => {
    replies = Array.from({ length: 7 }, (_, at) => ({ calls: [call({ at }, 'look')] }));
    replies.push({ calls: [call({ ...fault, last: true })] });
    const { outcome, findings } = await run();
    assert.deepEqual([outcome, findings.length, requests.length], ['finished', 1, 8]);
    assert.deepEqual(
      requests[7]?.tools?.map(({ name }) => name),
      ['report_finding'],
    );
    assert.match(requests[7]?.messages.at(-1)?.text ?? '', /Report what you found now/);
    assert.deepEqual(looks.slice(0, 2), ['Look 0 330', 'Look 1 660']);
  });

  it('F33 asks for the report before the price that it may reach', async () => {
    replies = [{ calls: [call({ at: 1 }, 'look')] }, { calls: [call({ ...fault, last: true })] }];
    // Two requests of 4,000 tokens and a look of as many are $0.0040.
    const { findings } = await run({ maxMicroUsd: 4200 });
    assert.deepEqual(
      requests.map(({ tools }) => tools?.length),
      [2, 1],
    );
    assert.equal(findings.length, 1);
  });

  it('F33 keeps what was found when it is stopped or fails, and what it cost', async () => {
    replies = [{ calls: [call(fault)] }];
    const { outcome, findings, attempts } = await run({
      onProgress: () => stop.abort(),
    });
    assert.equal(outcome, 'stopped');
    assert.deepEqual([findings.length, attempts.length], [1, 1]);
  });

  it('F33 the least price is that of one request with its report', () => {
    const request = reviewRequest({ ...ask(), tools: [refresh] });
    assert.equal(request.maxTokens, 3000);
    assert.equal(requestMicroUsd({ prompt: () => ({ tokens: 6000, error: 0 }) }, request), 2145);
  });
});
