import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcessTree, killProcessTree } from '../vscode/process-tree.ts';
import { cpuTimeMs } from './cpu-time.ts';
import type { Failure, Report } from './report.ts';
import type { TestEvent } from './test-event.ts';
import type { FileRequest, WorkerMessage } from './worker.ts';

export const projectRoot = path.resolve(import.meta.dirname, '../..');

/** A test file, run with mocha in a process that runs other files of its part too, one after the other. */
export interface FileJob {
  part: string;
  /** Relative to the project, with forward slashes. */
  file: string;
  /** Source of a regular expression for full titles. */
  grep?: string;
  /** Of a test that sets none itself. */
  timeoutMs: number;
  /** Full titles of tests that another day runs. */
  leaveOut?: readonly string[];
  /** Also the parts of long tables that other days run. */
  whole?: boolean;
  env?: Record<string, string | undefined>;
}

/** Work that tells its events itself. */
export interface TaskJob {
  part: string;
  file: string;
  run(tell: (event: TestEvent, log?: string) => void): Promise<void>;
  /** The same for the tests whose full titles match. */
  again?(grep: string): TaskJob;
}

export type Job = FileJob | TaskJob;

export interface PoolOptions {
  lanes: number;
  report: Report;
  /** A process that neither tells nor prints anything for so long hangs: it is ended, and its test has failed. */
  quietMs(): number;
  /** Whether the processor time of each test is measured, which takes some itself. */
  measures?: boolean;
}

export interface Pool {
  /** Runs all, a lane taking the next when it has ended one. */
  run(jobs: readonly Job[]): Promise<void>;
  /** What runs now, for a line of progress. */
  now(): string[];
  /** How long each job that has ended took, and each test of a second or more; the longest first. */
  times(): JobTime[];
  /** How many tests another day runs. */
  leftOut(): number;
}

export interface JobTime {
  part: string;
  file: string;
  /** Of one test. */
  title?: string;
  ms: number;
  /** Processor time, of a file where the system tells it, of a test where it is measured. */
  cpuMs?: number;
}

/** Runs jobs in lanes and tells the report; a job never rejects, what goes wrong in it is a failure there. */
export function createPool({ lanes, report, quietMs, measures = false }: PoolOptions): Pool {
  const running = new Map<Job, string>();
  const times: JobTime[] = [];
  let leftOut = 0;
  const runJob = async (job: Job, worker: Worker | undefined) => {
    running.set(job, '');
    const startedAt = performance.now();
    const tell = (event: TestEvent, log?: string) => {
      if (event.type === 'start') running.set(job, event.title);
      if (event.type === 'pass' && (event.ms >= 1000 || event.cpuMs !== undefined)) {
        times.push({ ...nameOf(job), title: event.title, ms: event.ms, cpuMs: event.cpuMs });
      }
      report.tell(job.part, job.file, event, log);
    };
    const fault = (failure: Pick<Failure, 'title' | 'error' | 'detail' | 'log'>) =>
      report.fault({ part: job.part, file: job.file, ...failure });
    let cpuMs: number | undefined;
    try {
      if ('run' in job) await job.run(tell);
      else {
        const ran = await runFile(job, worker ?? startWorker(job), { tell, fault, quietMs, measures });
        cpuMs = ran.cpuMs;
        leftOut += ran.leftOut;
      }
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      fault({ title: running.get(job) || '(start)', error: message.split('\n')[0] ?? '', detail: stack ?? message });
    }
    running.delete(job);
    times.push({ ...nameOf(job), ms: performance.now() - startedAt, cpuMs });
  };
  const lane = async (waiting: Job[]) => {
    let worker: Worker | undefined;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      if ('run' in job || worker?.part !== job.part || worker.hasEnded()) {
        await worker?.end();
        worker = 'run' in job ? undefined : startWorker(job);
      }
      await runJob(job, worker);
    }
    await worker?.end();
  };
  return {
    async run(jobs) {
      const waiting = [...jobs];
      await Promise.all(Array.from({ length: Math.min(lanes, jobs.length) }, () => lane(waiting)));
    },
    now: () =>
      [...running].map(([{ part, file }, title]) =>
        `${part} ${path.basename(file, '.test.ts')}: ${title}`.slice(0, 120),
      ),
    times: () => times.toSorted((a, b) => b.ms - a.ms),
    leftOut: () => leftOut,
  };
}

function nameOf({ part, file }: Job): Pick<JobTime, 'part' | 'file'> {
  return { part, file };
}

interface Worker {
  part: string;
  child: ChildProcess;
  hasEnded(): boolean;
  /** Resolves when it and all it started are gone. */
  end(): Promise<void>;
}

function startWorker({ part, env }: FileJob): Worker {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'worker.ts')], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const killAtExit = () => killProcessTree(child);
  process.once('exit', killAtExit);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  // A worker that died while it was being written to: its exit says so.
  child.on('error', () => undefined);
  return {
    part,
    child,
    hasEnded,
    async end() {
      process.off('exit', killAtExit);
      if (!hasEnded() && child.connected) {
        child.send('end');
        const late = setTimeout(() => void endProcessTree(child), 10_000);
        await exited;
        clearTimeout(late);
      }
      await endProcessTree(child);
    },
  };
}

interface Telling {
  tell(event: TestEvent, log: string): void;
  fault(failure: Pick<Failure, 'title' | 'error' | 'detail' | 'log'>): void;
  quietMs(): number;
  measures: boolean;
}

/** Returns the processor time that the file took, and how many of its tests another day runs. */
async function runFile(
  job: FileJob,
  worker: Worker,
  { tell, fault, quietMs, measures }: Telling,
): Promise<{ cpuMs?: number; leftOut: number }> {
  const { child } = worker;
  let leftOut = 0;
  const cpuBefore = cpuTimeMs(child.pid) ?? 0;
  let cpuAfter: number | undefined;
  const log = `out/test/${job.part.replace(/\W+/g, '-')}/${path.basename(job.file, '.ts')}.log`;
  const printed: string[] = [];
  let failures = 0;
  let title = '(while the file is loaded)';
  let lastSignAt = performance.now();
  const ended = Promise.withResolvers<void>();
  const fail = (error: string, detail: string) => {
    failures++;
    fault({ title, error, detail, log });
  };
  const onMessage = (message: WorkerMessage) => {
    lastSignAt = performance.now();
    if (message.type === 'done') {
      if (message.loadError !== undefined) fail(message.loadError.error, message.loadError.detail);
      cpuAfter = cpuTimeMs(child.pid);
      leftOut = message.leftOut ?? 0;
      ended.resolve();
      return;
    }
    if (message.type === 'start') title = message.title;
    if (message.type === 'fail') failures++;
    tell(message, log);
  };
  const onData = (chunk: Buffer) => {
    lastSignAt = performance.now();
    printed.push(String(chunk));
  };
  const onExit = (code: number | null, signal: string | null) => {
    const how = `the process ended with ${signal ?? `code ${code}`}`;
    fail(how, `${how}; what comes after this test in the file did not run\n${printed.join('').slice(-2000)}`);
    ended.resolve();
  };
  const watchdog = setInterval(() => {
    const limitMs = quietMs();
    if (performance.now() - lastSignAt < limitMs) return;
    clearInterval(watchdog);
    child.off('exit', onExit);
    const how = `no sign of life for ${Math.round(limitMs / 1000)} s: ended`;
    fail(how, `${how}; what comes after this test in the file did not run\n${printed.join('').slice(-2000)}`);
    void endProcessTree(child).then(ended.resolve, ended.reject);
  }, 500);
  child.on('message', onMessage).once('exit', onExit);
  child.stdout?.on('data', onData);
  child.stderr?.on('data', onData);
  const { grep, timeoutMs, leaveOut, whole } = job;
  const file = path.resolve(projectRoot, job.file);
  child.send({ file, grep, timeoutMs, leaveOut, whole, measures } satisfies FileRequest);
  try {
    await ended.promise;
    return { ...(cpuAfter !== undefined && { cpuMs: cpuAfter - cpuBefore }), leftOut };
  } finally {
    clearInterval(watchdog);
    child.off('message', onMessage).off('exit', onExit);
    child.stdout?.off('data', onData);
    child.stderr?.off('data', onData);
    if (failures > 0) {
      const output = path.join(projectRoot, log);
      await mkdir(path.dirname(output), { recursive: true });
      await writeFile(output, printed.join(''));
    }
  }
}
