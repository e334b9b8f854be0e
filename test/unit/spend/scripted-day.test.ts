import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import type { LedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { type LocalService, type ServiceScript, startLocalService } from '../../service/local-service.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const each = 250;
const everything = { from: '0001-01-01', to: '9999-01-01' };
const text = 'The answer is longer than one would think. '.repeat(12);

/** What becomes of a request, by a word in its text. */
const script: ServiceScript = {
  settings: { maxConcurrent: 3, maxQueued: 100 },
  rules: [
    { match: { messageIncludes: 'kind:refused' }, effect: { respond: { status: 400, body: { error: {} } } } },
    { match: { messageIncludes: 'kind:down' }, effect: { page522: true } },
    { match: { messageIncludes: 'kind:flaky' }, times: 20, effect: { page522: true } },
    { match: { messageIncludes: 'kind:fallback', model: 'svc/kimi-k3' }, effect: { capacity: {} } },
    { match: { messageIncludes: 'kind:cut' }, effect: { cutAfterBytes: 3000 } },
    { match: { messageIncludes: 'kind:ignored' }, effect: { streaming: 'ignored' } },
    { match: { messageIncludes: 'kind:silent' }, effect: { omitUsage: true } },
    { match: { messageIncludes: 'kind:slow' }, effect: { delayFirstChunkMs: 5, usageOnEveryChunk: true } },
    { match: { messageIncludes: 'kind:stop' }, effect: { chunkDelayMs: 2 } },
    ...[
      'event: response.output_text.delta\ndata: {"delta":"words of another interface"}\n\n',
      'data: {"choices":[{"index":1,"delta":{"content":"words under another index"}}]}\n\n',
      'words that are no events at all',
    ].map((piece, at) => ({
      match: { messageIncludes: `kind:unread${at}` },
      effect: { raw: { status: 200, contentType: 'text/event-stream', pieces: [piece] } },
    })),
  ],
  replies: [
    { match: { messageIncludes: 'kind:empty' }, times: 10_000, text: '' },
    { match: { messageIncludes: 'kind:' }, times: 10_000, text },
  ],
};

interface Billed {
  line: LedgerEntry;
  /** What the service drew from the balance for it. */
  microUsd: number;
}

/** Each line of the ledger beside the request that it is about: the attempts of a turn follow one another. */
async function matched(service: LocalService, dir: string): Promise<Billed[]> {
  const requests = new Map<string, number[]>();
  // The list of models is free and in no ledger.
  for (const request of service.requests.filter(({ method }) => method === 'POST')) {
    const turn = /"content":"([ab]-\d+\.) kind:/.exec(JSON.stringify(request.json))?.[1] ?? 'none';
    const drawn = service.charges.filter((charge) => charge.requestIndex === request.index);
    const microUsd = drawn.reduce((sum, charge) => sum + charge.microUsd, 0);
    requests.set(turn, [...(requests.get(turn) ?? []), microUsd]);
  }
  const lines: Billed[] = [];
  const ledger = createLedger({ dir, clock: systemClock });
  await ledger.eachEntry(everything, (line) => {
    const microUsd = requests.get(line.turnId ?? 'none')?.shift();
    assert.ok(microUsd !== undefined, `the service never saw ${line.id}`);
    lines.push({ line, microUsd });
  });
  await ledger.close();
  assert.deepEqual([...requests.values()].flat(), [], 'every request is in the ledger');
  return lines;
}

function unreadTurns({ requests }: LocalService): Set<string> {
  const turns = requests.map(({ json }) => /"content":"([ab]-\d+\.) kind:unread/.exec(JSON.stringify(json))?.[1]);
  return new Set(turns.filter((turn) => turn !== undefined));
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

describe('a day of 500 requests in two windows', () => {
  it('S10 S11 E07 U12 the ledger is the service’s bill to the micro-dollar, but for what the service never told', async function () {
    this.timeout(300_000);
    await withTempDir(async (dir) => {
      const service = await startLocalService({ balanceUsd: 100, script });
      try {
        const program = fileURLToPath(new URL('day-window.ts', import.meta.url));
        const windows = ['a', 'b'].map((window, index) =>
          fork(program, [dir, window, service.baseUrl, String(each), String(index + 1)]),
        );
        const exits = await Promise.all(windows.map((window) => once(window, 'exit')));
        assert.deepEqual(
          exits.map(([code]) => code),
          [0, 0],
        );
        const lines = await matched(service, dir);
        const turns = new Set(lines.map(({ line }) => line.turnId));
        assert.equal(turns.size, 2 * each);

        // Exact: everything that was not charged, and every reply whose usage the service reported.
        const isExact = ({ line }: Billed): boolean =>
          line.charge === 'no' || (line.charge === 'yes' && !line.estimated);
        for (const { line, microUsd } of lines.filter(isExact)) {
          assert.equal(line.microUsd, microUsd, `${line.id} ${line.outcome} ${line.charge}`);
        }
        // The rest is what the interface leaves open: replies that were stopped or cut, and replies without usage. Only
        // these amounts may differ; each is marked, and together with the exact ones they are the whole bill.
        const open = lines.filter((one) => !isExact(one));
        for (const { line } of open) {
          assert.equal(line.estimated, true, line.id);
          if (line.charge === 'yes') assert.equal(line.outcome, 'complete', 'a whole reply without usage');
          else
            assert.match(
              line.outcome,
              unreadTurns(service).has(line.turnId ?? '') ? /^failed$/ : /^(stopped|incomplete)$/,
            );
        }
        const bill = sum(service.charges.map((charge) => charge.microUsd));
        assert.equal(100e6 - service.balanceMicroUsd(), bill);
        assert.equal(
          sum(lines.filter(isExact).map(({ line }) => line.microUsd)),
          bill - sum(open.map((one) => one.microUsd)),
        );

        // What arrived and could not be read was perhaps charged, so it is never free and never sent again.
        const unread = service.requests.filter(({ json }) => /kind:unread/.test(JSON.stringify(json)));
        const ofUnread = lines.filter(({ line }) => unreadTurns(service).has(line.turnId ?? ''));
        assert.deepEqual(
          [ofUnread.length, new Set(ofUnread.map(({ line }) => line.charge))],
          [unread.length, new Set(['maybe'])],
        );
        assert.equal(unreadTurns(service).size, unread.length);
        assert.ok(unread.length >= 30, `${unread.length}`);

        // The day had everything in it.
        const outcomes = new Map<string, number>();
        for (const { line } of lines) outcomes.set(line.outcome, (outcomes.get(line.outcome) ?? 0) + 1);
        for (const outcome of ['complete', 'failed', 'empty', 'stopped', 'incomplete']) {
          assert.ok((outcomes.get(outcome) ?? 0) >= 10, `${outcome}: ${outcomes.get(outcome)}`);
        }
        assert.ok(lines.length > 2 * each, 'attempts were repeated');
        assert.ok(open.length >= 20 && open.length < lines.length / 2);

        await assertSums(dir, lines);
      } finally {
        await service.close();
      }
    });
  });
});

/** What a third window shows is the sum of the lines, by whatever it is split. */
async function assertSums(dir: string, lines: readonly Billed[]): Promise<void> {
  const ledger = createLedger({ dir, clock: systemClock });
  await ledger.refresh();
  const all = await ledger.totals(everything);
  assert.equal(all.microUsd, sum(lines.map(({ line }) => line.microUsd)));
  assert.equal(all.requests, lines.length);
  assert.equal(all.notCharged, lines.filter(({ line }) => line.charge === 'no').length);
  assert.equal(all.estimated, true);
  for (const groups of [
    await ledger.byModel(everything),
    await ledger.bySurface(everything),
    await ledger.conversations(),
  ]) {
    assert.equal(sum([...groups.values()].map((totals) => totals.microUsd)), all.microUsd);
    assert.ok(groups.size > 1);
  }
  assert.equal((await ledger.bySurface(everything)).size, 9);
  assert.equal(ledger.damaged(), 0);
  await ledger.close();
}
