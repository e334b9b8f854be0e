import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as nodeFs from 'node:fs/promises';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import type { ChatRequest, ServiceClient } from '../../../src/service/contract.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createLedger, type Ledger } from '../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../src/spend/metered-client.ts';
import { createReservations } from '../../../src/spend/reservations.ts';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { someOf } from '../../support/effort.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { sampleAttempt } from './ledger-samples.ts';

const clock = { epochMs: () => Date.now() };
const program = fileURLToPath(new URL('paying-window.ts', import.meta.url));
const everything = { from: '0001-01-01', to: '9999-01-01' };

async function openWindow(args: readonly string[]): Promise<{ go(): Promise<void>; ended: Promise<string> }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      said += piece.toString();
      if (said.includes('ready\n')) resolve();
    });
    child.once('exit', () => reject(new Error('the window ended early')));
  });
  const ended = once(child, 'exit').then(() => said.replace('ready\n', '').trim());
  await ready;
  return { go: () => writeFile(args[2] ?? '', ''), ended };
}

async function withService(use: (dir: string, service: LocalService) => Promise<void>): Promise<void> {
  await withTempDir(async (dir) => {
    const service = await startLocalService();
    try {
      await use(dir, service);
    } finally {
      await service.close();
    }
  });
}

/** What the ledger says after a new window has looked at it. */
async function lookAt<T>(dir: string, look: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = createLedger({ dir, clock });
  await ledger.refresh();
  const found = await look(ledger);
  await ledger.close();
  return found;
}

const request: ChatRequest = {
  model: 'svc/glm-5.3',
  messages: [{ role: 'user', text: 'x'.repeat(35_000) }],
  surface: 'chat',
};

/** A window in this process whose request waits until it is let go. */
function openHere(dir: string, dailyLimitUsd: number) {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let sent = 0;
  const attempt = sampleAttempt({ requestId: `r-${Math.random()}`, startedAt: Date.now() });
  const stream: ServiceClient['stream'] = async (_, onEvent) => {
    sent += 1;
    onEvent({ type: 'requestSent', requestId: attempt.requestId, model: request.model, at: attempt.startedAt });
    await gate;
    onEvent({ type: 'attemptEnded', attempt });
    return { outcome: 'done', reply: wholeReply(request.model, { text: 'hi' }), attempts: [attempt] };
  };
  const client: ServiceClient = {
    stream,
    complete: stream,
    listModels: async () => ({ ok: true, models: [] }),
    checkKey: async () => ({ state: 'accepted' }),
  };
  const ledger = createLedger({ dir, clock });
  const metered = createMeteredClient({
    client,
    ledger,
    limits: () => ({ dailyLimitUsd }),
    estimator: createEstimator(undefined),
    clock,
    onError: assert.ifError,
  })({ surface: 'chat', conversationId: 'c' });
  return {
    ledger,
    letGo,
    sent: () => sent,
    ask: () => metered.stream(request, () => undefined, new AbortController().signal),
  };
}

const filesUnderWay = (dir: string) => readdir(path.join(dir, 'under-way')).catch(() => []);

describe('requests under way in the shared ledger', () => {
  const cost = (createEstimator(undefined).prompt(request).tokens * 0.33) / 1e6;

  it('U4 a request of another window counts while it is under way, and not twice when it has ended', async () => {
    await withTempDir(async (dir) => {
      const [first, second] = [openHere(dir, cost * 1.5), openHere(dir, cost * 1.5)];
      const running = first.ask();
      while (first.sent() === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal((await filesUnderWay(dir)).length, 1, 'written before it was sent');
      const refused = await second.ask();
      assert.ok(refused.outcome === 'failed' && refused.failure.kind === 'over-budget');
      first.letGo();
      assert.equal((await running).outcome, 'done');
      await first.ledger.close();
      assert.deepEqual(await filesUnderWay(dir), []);
      await second.ledger.refresh();
      assert.equal(second.ledger.today().requests, 1);
      await second.ledger.close();
    });
  });

  it('U4 what was refused or stopped leaves nothing behind', async () => {
    await withTempDir(async (dir) => {
      const window = openHere(dir, cost / 2);
      assert.equal((await window.ask()).outcome, 'failed');
      assert.deepEqual(await filesUnderWay(dir), []);
      await window.ledger.close();
    });
  });

  it('U4 two windows that ask at one moment do not both get the last of a limit', async () => {
    await withService(async (dir, { baseUrl, requests }) => {
      // Room for one and a half of the windows' prompts.
      const limit = String((4004 * 1.06 * 1.5 * 0.33) / 1e6);
      const rounds = 4;
      for (let round = 0; round < rounds; round++) {
        const ledger = path.join(dir, String(round));
        const go = path.join(dir, `go${round}`);
        const windows = await Promise.all([0, 1].map(() => openWindow([ledger, baseUrl, go, '0', limit])));
        await windows[0]?.go();
        const outcomes = await Promise.all(windows.map(({ ended }) => ended));
        assert.deepEqual(outcomes.map((said) => said.split(' ')[0]).sort(), ['done', 'failed'], String(round));
      }
      assert.equal(requests.filter(({ method }) => method === 'POST').length, rounds);
    });
  });

  it('U4 E03 E17 killed at any event of a turn, a window leaves what its requests may have cost, once', async function () {
    this.timeout(300_000);
    await withService(async (dir, service) => {
      const text = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');
      const script = { settings: { chunkDelayMs: 1 }, replies: [{ text, times: 99 }] };
      service.script(script);
      const args = (ledger: string, at: number) => [
        path.join(dir, ledger),
        service.baseUrl,
        path.join(dir, 'go'),
        String(at),
        '',
        '2',
      ];
      const whole = await openWindow(args('whole', 0));
      await whole.go();
      const [outcome, ...ends] = (await whole.ended).split(' ');
      assert.equal(outcome, 'done');
      const [first = 0, last = 0] = ends.map(Number);
      // The ends of both requests, and moments around them; with more time, moments all along the way.
      const between = process.env.SVC_TEST_ALL === '1' ? 40 : 2;
      const spread = Array.from({ length: between }, (_, at) => Math.ceil(((at + 1) * last) / (between + 1)));
      const moments = new Set([
        1,
        2,
        3,
        4,
        5,
        ...spread,
        first - 1,
        first,
        first + 1,
        first + 2,
        last - 2,
        last - 1,
        last,
      ]);
      for (const at of someOf([...moments], 3)) {
        const ledger = path.join(dir, `at${at}`);
        const chargesBefore = service.charges.length;
        const requestsBefore = service.requests.length;
        const window = await openWindow(args(`at${at}`, at));
        await window.ended;
        const sent = service.requests.at(-1);
        await service.waitForRequest(
          (seen) => seen === sent && (seen.closedByClientAt !== undefined || seen.finishedAt !== undefined),
          60_000,
        );
        const bill = service.charges.slice(chargesBefore).reduce((sum, { microUsd }) => sum + microUsd, 0);
        const sentRequests = service.requests.length - requestsBefore;
        const spent = await lookAt(ledger, (open) => open.totals(everything));
        // The estimate of the prompt may be off by a fifth, and the reply has grown by a little since it was last noted.
        const notNoted = 33 * 400 * 0.01;
        assert.ok(spent.microUsd >= bill * 0.8 - notNoted, `event ${at} of ${last}: ${spent.microUsd} of ${bill}`);
        // Noted before it is sent, so the last one may never have left.
        const notSent = spent.requests - sentRequests;
        assert.ok(notSent === 0 || notSent === 1, `event ${at}: ${spent.requests} of ${sentRequests}`);
        // Pieces arrive joined in other ways each time, so a window may have come to its end.
        if (!spent.estimated) assert.equal(spent.microUsd, bill);
        assert.deepEqual(await filesUnderWay(ledger), []);
        const again = await lookAt(ledger, (open) => open.totals(everything));
        assert.deepEqual(again, spent, 'once');
      }
    });
  });

  it('U4 U24 a request that ends while the others are read counts no longer', async () => {
    await withTempDir(async (dir) => {
      let whileRead = async (): Promise<void> => undefined;
      const fs = {
        ...nodeFs,
        async readFile(file: string, encoding: 'utf8') {
          const text = await nodeFs.readFile(file, encoding);
          await whileRead();
          return text;
        },
      } as unknown as StorageFs;
      const reservations = createReservations({ dir, clock, fs });
      const held = reservations.open({
        surface: 'chat',
        conversationId: 'c',
        model: request.model,
        promptTokens: 10_000,
      });
      await held.written;
      const ended = held.end();
      // The file is read, and then gone before anybody asks whose it was.
      whileRead = () => ended;
      const microUsd = (await reservations.underWay('c')).conversationMicroUsd;
      await ended;
      assert.equal(microUsd, 0);
    });
  });
});
