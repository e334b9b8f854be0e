import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ChatRequest, ServiceClient } from '../../../src/service/contract.ts';
import type { Charge } from '../../../src/shared/messages.ts';
import { createEstimator, type Estimator } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../src/spend/metered-client.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { sampleAttempt } from './ledger-samples.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const { signal } = new AbortController();
const surfaces = [
  'chat',
  'inline',
  'commit',
  'native-chat',
  'side-by-side',
  'completion',
  'review',
  'subagent',
  'git',
] as const;

interface Plan {
  characters: number;
  surface: (typeof surfaces)[number];
  /** What becomes of each attempt; the last one ends the step. */
  charges: Charge[];
  replyTokens: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  characters: fc.integer({ min: 10, max: 400_000 }),
  surface: fc.constantFrom(...surfaces),
  charges: fc.array(fc.constantFrom<Charge>('yes', 'no', 'maybe'), { minLength: 1, maxLength: 4 }),
  replyTokens: fc.integer({ min: 0, max: 20_000 }),
});

const askedFor = ({ characters, surface }: Plan): ChatRequest => ({
  model: 'svc/glm-5.3',
  messages: [{ role: 'user', text: 'x'.repeat(characters) }],
  surface,
});

describe('budgets before every request', () => {
  it('U4 S9 U7 no attempt of any surface goes out that does not fit, whatever runs beside it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plan, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1000, max: 300_000 }),
        fc.constantFrom('dailyLimitUsd' as const, 'conversationLimitUsd' as const),
        async (plans, limitMicroUsd, limit) => {
          await withTempDir(async (dir) => {
            const clock = { epochMs: () => noon };
            const ledger = createLedger({ dir, clock });
            const estimator = createEstimator(undefined);
            const service = attempting(plans, estimator, (estimate) => {
              const spent = ledger.today().microUsd;
              assert.ok(spent + estimate <= limitMicroUsd, `${spent} + ${estimate} > ${limitMicroUsd}`);
            });
            const meter = createMeteredClient({
              client: service.client,
              ledger,
              limits: () => ({ [limit]: limitMicroUsd / 1e6 }),
              estimator,
              clock,
              onError: assert.ifError,
            });
            const results = await Promise.all(
              plans.map((each) =>
                meter({ surface: each.surface, conversationId: 'c' }).stream(askedFor(each), () => undefined, signal),
              ),
            );
            service.check();
            for (const result of results) {
              if (result.outcome === 'failed') assert.equal(result.failure.kind, 'over-budget');
            }
            await ledger.close();
          });
        },
      ),
      { numRuns: 40 },
    );
  });
});

/** Sends every plan's attempts one after the other, each after being admitted, all plans side by side. */
function attempting(plans: readonly Plan[], estimator: Estimator, onSend: (estimateMicroUsd: number) => void) {
  let sent = 0;
  let wrong: unknown;
  const reply = wholeReply('svc/glm-5.3', { text: 'x' });
  const stream: ServiceClient['stream'] = async (request, onEvent, _signal, admit) => {
    const found = plans.find((each) => each.characters === request.messages[0]?.text.length);
    const attempts = [];
    for (const [index, charge] of (found?.charges ?? []).entries()) {
      const failure = index === 0 ? undefined : await admit?.(request);
      if (failure !== undefined) return { outcome: 'failed', reply, failure, attempts };
      const { tokens } = estimator.prompt(request);
      try {
        onSend(costMicroUsd(tokens));
      } catch (error) {
        wrong ??= error;
      }
      await new Promise(setImmediate);
      const totalTokens = tokens + (found?.replyTokens ?? 0);
      const usage = { promptTokens: tokens, completionTokens: totalTokens - tokens, totalTokens, estimated: true };
      const counts = { charge, usage, countedPrompt: undefined };
      const attempt = sampleAttempt({ requestId: `r${++sent}`, startedAt: noon, ...counts });
      attempts.push(attempt);
      onEvent({ type: 'attemptEnded', attempt });
    }
    return { outcome: 'done', reply, attempts };
  };
  const client: ServiceClient = {
    stream,
    complete: stream,
    listModels: async () => ({ ok: true, models: [] }),
    checkKey: async () => ({ state: 'accepted' }),
  };
  return {
    client,
    check: () => {
      if (wrong !== undefined) throw wrong;
    },
  };
}
