import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLiveHistory, createPricePreview, type PricePreviewDeps } from '../../../src/chat/price-preview.ts';
import { estimateTokens } from '../../../src/service/tokens.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import type { Attachment, HistoryMessage } from '../../../src/shared/messages.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import type { Overhead } from '../../../src/spend/preview.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import { cost } from '../../panel/fixtures.ts';

const model = 'svc/kimi-k3';

function answered(turnId: string, question: string, answer: string): DurableEvent[] {
  return [
    { type: 'userMessage', id: `m-${turnId}`, at: 1, text: question, attachments: [] },
    { type: 'turnStarted', turnId, at: 1, model },
    {
      type: 'stepFinished',
      turnId,
      step: 1,
      requestedModel: model,
      model,
      text: answer,
      reasoning: '',
      toolCalls: [],
      finish: 'stop',
      complete: true,
      attempts: [],
    },
    { type: 'turnEnded', turnId, at: 2, outcome: 'finished', cost: cost() },
  ];
}

function setUp(events: DurableEvent[] = [], change: Partial<PricePreviewDeps> = {}) {
  const now = { draft: '', attachments: [] as readonly Attachment[], running: false, note: '' };
  const seen = { economised: [] as (readonly HistoryMessage[])[], overhead: 0 };
  const live = createLiveHistory(events);
  const overhead: Overhead = { system: 'You are', rules: 'Use tabs.', tools: [] };
  const price = createPricePreview({
    estimator: createEstimator(undefined),
    model: () => model,
    draft: () => now.draft,
    attachments: () => now.attachments,
    history: () => live,
    running: () => now.running,
    toSent(messages) {
      seen.economised.push(messages);
      return messages;
    },
    overhead() {
      seen.overhead++;
      return overhead;
    },
    note: () => now.note,
    contextWindowOf: () => undefined,
    takesImages: () => true,
    compactionEstimate: () => undefined,
    expand: (draft) => draft,
    ...change,
  });
  return { price, now, seen, live };
}

describe('the price of the next message', () => {
  it('U1 the price of a first message has no history in it', () => {
    const { price } = setUp();
    const { parts, limit } = price('all');
    assert.equal(parts.history, 0);
    assert.ok(parts.rules > 0 && parts.tools > 0);
    assert.equal(limit, undefined);
  });

  it('U1 F21 weighs the rules by all that the conversation holds, whatever of it is sent again', () => {
    const asked: number[] = [];
    const { price } = setUp(answered('t1', 'question', 'answer'), {
      toSent: (messages) => messages.slice(-1),
      overhead(history) {
        asked.push(history.length);
        return { system: '', rules: '', tools: [] };
      },
    });
    price('all');
    assert.deepEqual(asked, [3]);
  });

  it('U1 counts what will be sent of the history, without the message that is being written', () => {
    const { price, seen } = setUp(answered('t1', 'question', 'x'.repeat(7000)));
    assert.ok(price('all').parts.history > 2000);
    assert.deepEqual(
      seen.economised.map((messages) => messages.map(({ role }) => role)),
      [['user', 'assistant', 'user']],
    );
    const { price: economised } = setUp(answered('t1', 'question', 'x'.repeat(7000)), {
      toSent: (messages) => messages.slice(-1),
    });
    assert.equal(economised('all').parts.history, 0);
  });

  it('U1 F3 counts only what stands before an earlier message that is written anew', () => {
    const events = [...answered('t1', 'first', 'x'.repeat(3500)), ...answered('t2', 'second', 'y'.repeat(7000))];
    let replaces: string | undefined;
    const { price } = setUp(events, { replaces: () => replaces });
    const whole = price('all').parts.history;
    replaces = 'm-t2';
    const before = price('draft').parts.history;
    assert.ok(before > 1000 && before < 1100, `${before}`);
    assert.ok(whole > before + 2000);
    replaces = 'm-t1';
    assert.equal(price('draft').parts.history, 0);
    replaces = undefined;
    assert.equal(price('draft').parts.history, whole);
  });

  it('U1 H18 counts the note that the message will carry', () => {
    const { price, now } = setUp(answered('t1', 'question', 'answer'));
    const before = price('all');
    now.note = 'x'.repeat(350);
    const after = price('draft');
    assert.equal(after.parts.history - before.parts.history, estimateTokens(now.note));
    assert.equal(after.parts.draft, before.parts.draft);
  });

  it('U1 asks for nothing but the draft while it is typed', () => {
    const { price, now, seen } = setUp(answered('t1', 'question', 'answer'));
    const before = price('all');
    now.draft = 'x'.repeat(350);
    const after = price('draft');
    assert.equal(after.tokens - before.tokens, estimateTokens(now.draft));
    assert.equal(seen.economised.length, 1);
    assert.equal(seen.overhead, 1);
  });

  it('U1 counts attachments as they will stand in the message, and a slash command as its text', () => {
    const { price, now } = setUp([], { expand: (draft) => (draft === '/review' ? 'y'.repeat(350) : draft) });
    const before = price('all');
    now.attachments = [{ id: 'a', label: 'src/a.ts', text: 'z'.repeat(3500) }];
    now.draft = '/review';
    const { parts } = price('draft');
    assert.ok(parts.attachments > 1000 && parts.attachments < 1030);
    assert.equal(parts.draft - before.parts.draft, estimateTokens('y'.repeat(350)));
  });

  it('U1 U13 counts the history once for each of its versions, and not anew while a turn runs', () => {
    const { price, now, seen, live } = setUp();
    price('all');
    now.running = true;
    for (const event of answered('t1', 'question', 'x'.repeat(3500))) {
      live.add(event);
      assert.equal(price('all').parts.history, 0, event.type);
    }
    assert.equal(seen.economised.length, 1);
    now.running = false;
    assert.ok(price('all').parts.history > 1000);
    for (const changed of ['draft', 'all'] as const) price(changed);
    assert.equal(seen.economised.length, 2);
  });

  it('U13 counts the summary instead of what was compacted', () => {
    const { price, live } = setUp(answered('t1', 'question', 'x'.repeat(35_000)));
    assert.ok(price('all').parts.history > 10_000);
    live.add({ type: 'compacted', turnId: 'k', summary: 'Short.', tokensBefore: 10_000, tokensAfter: 10 });
    assert.ok(price('all').parts.history < 100);
  });

  it('H17 the price of the next message names a limit and who set it', () => {
    const limit = { tokens: 8000, by: 'set' } as const;
    assert.deepEqual(setUp([], { contextWindowOf: () => limit }).price('all').limit, limit);
  });

  it('U3 tells the price of the history, and a saving that is worth a sentence', () => {
    const compactionEstimate = (savedTokens: number) => () => ({
      tokens: 5000,
      priceMicroUsd: 1650,
      savedTokens,
      savedMicroUsd: 990,
      paysAfterRequests: 2,
    });
    const events = answered('t1', 'question', 'x'.repeat(7000));
    const { historyMicroUsd, parts, compact } = setUp(events, { compactionEstimate: compactionEstimate(3000) }).price(
      'all',
    );
    assert.equal(historyMicroUsd, costMicroUsd(parts.history));
    assert.deepEqual(compact, { priceMicroUsd: 1650, savedTokens: 3000, savedMicroUsd: 990, paysAfterRequests: 2 });
    assert.equal(setUp(events, { compactionEstimate: compactionEstimate(900) }).price('all').compact, undefined);
  });
});
