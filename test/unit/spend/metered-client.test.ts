import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatRequest, ServiceClient, StreamEvent, StreamResult } from '../../../src/service/contract.ts';
import type { Notice } from '../../../src/shared/events.ts';
import type { Attempt } from '../../../src/shared/messages.ts';
import type { BudgetLimits } from '../../../src/spend/budget.ts';
import { createEstimator, requestMicroUsd } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createMeteredClient, type MeteredClientDeps } from '../../../src/spend/metered-client.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { ledgerEntry, sampleAttempt } from './ledger-samples.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const request: ChatRequest = {
  model: 'svc/glm-5.3',
  messages: [{ role: 'user', text: 'x'.repeat(35_000) }],
  surface: 'chat',
};
const reply = wholeReply(request.model, { text: 'hi' });

/** A client whose requests end with the given attempts; `lost` are in the result but were never told as events. */
function scripted(attempts: Attempt[], lost: Attempt[] = []): ServiceClient & { sent: number } {
  const client = {
    sent: 0,
    async stream(_: ChatRequest, onEvent: (event: StreamEvent) => void): Promise<StreamResult> {
      client.sent += 1;
      for (const attempt of attempts) onEvent({ type: 'attemptEnded', attempt });
      return { outcome: 'done', reply, attempts: [...attempts, ...lost] };
    },
    complete: (asked: ChatRequest, onEvent: (event: StreamEvent) => void) => client.stream(asked, onEvent),
    listModels: async () => ({ ok: true as const, models: [] }),
    checkKey: async () => ({ state: 'accepted' as const }),
  };
  return client;
}

async function withMeter(
  client: ServiceClient,
  limits: BudgetLimits,
  use: (
    metered: ServiceClient,
    deps: MeteredClientDeps & { ledger: ReturnType<typeof createLedger>; errors: unknown[] },
  ) => Promise<void>,
  more: Partial<MeteredClientDeps> = {},
): Promise<void> {
  await withTempDir(async (dir) => {
    const clock = { epochMs: () => noon };
    const ledger = createLedger({ dir, clock });
    const errors: unknown[] = [];
    const deps = {
      client,
      ledger,
      limits: () => limits,
      estimator: createEstimator(undefined),
      clock,
      errors,
      onError: (error: unknown) => void errors.push(error),
      ...more,
    };
    await use(createMeteredClient(deps)({ surface: 'chat', conversationId: 'c1', turnId: 't1' }), { ...deps, ledger });
    await ledger.close();
  });
}

const ignore = (): void => undefined;
const { signal } = new AbortController();

/** The other surfaces stand in `told-and-billed.test.ts`, with what they really run. */
const expected: Record<string, { expects: NonNullable<ChatRequest['expects']>; written: readonly number[] }> = {
  summary: { expects: { of: 'summary', tokens: 1200 }, written: [900, 950, 1000] },
};

describe('the price that is told of a reply', () => {
  for (const [surface, { expects, written }] of Object.entries(expected))
    for (const thought of [0, 500, 2000])
      it(`U1 U2 ${surface} with ${thought} tokens of thinking is within 20 % from the second use on`, async () => {
        const asked: ChatRequest = {
          ...request,
          messages: [{ role: 'user', text: 'some words '.repeat(400) }],
          expects,
        };
        const estimator = createEstimator(undefined);
        const replies = [...written];
        const client = scripted([]);
        client.stream = async () => {
          const completionTokens = thought + (replies.shift() ?? 0);
          const promptTokens = estimator.prompt(asked).tokens;
          const usage = {
            promptTokens,
            completionTokens,
            totalTokens: promptTokens + completionTokens,
            estimated: false,
          };
          return { outcome: 'done', reply, attempts: [sampleAttempt({ requestId: `r${replies.length}`, usage })] };
        };
        await withMeter(
          client,
          {},
          async (metered) => {
            for (let use = 0; use < written.length; use++) {
              const told = requestMicroUsd(estimator, asked);
              const { attempts } = await metered.stream(asked, ignore, signal);
              const billed = costMicroUsd(attempts[0]?.usage?.totalTokens ?? 0);
              if (use > 0) assert.ok(Math.abs(told - billed) <= 0.2 * billed, `${use}: ${told} told, ${billed} billed`);
            }
          },
          { estimator },
        );
      });

  it('U2 replies of each kind and model are remembered over a restart, and steps on the way to one teach nothing', () => {
    let stored: unknown;
    const estimator = createEstimator(undefined, (next) => {
      stored = JSON.parse(JSON.stringify(next));
    });
    const asked: ChatRequest = { ...request, expects: { of: 'commit', tokens: 60 } };
    estimator.learnReply(asked, 560);
    const again = createEstimator(stored);
    assert.equal(again.prompt(asked).reply, 560);
    assert.equal(again.prompt({ ...asked, model: 'svc/other' }).reply, 60);
    assert.equal(again.prompt({ ...asked, expects: { of: 'split', tokens: 400 } }).reply, 400);
    assert.equal(again.prompt({ ...asked, expects: undefined }).reply, undefined);
  });
});

describe('metered client', () => {
  it('F44 U4 a conversation stops at the cap that it carries, where no limit is set, and goes on once when its user says so', async () => {
    const client = scripted([sampleAttempt({ requestId: 'r1' })]);
    let cap = 1_000_000;
    const more = { capOf: (id: string) => (id === 'c1' ? cap : undefined) };
    await withMeter(
      client,
      {},
      async (metered, deps) => {
        assert.equal((await metered.stream(request, ignore, signal)).outcome, 'done');
        cap = 330;
        const second = await metered.stream(request, ignore, signal);
        assert.equal(second.outcome === 'failed' && second.failure.facts?.limit, 'cap');
        assert.equal(client.sent, 1);
        const other = createMeteredClient(deps)({ surface: 'chat', conversationId: 'c2', turnId: 't2' });
        assert.equal((await other.stream(request, ignore, signal)).outcome, 'done');
        const once = createMeteredClient(deps)({ surface: 'chat', conversationId: 'c1', turnId: 't3' }, true);
        assert.equal((await once.stream(request, ignore, signal)).outcome, 'done');
      },
      more,
    );
  });

  it('U24 a message stops before the request that would pass its limit, whoever of its turn sends, and is told its sums', async () => {
    const client = scripted([sampleAttempt({ countedPrompt: undefined })]);
    const estimator = createEstimator(undefined);
    await withMeter(
      client,
      { dailyLimitUsd: 0 },
      async (_, deps) => {
        const prompt = costMicroUsd(estimator.prompt(request).tokens);
        const limit = { microUsd: 100 + 330 + prompt + 1, spentMicroUsd: 100 };
        const meter = createMeteredClient(deps);
        const chat = meter({ surface: 'chat', conversationId: 'c1', turnId: 't1' }, true, undefined, limit);
        const subagent = meter({ surface: 'subagent', conversationId: 'c1', turnId: 't1' }, true, undefined, limit);
        assert.equal((await chat.stream(request, ignore, signal)).outcome, 'done');
        // The model's usual reply would pass the limit now, which the prompt alone only reaches.
        const second = await chat.stream(request, ignore, signal);
        assert.ok(second.outcome === 'failed');
        const { limit: which, limitMicroUsd, spentMicroUsd, estimateMicroUsd } = second.failure.facts ?? {};
        assert.deepEqual([which, limitMicroUsd, spentMicroUsd], ['message', limit.microUsd, 430]);
        assert.ok(Number(estimateMicroUsd) > prompt, 'the usual reply is in it');
        assert.equal(
          (await subagent.stream(request, ignore, signal)).outcome,
          'done',
          'nothing is known of its replies',
        );
        assert.equal((await subagent.stream(request, ignore, signal)).outcome, 'failed');
        const other = meter({ surface: 'chat', conversationId: 'c1', turnId: 't2' }, true, undefined, limit);
        assert.equal((await other.stream({ ...request, messages: [] }, ignore, signal)).outcome, 'done');
        assert.equal(client.sent, 3);
      },
      { estimator },
    );
  });

  it('E17 H13 enters every attempt once, also one that was told twice and one that was never told', async () => {
    const first = sampleAttempt({ requestId: 'r1', charge: 'maybe', outcome: 'failed' });
    const second = sampleAttempt({ requestId: 'r2' });
    const lost = sampleAttempt({ requestId: 'r3' });
    await withMeter(scripted([first, first, second], [lost]), {}, async (metered, { ledger }) => {
      const events: StreamEvent[] = [];
      await metered.stream(request, (event) => events.push(event), signal);
      assert.equal(ledger.today().requests, 3);
      assert.equal((await ledger.conversation('c1')).microUsd, 990);
      assert.equal(events.length, 3);
    });
  });

  it('E17 has the attempts that were told when the client breaks', async () => {
    const client = scripted([]);
    client.stream = async (_, onEvent) => {
      onEvent({ type: 'attemptEnded', attempt: sampleAttempt() });
      throw new Error('a bug');
    };
    await withMeter(client, {}, async (metered, { ledger }) => {
      await assert.rejects(metered.stream(request, ignore, signal), /a bug/);
      assert.equal(ledger.today().requests, 1);
    });
  });

  it('U4 refuses before sending when the day has no room, as a failure that says why', async () => {
    const client = scripted([sampleAttempt()]);
    await withMeter(client, { dailyLimitUsd: 0.003 }, async (metered, { ledger }) => {
      const result = await metered.stream(request, ignore, signal);
      assert.equal(client.sent, 0);
      assert.equal(result.outcome, 'failed');
      assert.deepEqual(result.attempts, []);
      if (result.outcome !== 'failed') return;
      assert.equal(result.failure.kind, 'over-budget');
      assert.equal(result.failure.facts?.limit, 'daily');
      assert.equal(result.failure.facts?.limitMicroUsd, 3000);
      assert.equal(ledger.today().requests, 0);
    });
  });

  it('ux 2.11 Continue Once sends past the limits of the day and the conversation, counts it and says so once', async () => {
    const client = scripted([sampleAttempt()]);
    const limits = { dailyLimitUsd: 0.0003, conversationLimitUsd: 0.0002 };
    await withMeter(client, limits, async (_, deps) => {
      const once = createMeteredClient(deps)({ surface: 'chat', conversationId: 'c1', turnId: 't1' }, true);
      const events: StreamEvent[] = [];
      const listen = (event: StreamEvent) => void events.push(event);
      assert.equal((await once.stream(request, listen, signal)).outcome, 'done');
      assert.equal((await once.stream(request, listen, signal)).outcome, 'done');
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'notice' ? [event.notice] : [])),
        [{ kind: 'over-limit', limit: 'daily', limitMicroUsd: 300 }],
      );
      assert.ok((await deps.ledger.conversation('c1')).microUsd > 0);
      const next = createMeteredClient(deps)({ surface: 'chat', conversationId: 'c1', turnId: 't2' });
      assert.equal((await next.stream(request, ignore, signal)).outcome, 'failed');
    });
  });

  it('U4 a turn that reaches its limit after some requests says how many were sent before', async () => {
    const asked = { type: 'requestSent', requestId: 'a1', model: request.model, at: noon } as const;
    const client = scripted([]);
    const stream: ServiceClient['stream'] = async (_, onEvent, __, admit) => {
      onEvent(asked);
      onEvent({
        type: 'attemptEnded',
        attempt: sampleAttempt({ usage: { promptTokens: 1, completionTokens: 1, totalTokens: 9e6, estimated: false } }),
      });
      const failure = await admit?.(request);
      return failure === undefined
        ? { outcome: 'done', reply, attempts: [] }
        : { outcome: 'failed', reply, failure, attempts: [] };
    };
    await withMeter({ ...client, stream }, { dailyLimitUsd: 1 }, async (metered) => {
      const first = await metered.stream(request, ignore, signal);
      assert.ok(first.outcome === 'failed');
      assert.deepEqual([first.failure.kind, first.failure.facts?.sentBefore], ['over-budget', 1]);
      const next = await metered.stream(request, ignore, signal);
      assert.ok(next.outcome === 'failed');
      assert.equal(next.failure.facts?.sentBefore, 1);
    });
  });

  it('U4 counts against the limit of a conversation what others that share it have spent', async () => {
    const client = scripted([sampleAttempt()]);
    const spentOn = async (id: string) => (id === 'c1' ? 9_000 : 0);
    await withMeter(
      client,
      { conversationLimitUsd: 0.01 },
      async (_, deps) => {
        const send = (conversationId: string) =>
          createMeteredClient(deps)({ surface: 'chat', conversationId }).stream(request, ignore, signal);
        const refused = await send('c1');
        assert.equal(refused.outcome, 'failed');
        assert.equal(refused.outcome === 'failed' && refused.failure.facts?.spentMicroUsd, 9_000);
        assert.equal((await send('c2')).outcome, 'done');
      },
      { spentOn },
    );
  });

  it('ux 2.11 Continue Once still asks about a request above the amount to confirm', async () => {
    const client = scripted([sampleAttempt()]);
    await withMeter(client, { confirmAboveUsd: 0.001 }, async (_, deps) => {
      const once = createMeteredClient({ ...deps, confirm: async () => false })({ surface: 'chat' }, true);
      assert.equal((await once.stream(request, ignore, signal)).outcome, 'failed');
      assert.equal(client.sent, 0);
    });
  });

  it('U4 a limit counts what another window spent', async () => {
    await withTempDir(async (dir) => {
      const clock = { epochMs: () => noon };
      const other = createLedger({ dir, clock });
      await other.record(ledgerEntry({ id: 'elsewhere', totalTokens: 1_000_000 }));
      await other.close();
      const client = scripted([sampleAttempt()]);
      const ledger = createLedger({ dir, clock });
      const deps = { client, ledger, estimator: createEstimator(undefined), clock, onError: ignore };
      const metered = createMeteredClient({ ...deps, limits: () => ({ dailyLimitUsd: 0.331 }) });
      const result = await metered({ surface: 'inline' }).complete(request, ignore, signal);
      assert.deepEqual([result.outcome, client.sent], ['failed', 0]);
      await ledger.close();
    });
  });

  it('U4 lets only one of two simultaneous requests have the last of the budget', async () => {
    const client = scripted([]);
    let answer: (result: StreamResult) => void = ignore;
    client.stream = async () => {
      client.sent += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    await withMeter(client, { dailyLimitUsd: 0.005 }, async (metered) => {
      const one = metered.stream(request, ignore, signal);
      const two = metered.stream(request, ignore, signal);
      const refused = await Promise.race([one, two]);
      assert.deepEqual([refused.outcome, client.sent], ['failed', 1]);
      answer({ outcome: 'done', reply, attempts: [] });
      await Promise.all([one, two]);
      // What was reserved is given back.
      const third = metered.stream(request, ignore, signal);
      await waitFor('the third request', () => client.sent === 2, { pollMs: 1 });
      answer({ outcome: 'done', reply, attempts: [] });
      assert.equal((await third).outcome, 'done');
    });
  });

  it('U4 asks above the amount and sends only after a yes', async () => {
    for (const yes of [true, false]) {
      const client = scripted([sampleAttempt()]);
      await withMeter(
        client,
        { confirmAboveUsd: 0.001 },
        async (metered) => {
          const result = await metered.stream(request, ignore, signal);
          assert.deepEqual([result.outcome, client.sent], yes ? ['done', 1] : ['failed', 0]);
        },
        { confirm: async () => yes },
      );
    }
  });

  it('U4 asks once a message, in its stream and with what it has cost, and again only when the sum has doubled', async () => {
    const usage = { promptTokens: 9_000, completionTokens: 1_000, totalTokens: 10_000, estimated: false };
    let requests = 0;
    const client = scripted([]);
    const stream: ServiceClient['stream'] = async (_, onEvent) => {
      onEvent({
        type: 'attemptEnded',
        attempt: sampleAttempt({ requestId: `r${requests++}`, usage, countedPrompt: undefined }),
      });
      return { outcome: 'done', reply, attempts: [] };
    };
    const asked: { request: number; spentMicroUsd: number }[] = [];
    const answerAll = (goOn: boolean) => (event: StreamEvent) => {
      if (event.type !== 'asked' || event.kind !== 'cost') return;
      asked.push({ request: requests, spentMicroUsd: event.about.spentMicroUsd });
      event.answer(goOn);
    };
    await withMeter(
      { ...client, stream },
      { confirmAboveUsd: 0.001 },
      async (metered) => {
        for (let step = 0; step < 8; step++) await metered.stream(request, answerAll(true), signal);
        assert.equal(requests, 8);
        const [first, second, third, ...more] = asked;
        assert.deepEqual([first, more], [{ request: 0, spentMicroUsd: 0 }, []]);
        assert.ok(second && third && third.request >= 2 * second.request, JSON.stringify(asked));
        assert.equal(second.spentMicroUsd, second.request * 3300);
        const events: string[] = [];
        const result = await metered.stream(
          { ...request, messages: [{ role: 'user', text: 'x'.repeat(3_500_000) }] },
          (event) => {
            events.push(event.type);
            answerAll(false)(event);
          },
          signal,
        );
        assert.ok(result.outcome === 'failed');
        assert.deepEqual([result.failure.kind, requests], ['over-budget', 8]);
        assert.deepEqual(events, ['asked']);
      },
      { asksInStream: ({ turnId }) => turnId === 't1', confirm: () => assert.fail('a dialog') },
    );
  });

  it('U4 refuses above the amount when there is nobody to ask', async () => {
    const client = scripted([sampleAttempt()]);
    await withMeter(client, { confirmAboveUsd: 0.001 }, async (metered) => {
      assert.equal((await metered.stream(request, ignore, signal)).outcome, 'failed');
    });
  });

  it('E15 gives the reply although the ledger cannot be written or read, and says so', async () => {
    const broken = {
      record: async () => Promise.reject(new Error('disk full')),
      refresh: async () => Promise.reject(new Error('unreadable')),
      today: () => ({
        promptTokens: 0,
        completionTokens: 0,
        totalTokens: 0,
        microUsd: 0,
        estimated: false,
        requests: 0,
        notCharged: 0,
        possiblyCharged: 0,
      }),
      conversation: async () => Promise.reject(new Error('unreadable')),
      reserve: () => ({
        written: Promise.reject(new Error('disk full')),
        identify: () => undefined,
        grow: () => undefined,
        end: async () => Promise.reject(new Error('gone')),
      }),
      underWay: async () => ({ microUsd: 0, conversationMicroUsd: 0 }),
      alone: <T>(run: () => Promise<T>) => run(),
    };
    const limits = { dailyLimitUsd: 1, conversationLimitUsd: 1 };
    await withMeter(
      scripted([sampleAttempt()]),
      limits,
      async (metered, { errors }) => {
        assert.equal((await metered.stream(request, ignore, signal)).outcome, 'done');
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(
          errors.map((error) => error instanceof Error && error.message),
          ['unreadable', 'unreadable', 'disk full', 'disk full', 'gone'],
        );
      },
      { ledger: broken },
    );
  });

  it('sends nothing when Stop came while the budget was asked', async () => {
    const client = scripted([sampleAttempt()]);
    const controller = new AbortController();
    await withMeter(client, { dailyLimitUsd: 1 }, async (metered) => {
      const result = metered.stream(request, ignore, controller.signal);
      controller.abort();
      assert.deepEqual([(await result).outcome, client.sent], ['stopped', 0]);
    });
  });

  it('U2 calibrates the estimate from whole replies', async () => {
    await withMeter(scripted([sampleAttempt()]), {}, async (metered, { estimator }) => {
      const before = estimator.prompt(request).tokens;
      await metered.stream(request, ignore, signal);
      assert.notEqual(estimator.prompt(request).tokens, before);
    });
  });

  it('H17 tells of a cut input once for a model in a conversation', async () => {
    const long = { ...request, messages: [{ role: 'user' as const, text: 'some words '.repeat(5000) }] };
    const words = { factor: 1, deviation: 0.01 };
    const estimator = createEstimator({ 'svc/glm-5.3': { factors: { words }, samples: 9, spread: 1, whole: 500 } });
    const client = scripted([]);
    client.stream = async (_, onEvent) => {
      client.sent += 1;
      const attempt = sampleAttempt({ requestId: `r${client.sent}` });
      onEvent({ type: 'attemptEnded', attempt });
      return { outcome: 'done', reply, attempts: [attempt] };
    };
    await withTempDir(async (dir) => {
      const clock = { epochMs: () => noon };
      const ledger = createLedger({ dir, clock });
      const meter = createMeteredClient({
        client,
        ledger,
        limits: () => ({}),
        estimator,
        clock,
        onError: assert.ifError,
      });
      const notices: Extract<Notice, { kind: 'cut-input' }>[] = [];
      const listen = (event: StreamEvent) =>
        event.type === 'notice' && event.notice.kind === 'cut-input' && notices.push(event.notice);
      for (const conversationId of ['a', 'a', 'a', 'b']) {
        await meter({ surface: 'chat', conversationId }).stream(long, listen, signal);
      }
      assert.equal(notices.length, 2);
      for (const { sentTokens, ...cut } of notices) {
        assert.deepEqual(cut, { kind: 'cut-input', model: 'svc/glm-5.3', countedTokens: 900 });
        assert.ok(sentTokens > 8500 && sentTokens < 11_000, `${sentTokens}`);
      }
      await ledger.close();
    });
  });

  it('F2 U4 Stop does not wait for a question about the price that is still open', async () => {
    const client = scripted([sampleAttempt()]);
    const controller = new AbortController();
    const confirm = () => {
      setImmediate(() => controller.abort());
      return new Promise<boolean>(() => undefined);
    };
    await withMeter(
      client,
      { confirmAboveUsd: 0.000001 },
      async (metered) => {
        const result = await metered.stream(request, ignore, controller.signal);
        assert.deepEqual([result.outcome, client.sent], ['stopped', 0]);
      },
      { confirm },
    );
  });

  it('U2 U7 learns nothing from a reply that was continued, because more was sent than was estimated', async () => {
    const learnt: string[] = [];
    const estimator = {
      ...createEstimator(undefined),
      learn: (asked: { model: string }) => void learnt.push(asked.model),
    };
    const broken = sampleAttempt({ requestId: 'r1', outcome: 'incomplete', charge: 'maybe' });
    const usage = { promptTokens: 9, completionTokens: 1, totalTokens: 10, estimated: false };
    const whole = sampleAttempt({ requestId: 'r2', usage });
    await withMeter(
      scripted([broken, whole]),
      {},
      async (metered, { ledger }) => {
        await metered.stream(request, ignore, signal);
        assert.deepEqual([learnt, ledger.today().requests], [[], 2]);
      },
      { estimator },
    );
    await withMeter(
      scripted([whole]),
      {},
      async (metered) => {
        await metered.stream(request, ignore, signal);
        assert.equal(learnt.length, 1);
      },
      { estimator },
    );
  });

  it('F33 a client of its own price refuses what is beyond it, the longest reply included, and sends nothing for that', async () => {
    const client = scripted([
      sampleAttempt({ usage: { promptTokens: 50_000, completionTokens: 900, totalTokens: 50_900, estimated: false } }),
    ]);
    await withMeter(client, {}, async (_, deps) => {
      const { tokens } = deps.estimator.prompt(request);
      const max = costMicroUsd(tokens + 1000);
      const capped = (microUsd: number) => createMeteredClient(deps)({ surface: 'review' }, false, microUsd);
      const under = await capped(max - 1).stream({ ...request, maxTokens: 1000 }, ignore, signal);
      assert.equal(under.outcome === 'failed' && under.failure.kind, 'over-budget');
      assert.equal(client.sent, 0);
      const exact = capped(max);
      assert.equal((await exact.stream({ ...request, maxTokens: 1000 }, ignore, signal)).outcome, 'done');
      const again = await exact.stream({ ...request, maxTokens: 1000 }, ignore, signal);
      assert.equal(again.outcome === 'failed' && again.failure.facts?.limit, 'cap');
      assert.equal(client.sent, 1);
    });
  });
});
