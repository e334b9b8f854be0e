import { setTimeout as delay } from 'node:timers/promises';
import type { Contender, Outcome } from '../contenders/contender.ts';
import { createRandom } from '../seeded-random.ts';
import { median } from '../statistics.ts';
import { pacedChunks } from '../stream-bodies.ts';
import { loadContender } from './load-contender.ts';
import { collectGarbage, cpuMsOf, longestBlockMsOf } from './measure.ts';
import type { StreamMetric, StreamResult, StreamTask } from './task.ts';

interface Entrant {
  name: string;
  contender: Contender;
}

/** How often each contender is measured in a round; its figure of the round is the median. */
const samples = { burst: 3, tools: 3, first: 30, paced: 2 };

const settleMs = 300;

/** P1–P4, warm: every round measures every contender, in an order of its own, right after one another. */
export async function measureStreams(task: StreamTask): Promise<StreamResult> {
  const entrants = task.contenders.map(({ name, file }) => ({ name, contender: loadContender(file) }));
  const reader = createReader(task);
  const result: StreamResult = {
    burstCpuMs: [],
    burstBlockMs: [],
    toolsCpuUs1000: [],
    toolsCpuUs8000: [],
    firstDeltaMs: [],
    pacedCpuUs: [],
  };
  const order = createRandom(task.seed + 2);
  await warmUp(task, entrants, reader);
  for (let round = 0; round < task.rounds; round++) {
    const inTurn = [...entrants]
      .map((entrant) => ({ entrant, at: order() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entrant }) => entrant);
    if (task.parts.includes('P1')) await burst(inTurn, reader, result);
    if (task.parts.includes('P2')) await tools(inTurn, reader, result);
    if (task.parts.includes('P3')) await first(inTurn, reader, result);
    if (task.parts.includes('P4')) await paced(inTurn, reader, result);
  }
  return result;
}

type Reader = (entrant: Entrant, scenario: string, onDelta?: () => void) => Promise<void>;

/** Reads one reply and rejects unless the contender handed over all of it. */
function createReader({ origin, expected }: StreamTask): Reader {
  return async ({ name, contender }, scenario, onDelta = () => {}) => {
    const outcome = await contender.read(`${origin}/${scenario}/v1`, onDelta);
    const wanted = expected[scenario];
    for (const part of ['textLength', 'argumentsLength'] satisfies (keyof Outcome)[]) {
      if (outcome[part] !== undefined && outcome[part] !== wanted?.[part]) {
        throw new Error(`${name} handed over ${outcome[part]} of ${wanted?.[part]} (${part} of ${scenario})`);
      }
    }
  };
}

async function warmUp(task: StreamTask, entrants: readonly Entrant[], read: Reader): Promise<void> {
  for (const entrant of entrants) {
    for (let turn = 0; turn < 3; turn++) {
      await read(entrant, 'first');
      if (task.parts.includes('P1') || task.parts.includes('P4')) await read(entrant, 'burst-20000');
      if (task.parts.includes('P2')) await read(entrant, 'tools-8000');
    }
  }
}

/**
 * All samples of a contender in a row, so that each pays for collecting its own garbage and nobody for that of others.
 */
async function burst(entrants: readonly Entrant[], read: Reader, result: StreamResult): Promise<void> {
  const cpuMs = new Samples();
  const blockMs = new Samples();
  for (const entrant of entrants) {
    await collectGarbage();
    await read(entrant, 'burst-20000');
    for (let sample = 0; sample < samples.burst; sample++) {
      cpuMs.add(entrant.name, await cpuMsOf(() => read(entrant, 'burst-20000')));
    }
    for (let sample = 0; sample < samples.burst; sample++) {
      blockMs.add(entrant.name, await longestBlockMsOf(() => read(entrant, 'burst-20000')));
    }
  }
  cpuMs.closeRound(result, 'burstCpuMs');
  // Whatever else runs on the machine only ever makes a pause longer; a block of our own is in every sample.
  blockMs.closeRound(result, 'burstBlockMs', (values) => Math.min(...values));
}

/** The same number of chunks on both sides: eight short calls against one long. */
async function tools(entrants: readonly Entrant[], read: Reader, result: StreamResult): Promise<void> {
  const short = new Samples();
  const long = new Samples();
  for (const entrant of entrants) {
    await collectGarbage();
    await read(entrant, 'tools-8000');
    for (let sample = 0; sample < samples.tools; sample++) {
      const shortMs = await cpuMsOf(async () => {
        for (let call = 0; call < 8; call++) await read(entrant, 'tools-1000');
      });
      const longMs = await cpuMsOf(() => read(entrant, 'tools-8000'));
      short.add(entrant.name, shortMs / 8);
      long.add(entrant.name, longMs / 8);
    }
  }
  short.closeRound(result, 'toolsCpuUs1000');
  long.closeRound(result, 'toolsCpuUs8000');
}

async function first(entrants: readonly Entrant[], read: Reader, result: StreamResult): Promise<void> {
  const firstMs = new Samples();
  await collectGarbage();
  for (let sample = 0; sample < samples.first; sample++) {
    for (const entrant of entrants) {
      const from = performance.now();
      let at: number | undefined;
      await read(entrant, 'first', () => {
        at ??= performance.now();
      });
      firstMs.add(entrant.name, (at ?? Number.NaN) - from);
    }
  }
  firstMs.closeRound(result, 'firstDeltaMs');
}

/** What the host burns anyway in that time is taken off, the same for all of a round. */
async function paced(entrants: readonly Entrant[], read: Reader, result: StreamResult): Promise<void> {
  const busy: { name: string; cpuMs: number; tookMs: number }[] = [];
  const idleMs: number[] = [];
  for (let sample = 0; sample < samples.paced; sample++) {
    for (const { name, contender } of entrants) {
      await collectGarbage();
      await delay(settleMs);
      idleMs.push(await cpuMsOf(() => delay(settleMs)));
      const from = performance.now();
      const cpuMs = await cpuMsOf(() => read({ name, contender }, 'paced'));
      busy.push({ name, cpuMs, tookMs: performance.now() - from });
    }
  }
  const cpuUs = new Samples();
  const idleShare = median(idleMs) / settleMs;
  for (const { name, cpuMs, tookMs } of busy) {
    cpuUs.add(name, ((cpuMs - idleShare * tookMs) * 1000) / pacedChunks);
  }
  cpuUs.closeRound(result, 'pacedCpuUs');
}

/** Collects one round's samples by contender. */
class Samples {
  readonly #byName = new Map<string, number[]>();

  add(name: string, value: number): void {
    const values = this.#byName.get(name);
    if (values) values.push(value);
    else this.#byName.set(name, [value]);
  }

  closeRound(result: StreamResult, metric: StreamMetric, typical = median): void {
    result[metric].push(Object.fromEntries([...this.#byName].map(([name, values]) => [name, typical(values)])));
  }
}
