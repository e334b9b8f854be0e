import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { lastDays } from '../../src/spend/days.ts';
import { createLedger } from '../../src/spend/ledger.ts';
import { costMicroUsd } from '../../src/spend/price.ts';
import { yearDays, yearEnd } from './ledger-lines.ts';
import { timed } from './longest-block.ts';

/** A window of its own: opens the ledger of argv[2], totals and charts the year, appends, and prints the milliseconds. */
const [, , dir = '', appends = '0'] = process.argv;

async function sequentialRead(): Promise<number> {
  const began = performance.now();
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (const name of (await readdir(dir)).filter((file) => file.endsWith('.jsonl'))) {
    const file = await open(path.join(dir, name));
    let bytesRead = 1;
    while (bytesRead > 0) ({ bytesRead } = await file.read(buffer, 0, buffer.length));
    await file.close();
  }
  return performance.now() - began;
}

async function openAndChart() {
  const ledger = createLedger({ dir, clock: { epochMs: () => yearEnd } });
  let [requests, rows] = [0, 0];
  const { ms, block } = await timed(async () => {
    await ledger.refresh();
    const year = lastDays(ledger.currentDay(), yearDays + 1);
    ({ requests } = await ledger.totals(year));
    rows = (await ledger.rows(year)).length;
  });
  return { open: ms, block, requests, rows, close: ledger.close };
}

async function append(count: number): Promise<number> {
  const ledger = createLedger({ dir, clock: { epochMs: () => yearEnd } });
  await ledger.refresh();
  const began = performance.now();
  for (let n = 0; n < count; n++) {
    await ledger.record({
      id: `${process.pid}-${began}-${n}`,
      at: yearEnd,
      model: 'svc/kimi-k3',
      surface: 'chat',
      promptTokens: 900,
      completionTokens: 100,
      totalTokens: 1000,
      microUsd: costMicroUsd(1000),
      estimated: false,
      charge: 'yes',
      outcome: 'complete',
    });
  }
  const ms = (performance.now() - began) / Math.max(1, count);
  await ledger.close();
  return ms;
}

const read = await sequentialRead();
const opened = await openAndChart();
const { close, ...figures } = opened;
await close();
const appendMs = await append(Number(appends));
console.log(JSON.stringify({ read, ...figures, append: appendMs }));
