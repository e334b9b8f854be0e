import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatCounts } from './counts.ts';
import { writeCosts } from './long-tests.ts';
import { escapeTitle } from './parts.ts';
import { createPool, type Job, type JobTime, projectRoot } from './pool.ts';
import { createReport, type Failure, type Report } from './report.ts';

export interface RunOptions {
  lanes: number;
  /** Whether a flaky test is a failure. */
  strict: boolean;
  /** Whether a part may have no test, because a pattern chooses. */
  mayBeEmpty: boolean;
  /** Whether the record of tests that take long is written anew for the files that run. */
  measures?: boolean;
  print?(text: string): void;
}

const progressMs = 10_000;
/** No sign of life: events, output, or the beat of an event loop that turns. */
const quietMs = () => 300_000;
/** More files than this fail for a reason that they share, and running them again would only take time. */
const mostAgain = 5;

/** Runs the jobs, then what failed once more alone; prints what goes on. Returns the exit code. */
export async function runJobs(jobs: readonly Job[], options: RunOptions): Promise<number> {
  const { lanes, strict, mayBeEmpty, measures = false, print = console.log } = options;
  const startedAt = performance.now();
  const report = createReport({ print, strict });
  const pool = createPool({ lanes, report, quietMs, measures });
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`.padStart(6);
  const progress = setInterval(() => {
    print(`${seconds()}  ${formatCounts(report.counts())}; now ${pool.now().join('; ')}`);
  }, progressMs);
  await pool.run(jobs);
  await saveTimes(pool.times());
  if (measures) saveCosts(jobs, pool.times());
  for (const part of new Set(jobs.map((job) => job.part))) {
    const { passed, failed } = report.counts(part);
    if (passed + failed > 0 || mayBeEmpty) continue;
    report.fault({ part, file: '(all)', title: '(none)', error: 'ran no test', detail: 'ran no test' });
  }
  await runAgain(jobs, report, print);
  clearInterval(progress);
  const others = pool.leftOut() > 0 ? `, ${pool.leftOut()} long tests left out` : '';
  const { passed, failed } = report.close(`${whereItRan()}${others}\n${seconds().trim()}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** What the figures of a run hold for; the release of VS Code is in the name of its part. */
function whereItRan(): string {
  const git = process.env.SVC_TEST_GIT ?? 'git';
  let gitVersion: string;
  try {
    gitVersion = execFileSync(git, ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    gitVersion = 'no git';
  }
  const { SVC_TEST_SEED: part, SVC_TEST_LANE: lane } = process.env;
  return `${lane === undefined ? '' : `${lane}: `}${process.platform}, Node.js ${process.version}, ${gitVersion}, ${part === undefined ? 'whole tables' : `part ${part} of the tables`}`;
}

/** The longest files and tests first, for whoever wants the tests to be faster. */
async function saveTimes(times: readonly JobTime[]): Promise<void> {
  const seconds = (ms: number | undefined) => `${ms === undefined ? '' : (ms / 1000).toFixed(1)}`.padStart(7);
  const lines = times.map(({ part, file, title = '', ms, cpuMs }) =>
    `${seconds(ms)} s ${seconds(cpuMs)} cpu  ${part}  ${file}  ${title}`.trimEnd(),
  );
  await mkdir(path.join(projectRoot, 'out'), { recursive: true });
  await writeFile(path.join(projectRoot, 'out/test-times.txt'), lines.join('\n'));
}

function saveCosts(jobs: readonly Job[], times: readonly JobTime[]): void {
  const tests = times.flatMap(({ file, title, cpuMs }) =>
    title === undefined || cpuMs === undefined ? [] : [{ file, title, seconds: cpuMs / 1000 }],
  );
  writeCosts(
    jobs.map(({ file }) => file),
    tests,
  );
}

/** Alone in a fresh process: a test that passes then is flaky, not broken. */
async function runAgain(jobs: readonly Job[], report: Report, print: (text: string) => void): Promise<void> {
  const failuresOf = (job: Job) => report.failures(job.part).filter(({ file }) => file === job.file);
  const failed = jobs.filter((job) => job.part !== 'check' && failuresOf(job).length > 0);
  if (failed.length > mostAgain) print(`\n${failed.length} files failed: too many to be run again`);
  for (const job of failed.length > mostAgain ? [] : failed) {
    print(`\nAgain, alone: ${job.part}: ${job.file}`);
    const passed = new Set<string>();
    let faults = 0;
    const second: Report = {
      ...report,
      tell(_part, _file, event) {
        if (event.type === 'pass') passed.add(event.title);
        if (event.type === 'fail') faults++;
      },
      fault: () => void faults++,
    };
    const first = failuresOf(job);
    await createPool({ lanes: 1, report: second, quietMs }).run([again(job, first)]);
    // A hook that failed has no test of its name.
    const isFlaky = ({ title }: Failure) => passed.has(title) || (faults === 0 && passed.size > 0);
    for (const failure of first.filter(isFlaky)) report.flaky(failure);
  }
}

/** The whole file, because tests of a window may build on each other. */
function again(job: Job, failures: readonly Failure[]): Job {
  if (!('run' in job) || job.again === undefined) return job;
  return job.again(failures.map(({ title }) => `^${escapeTitle(title)}$`).join('|'));
}
