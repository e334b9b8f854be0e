import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { createClient } from '../../../src/service/client.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createLedger, type Ledger } from '../../../src/spend/ledger.ts';
import type { LedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { type CreateMetered, createMeteredClient } from '../../../src/spend/metered-client.ts';
import { withTempDir } from '../../support/temp-dir.ts';

/** What the service reports of a reply's tokens. Of `plain` to `late` it is known what they cost, of the others nobody is told. */
const told = ['plain', 'larger', 'twice', 'late', 'total-only', 'refusal', 'broke', 'counted-empty'] as const;
const untold = ['missing', 'zero', 'absurd'] as const;
/** Calls that fail or bring nothing, and calls of which nobody says. */
const free = ['failed', 'empty', 'refused'] as const;
const open = ['stopped', 'gave-up'] as const;
const kinds = [...told, ...untold, ...free, ...open] as const;
type Kind = (typeof kinds)[number];

interface Call {
  kind: Kind;
  window: 0 | 1;
  /** From the call before, in milliseconds; a clock may be set back. */
  later: number;
  words: number;
  prompt: number;
  completion: number;
}

const zones = ['UTC', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Los_Angeles'];

/** Just before a midnight of one of the zones, the end of a month or year, or the hour that comes twice. */
const starts = [
  '2026-02-28T23:59:58Z',
  '2026-11-01T08:59:50Z',
  '2026-11-30T18:29:59Z',
  '2026-12-31T23:59:59Z',
  '2027-01-01T03:29:57Z',
  '2026-04-04T13:59:59Z',
].map((text) => Date.parse(text));

const hour = 3_600_000;
const call: fc.Arbitrary<Call> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    window: fc.constantFrom(0, 1),
    later: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: -2 * hour, max: 9 * hour })),
    words: fc.integer({ min: 1, max: 400 }),
    frame: fc.integer({ min: 4, max: 20 }),
    completion: fc.integer({ min: 1, max: 2000 }),
  })
  // The prompt is counted as a tokenizer would, or the estimates that stand in for it would learn nonsense.
  .map(({ frame, ...each }) => ({ ...each, prompt: each.words + frame }));

/** The bill by hand: 33 cents for a million tokens, half a micro-dollar up. */
const priceOf = (tokens: number): number => Number((BigInt(Math.floor(tokens)) * 33n + 50n) / 100n);

/** What a call must have cost; undefined when only its bounds are known. */
function billed({ kind, prompt, completion }: Call): number | undefined {
  if ((free as readonly Kind[]).includes(kind)) return 0;
  if (kind === 'larger') return priceOf(prompt + completion + 77);
  // Asked for once more, and counted both times.
  if (kind === 'counted-empty') return 2 * priceOf(prompt + completion);
  return (told as readonly Kind[]).includes(kind) ? priceOf(prompt + completion) : undefined;
}

const answer = 'some words of an answer';

function bodyOf({ kind, prompt, completion }: Call): string {
  const usage = (report: object) => ({ choices: [], usage: report });
  const counts = { prompt_tokens: prompt, completion_tokens: completion };
  const text = { choices: [{ index: 0, delta: { content: answer } }] };
  const nothing = { choices: [{ index: 0, delta: { content: '' } }] };
  const refusal = { choices: [{ index: 0, delta: { content: null, refusal: answer } }] };
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const done = '[DONE]';
  const chunks: Record<Exclude<Kind, 'failed' | 'refused' | 'gave-up'>, (object | string)[]> = {
    plain: [text, end, usage({ ...counts, total_tokens: prompt + completion }), done],
    larger: [text, end, usage({ ...counts, total_tokens: prompt + completion + 77 }), done],
    twice: [text, usage({ prompt_tokens: prompt, completion_tokens: 1 }), end, usage(counts), usage(counts), done],
    late: [text, end, done, usage(counts)],
    'total-only': [text, end, usage({ total_tokens: prompt + completion }), done],
    missing: [text, end, done],
    zero: [text, end, usage({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }), done],
    absurd: [text, end, usage({ ...counts, prompt_tokens: 4e15, total_tokens: 4e15 + completion }), done],
    refusal: [refusal, end, usage(counts), done],
    broke: [text, usage(counts), { error: { message: 'broken' } }],
    'counted-empty': [nothing, end, usage(counts), done],
    empty: [nothing, end, done],
    stopped: [text],
  };
  const chosen = chunks[kind as keyof typeof chunks];
  return chosen.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');
}

function respond(now: Call): Response {
  if (now.kind === 'failed') return new Response('{"error":{"message":"broken"}}', { status: 500 });
  if (now.kind === 'refused') return new Response('{"error":{"message":"bad"}}', { status: 400 });
  if (now.kind === 'gave-up') throw Object.assign(new Error('no headers'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
  return new Response(bodyOf(now), { headers: { 'content-type': 'text/event-stream' } });
}

interface Window {
  ledger: Ledger;
  send(now: Call, turnId: string): Promise<void>;
}

function openWindow(dir: string, name: string, epochMs: () => number): Window {
  const clock = { ...systemClock, epochMs, sleep: async () => undefined };
  let current: Call | undefined;
  let requests = 0;
  const estimator = createEstimator(undefined);
  const ledger = createLedger({ dir, clock });
  const client = createClient({
    baseUrl: () => 'https://service.example/v1',
    key: async () => 'sk-svc-test',
    transport: async () => respond(current ?? assert.fail()),
    learned: createLearned(undefined, () => undefined),
    modelIds: () => ['svc/glm-5.3'],
    fallback: () => ({ enabled: false, order: [] }),
    promptTokens: (request) => estimator.prompt(request).tokens,
    clock,
    random: () => 0,
    newId: () => `${name}${++requests}`,
    redact: (text) => text,
    log: () => undefined,
    timeouts: () => ({ firstEventMs: 60_000, idleMs: 60_000 }),
  });
  const metered: CreateMetered = createMeteredClient({
    client,
    ledger,
    limits: () => ({}),
    estimator,
    clock,
    onError: assert.ifError,
  });
  return {
    ledger,
    async send(now, turnId) {
      current = now;
      const stop = new AbortController();
      const messages = [{ role: 'user' as const, text: 'word '.repeat(now.words) }];
      await metered({ surface: 'chat', conversationId: 'c', turnId }).stream(
        { model: 'svc/glm-5.3', messages, surface: 'chat' },
        (event) => {
          if (now.kind === 'stopped' && event.type === 'text') stop.abort();
        },
        stop.signal,
      );
    },
  };
}

/** Checks the lines of one call and answers what they cost. */
function checkCall(now: Call, lines: readonly LedgerEntry[]): number {
  assert.ok(lines.length >= 1, now.kind);
  const cost = lines.reduce((sum, { microUsd }) => sum + microUsd, 0);
  const exact = billed(now);
  const isOpen = (open as readonly Kind[]).includes(now.kind);
  const isFree = (free as readonly Kind[]).includes(now.kind);
  for (const line of lines) {
    assert.equal(line.charge, isOpen ? 'maybe' : isFree ? 'no' : 'yes', now.kind);
    assert.equal(line.microUsd, priceOf(line.totalTokens));
    const isExact = isFree || ['plain', 'twice', 'late', 'refusal', 'broke', 'counted-empty'].includes(now.kind);
    assert.equal(line.estimated, !isExact, now.kind);
  }
  if (exact !== undefined) assert.equal(cost, exact, now.kind);
  else {
    // What nobody says is near to what was written and asked, and never nothing.
    assert.ok(cost >= priceOf(0.8 * now.words) && cost <= priceOf(3 * now.words + 2000 + 60), `${now.kind}: ${cost}`);
  }
  return cost;
}

/** The day of an instant by the calendar of a zone. */
const calendars = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
);
const dayIn = (zone: string, at: number): string => calendars.get(zone)?.format(at) ?? '';

/** The sums by day are the bill by day, in every time zone. */
async function checkDays(dir: string, bill: readonly { at: number; microUsd: number }[]): Promise<void> {
  for (const zone of zones) {
    const dayOf = (at: number) => dayIn(zone, at);
    const clock = { epochMs: () => bill.at(-1)?.at ?? 0 };
    const ledger = createLedger({ dir, clock, dayOf });
    await ledger.refresh();
    const days = new Map<string, number>();
    for (const { at, microUsd } of bill) days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + microUsd);
    for (const [day, microUsd] of days) {
      assert.equal((await ledger.totals({ from: day, to: day })).microUsd, microUsd, `${zone} ${day}`);
    }
    assert.equal(ledger.today().microUsd, days.get(ledger.currentDay()), zone);
    const months = new Map<string, number>();
    for (const [day, microUsd] of days) months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + microUsd);
    for (const [month, microUsd] of months) {
      const range = { from: `${month}-01`, to: `${month}-31` };
      assert.equal((await ledger.totals(range)).microUsd, microUsd, `${zone} ${month}`);
    }
    await ledger.close();
  }
}

describe('the bill of any day', () => {
  it('S10 S11 U12 every line is what the service takes, and days and months add up in five time zones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.array(call, { minLength: 1, maxLength: 14 }),
        async (start, calls) => {
          await withTempDir(async (dir) => {
            let now = start;
            const windows = ['a', 'b'].map((name) => openWindow(dir, name, () => now));
            const sentAt: number[] = [];
            for (const [index, each] of calls.entries()) {
              now += each.later;
              sentAt.push(now);
              await windows[each.window]?.send(each, String(index));
            }
            const bill: { at: number; microUsd: number }[] = [];
            const byTurn = new Map<string, LedgerEntry[]>();
            const everything = { from: '0001-01-01', to: '9999-01-01' };
            // Closing waits for what is being written.
            for (const { ledger } of windows) await ledger.close();
            const third = createLedger({ dir, clock: { epochMs: () => now } });
            await third.eachEntry(everything, (line) => {
              byTurn.set(line.turnId ?? '', [...(byTurn.get(line.turnId ?? '') ?? []), line]);
            });
            for (const [index, each] of calls.entries()) {
              const at = sentAt[index] ?? 0;
              bill.push({ at, microUsd: checkCall(each, byTurn.get(String(index)) ?? []) });
            }
            const sum = bill.reduce((total, { microUsd }) => total + microUsd, 0);
            assert.equal((await third.totals(everything)).microUsd, sum);
            assert.equal((await third.conversation('c')).microUsd, sum);
            await third.close();
            await checkDays(dir, bill);
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});
