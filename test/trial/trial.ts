import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { parseJson } from '../../src/base/parse-json.ts';
import { type CheckReport, checkService } from '../../src/service/check/check.ts';
import { createClient } from '../../src/service/client.ts';
import { parseModelList } from '../../src/service/models.ts';
import { createKeyMask, createRedactor, createSecretMask } from '../../src/service/redact.ts';
import { createLearned, type Learned } from '../../src/service/step/learned.ts';
import type { Transport } from '../../src/service/wire/transport.ts';
import { costMicroUsd } from '../../src/shared/money.ts';
import { createEstimator } from '../../src/spend/estimate.ts';
import { createLedger } from '../../src/spend/ledger.ts';
import { createMeteredClient } from '../../src/spend/metered-client.ts';
import { createImageStore } from '../../src/storage/image-store.ts';
import { toolDialect } from '../../src/tools/all-tools.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { type Exchange, observed, unreadIn } from './observe.ts';
import { type ModelFacts, probe } from './probe.ts';
import { openCommands } from './product.ts';
import { reportOf } from './report.ts';
import { runTask, type TaskResult } from './run-task.ts';
import { missingPrograms, type TrialTask } from './task.ts';

export interface TrialInput {
  baseUrl: string;
  key: string;
  /** Without them, all that the service lists. */
  models?: readonly string[];
  tasks: readonly TrialTask[];
  maxUsd: number;
  /** Where the report goes; made when there is something to report. */
  reportDir: string;
  clock: Clock;
  transport: Transport;
  timeouts: { firstEventMs: number; idleMs: number };
  maxTaskMs: number;
  signal: AbortSignal;
  /** Is told the price before anything costs. */
  agree(offer: Offer): Promise<boolean>;
  say(line: string): void;
}

export interface Offer {
  models: readonly string[];
  tasks: number;
  usualMicroUsd: number;
  maxUsd: number;
}

export interface Unknown {
  place: string;
  example: string;
  models: Set<string>;
  times: number;
  file?: string;
}

export interface TrialReport {
  at: string;
  check: CheckReport;
  models: readonly string[];
  facts: ReadonlyMap<string, ModelFacts>;
  learned: Learned;
  results: readonly TaskResult[];
  skipped: readonly { task: string; missing: readonly string[] }[];
  planned: number;
  unknown: readonly Unknown[];
  spentMicroUsd: number;
  maxUsd: number;
  /** Why it ended before everything was done. */
  end?: string;
}

export type TrialEnd = 'done' | 'declined' | 'not-begun' | 'cut-short';

/** Assumed: no real model has been measured yet. */
const assumedTaskTokens = 20_000;
const probeTokens = 2500;
/** At a time. The service has one provider behind it, so a crowd would measure its queue. */
const lanes = 3;
const maxRawFiles = 40;

/**
 * Runs the tasks by each model through the product, after the free checks and the user's consent to the price. Every
 * end leaves a report of what was done.
 */
export async function runTrial(input: TrialInput): Promise<TrialEnd> {
  const { clock, say, signal, key } = input;
  const redact = createRedactor(() => [key]);
  const temp = await makeTempDir('svc-trial-');
  const log = (line: string) => void appendFile(path.join(temp.path, 'log.txt'), `${redact(line)}\n`);
  const commands = openCommands(path.join(temp.path, 'commands'), log);
  const exchanges = keepUnknown({ dir: input.reportDir, redact });
  const ledger = createLedger({ dir: path.join(temp.path, 'ledger'), clock, dayOf: () => '2026-01-01' });
  try {
    const transport = observed(input.transport, exchanges.add);
    const access = { baseUrl: () => input.baseUrl, key: async () => key, transport, clock, redact };
    say('Free checks …');
    const check = await checkService(access, signal);
    const failed = check.lines.find(({ verdict }) => verdict === 'failed');
    if (failed !== undefined || signal.aborted) {
      say(redact(`${check.diagnosis.text} ${check.diagnosis.next}`));
      return 'not-begun';
    }
    await commands.ready();
    if (!commands.isSandboxed()) {
      say(
        'Commands of a model run in the sandbox only, and it does not work on this machine (Linux with bubblewrap, or macOS).',
      );
      return 'not-begun';
    }
    const listed = parseModelList(parseJson(exchanges.list())) ?? [];
    const models = input.models ?? listed.map(({ id }) => id);
    const strange = models.filter((model) => !listed.some(({ id }) => id === model));
    if (strange.length > 0) {
      say(`Not on the service's list: ${strange.join(', ')}. It has: ${listed.map(({ id }) => id).join(', ')}`);
      return 'not-begun';
    }
    const skipped = input.tasks.flatMap((task) => {
      const missing = missingPrograms(task);
      return missing.length > 0 ? [{ task: task.name, missing }] : [];
    });
    for (const { task, missing } of skipped) say(`Skipped, ${missing.join(' and ')} is missing: ${task}`);
    const tasks = input.tasks.filter(({ name }) => !skipped.some(({ task }) => task === name));
    const usualMicroUsd = costMicroUsd(models.length * (tasks.length * assumedTaskTokens + probeTokens));
    if (!(await input.agree({ models, tasks: tasks.length, usualMicroUsd, maxUsd: input.maxUsd }))) return 'declined';

    await ledger.refresh();
    const limits = () => ({ dailyLimitUsd: input.maxUsd });
    const learned = createLearned({}, () => undefined);
    const estimator = createEstimator(undefined, () => undefined);
    const images = createImageStore(temp.path);
    const client = createClient({
      ...{ ...access, learned, log, random: Math.random, newId: randomUUID },
      readImage: images.read,
      modelIds: () => listed.map(({ id }) => id),
      // The answer of another model would be counted as this one's.
      fallback: () => ({ enabled: false, order: [] }),
      promptTokens: (request) => estimator.prompt(request).tokens,
      maskKeys: createKeyMask(() => [key]),
      recognises: toolDialect.recognises,
      timeouts: () => input.timeouts,
    });
    const onError = (error: unknown) => log(String(error));
    const metered = createMeteredClient({ client, ledger, limits, estimator, clock, onError });
    const facts = new Map<string, ModelFacts>();
    const results: TaskResult[] = [];
    let end: string | undefined;
    const write = () =>
      writeReport(input, redact, {
        ...{ at: new Date(clock.epochMs()).toISOString(), check, models, facts, learned, results, skipped },
        ...{ planned: models.length * tasks.length, unknown: exchanges.all(), maxUsd: input.maxUsd },
        spentMicroUsd: ledger.today().microUsd,
        ...(end !== undefined && { end }),
      });
    const isOver = () => end !== undefined || signal.aborted;
    const oneModel = async (model: string) => {
      if (isOver()) return;
      facts.set(model, await probe({ ...access, metered, learned, images, signal }, model));
      for (const [at, task] of tasks.entries()) {
        if (isOver()) return;
        const dir = path.join(temp.path, `${models.indexOf(model)}-${at}`);
        const transcript = path.join(
          input.reportDir,
          'transcripts',
          `${model.replaceAll('/', '-')}-${task.name}.jsonl`,
        );
        await mkdir(path.dirname(transcript), { recursive: true });
        const result = await runTask(task, {
          ...{ dir, model, signal, maxMs: input.maxTaskMs },
          deps: {
            ...{ commands, metered, limits, ledger, estimator, learned, images, clock, log },
            modelIds: () => models,
            maskKeys: createSecretMask(() => [key]),
          },
          keep: (event) => void appendFile(transcript, `${redact(JSON.stringify(event))}\n`),
        });
        await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
        results.push(result);
        say(redact(lineOf(result, results.length, models.length * tasks.length)));
        if (result.end === 'cap') end = `the cap of $${input.maxUsd} was reached`;
        await write();
      }
    };
    await inLanes(models, oneModel);
    if (signal.aborted) end = 'stopped by its user';
    await write();
    return end === undefined ? 'done' : 'cut-short';
  } finally {
    commands.dispose();
    await ledger.close();
    await temp.remove();
  }
}

async function inLanes<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function lineOf({ model, task, end, seconds, attempts, detail }: TaskResult, at: number, of: number): string {
  const why = end === 'solved' || end === 'failed' ? '' : ` (${detail.split('\n')[0]})`;
  return `${at}/${of}  ${model}  ${task}: ${end}${why}, ${attempts.length} requests, ${seconds} s`;
}

async function writeReport(
  { reportDir, baseUrl }: Pick<TrialInput, 'reportDir' | 'baseUrl'>,
  redact: (text: string) => string,
  report: TrialReport,
): Promise<void> {
  await mkdir(reportDir, { recursive: true });
  // Whose service it is stays with its user.
  const text = redact(reportOf(report)).replaceAll(baseUrl, '{base_url}');
  await writeFile(path.join(reportDir, 'report.md'), text);
}

/** Keeps the raw bodies of answers in which something stood that the product does not read. */
function keepUnknown({ dir, redact }: { dir: string; redact(text: string): string }) {
  const unknown = new Map<string, Unknown>();
  let list = '';
  let files = 0;
  return {
    list: () => list,
    all: () => [...unknown.values()],
    add(exchange: Exchange) {
      if (exchange.request === 'GET /v1/models' && exchange.status === 200) list ||= exchange.body;
      // Only the answers to what the product asks for; the check also asks for what must not be there.
      if (exchange.model === '') return;
      const unread = [...unreadIn(exchange)];
      const fresh = unread.filter(([place]) => !unknown.has(place));
      const file = fresh.length > 0 && files < maxRawFiles ? `raw-${++files}.txt` : undefined;
      for (const [place, example] of fresh)
        unknown.set(place, { place, example: redact(example), models: new Set(), times: 0, ...(file && { file }) });
      for (const [place] of unread) {
        const known = unknown.get(place);
        known?.models.add(exchange.model);
        if (known) known.times += 1;
      }
      if (file) void keepRaw(path.join(dir, file), redact, exchange);
    },
  };
}

async function keepRaw(file: string, redact: (text: string) => string, exchange: Exchange): Promise<void> {
  const { request, model, status, contentType, body } = exchange;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, redact(`${request} ${model}\nHTTP ${status} ${contentType}\n\n${body}\n`));
}
