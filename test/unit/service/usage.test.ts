import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { estimateTokens } from '../../../src/service/tokens.ts';
import type { ReportedUsage } from '../../../src/service/wire/chunk-schema.ts';
import { newerUsage, readReport, settleUsage } from '../../../src/service/wire/usage.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { createHarness, delta, ended, events, finish } from './client/harness.ts';

const written = wholeReply('svc/glm-5.3', { text: 'Hello world' });
const nothing = wholeReply('svc/glm-5.3', { text: '' });
const count = fc.oneof(fc.constant(0), fc.nat(5000), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
const anyReport: fc.Arbitrary<ReportedUsage> = fc.record(
  { promptTokens: count, completionTokens: count, totalTokens: count, cachedTokens: count, reasoningTokens: count },
  { requiredKeys: [] },
);

describe('usage', () => {
  const cases: [string, ReportedUsage, ReturnType<typeof readReport>][] = [
    ['the plain one', { promptTokens: 7, completionTokens: 2, totalTokens: 9 }, used(7, 2, 9)],
    ['a prompt and a reply', { promptTokens: 7, completionTokens: 2 }, used(7, 2, 9)],
    ['a prompt and a total', { promptTokens: 7, totalTokens: 12 }, used(7, 5, 12)],
    ['more than the sum', { promptTokens: 7, completionTokens: 2, totalTokens: 30 }, used(7, 2, 30, true)],
    ['less than the sum', { promptTokens: 7, completionTokens: 2, totalTokens: 5 }, used(7, 2, 9, true)],
    ['only a total', { totalTokens: 100 }, used(100 - hello(), hello(), 100, true)],
    ['only a prompt', { promptTokens: 7 }, used(7, hello(), 7 + hello(), true)],
    ['nothing written', { promptTokens: 7, completionTokens: 0 }, used(7, hello(), 7 + hello(), true)],
    ['thinking within', { promptTokens: 7, completionTokens: 50, reasoningTokens: 40 }, used(7, 50, 57)],
    ['thinking beside', { promptTokens: 7, completionTokens: 2, reasoningTokens: 40 }, used(7, 2, 49, true)],
    [
      'thinking beside, by the total',
      { promptTokens: 7, completionTokens: 50, totalTokens: 97, reasoningTokens: 40 },
      used(7, 90, 97),
    ],
    [
      'thinking beside, but not by the total',
      { promptTokens: 7, completionTokens: 2, totalTokens: 9, reasoningTokens: 40 },
      used(7, 2, 9),
    ],
    ['a cache within', { promptTokens: 700, completionTokens: 2, cachedTokens: 640 }, used(700, 2, 702)],
    ['a cache beside', { promptTokens: 7, completionTokens: 2, cachedTokens: 640 }, used(7, 2, 649, true)],
    ['zeros', { promptTokens: 0, completionTokens: 0, totalTokens: 0 }, undefined],
    ['no prompt', { promptTokens: 0, completionTokens: 3 }, undefined],
    ['nothing', {}, undefined],
  ];
  for (const [name, report, expected] of cases) {
    it(`S11 W74 the cost of a reply is its total tokens: ${name}`, () =>
      assert.deepEqual(readReport(report, written), expected));
  }

  it('S11 an empty reply costs what its prompt counted', () => {
    assert.deepEqual(readReport({ promptTokens: 7, completionTokens: 0, totalTokens: 7 }, nothing), used(7, 0, 7));
  });

  it('rule 9: the last report counts, unless it counts nothing', () => {
    const first = { promptTokens: 7, completionTokens: 1 };
    const last = { promptTokens: 7, completionTokens: 3 };
    assert.equal(newerUsage(first, last), last);
    assert.equal(newerUsage(last, { promptTokens: 0, completionTokens: 0, totalTokens: 0 }), last);
    assert.equal(newerUsage(last, undefined), last);
    assert.deepEqual(newerUsage(undefined, { totalTokens: 0 }), { totalTokens: 0 });
  });

  it('S11 is never below what is reported, and exact only when the report adds up', () => {
    fc.assert(
      fc.property(anyReport, fc.boolean(), (report, hasText) => {
        const usage = readReport(report, hasText ? written : nothing);
        if (usage === undefined) return;
        const { promptTokens = 0, completionTokens = 0, totalTokens = 0 } = report;
        assert.ok(usage.totalTokens >= totalTokens);
        assert.ok(promptTokens === 0 || usage.totalTokens >= promptTokens + completionTokens);
        if (usage.estimated) return;
        assert.equal(usage.totalTokens, usage.promptTokens + usage.completionTokens);
        assert.ok(totalTokens === 0 || totalTokens === usage.totalTokens);
      }),
    );
  });

  it('E07 no report makes one request cost more than a plausible multiple of what went over the wire', () => {
    fc.assert(
      fc.property(anyReport, fc.nat(200_000), fc.nat(50_000), (report, sent, got) => {
        const usage = readReport(report, written);
        const countedPrompt = report.promptTokens || undefined;
        const settled = settleUsage({ usage, countedPrompt }, sent, got);
        assert.ok(settled.usage.totalTokens <= 8 * (sent + got) + 140_000);
        assert.ok(Number.isSafeInteger(settled.usage.totalTokens) && settled.usage.totalTokens >= 0);
        if (usage === undefined || settled.usage !== usage) assert.equal(settled.usage.estimated, true);
        assert.ok((settled.countedPrompt ?? 0) <= 8 * sent + 8192);
      }),
    );
  });

  it('W87 E07 an absurd count is replaced by the estimate, a large one that may be hidden thinking is not', async () => {
    const absurd = { usage: used(1e12, 5, 1e12 + 5), countedPrompt: 1e12 };
    assert.deepEqual(settleUsage(absurd, 100, 4), { usage: used(100, 5, 105, true) });
    const thinking = { usage: used(100, 60_000, 60_100), countedPrompt: 100 };
    assert.deepEqual(settleUsage(thinking, 100, 4), thinking);
    const harness = createHarness([
      events(
        delta('Hello world'),
        finish('stop', { prompt_tokens: 9e15, completion_tokens: 3, total_tokens: 9e15 }),
        '[DONE]',
      ),
    ]);
    const [attempt] = (await harness.send()).attempts;
    assert.equal(attempt?.usage?.estimated, true);
    assert.ok((attempt?.usage?.totalTokens ?? 1e9) < 100);
    assert.equal(attempt?.countedPrompt, undefined);
  });

  it('W67 usage that comes with the last bytes behind [DONE] counts', async () => {
    const late = '{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}';
    const harness = createHarness([events(delta('Hello world'), finish(), '[DONE]', late)]);
    await harness.send();
    assert.deepEqual(ended(harness)[0]?.usage, used(12, 3, 15));
    assert.equal(ended(harness)[0]?.countedPrompt, 12);
  });
});

function used(promptTokens: number, completionTokens: number, totalTokens: number, estimated = false) {
  return { promptTokens, completionTokens, totalTokens, estimated };
}

function hello(): number {
  return estimateTokens('Hello world', 'svc/glm-5.3');
}
