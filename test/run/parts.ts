import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleSuite, suiteFiles } from '../host/bundle-suite.ts';
import { runInHost } from '../host/run-in-host.ts';
import { someOf } from '../support/effort.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import type { VsCodeVersion } from '../vscode/get-vscode.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { testsByFile, tsFiles } from './import-graph.ts';
import { type Costs, leftToOtherDays, readCosts } from './long-tests.ts';
import { type FileJob, type Job, projectRoot, type TaskJob } from './pool.ts';

export interface Choice {
  /** Source of a regular expression for full titles. */
  grep?: string | undefined;
  /** Only these, as paths relative to the project. */
  files?: readonly string[] | undefined;
}

const minute = 60_000;
/** Compares with the ripgrep of VS Code, which may still be on its way when the other units run. */
const late = 'test/unit/tools/search.test.ts';

/** The jobs in their order, those that need what others get at the end. */
export function lateLast(jobs: readonly Job[]): Job[] {
  return [...jobs.filter(({ file }) => file !== late), ...jobs.filter(({ file }) => file === late)];
}

export async function unitJobs({ grep, files }: Choice = {}): Promise<FileJob[]> {
  const all = await testFiles('test/unit/**/*.test.ts', files);
  return all.map((file) => ({ part: 'unit', file, grep, timeoutMs: 2 * minute }));
}

const nearestOfChanged = 6;

/** The lines that it prints; none where it fails. */
function git(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  return (stdout ?? '').split('\n').filter((line) => line !== '');
}

/** What differs from the last commit. */
function changedFiles(): string[] {
  return git('status', '--porcelain', '-uall', '--no-renames').map((line) => line.slice(3));
}

/** Judge the text of the whole project, so every change: imports lead to none of them. */
const judgesOfAll = /^test\/unit\/(?:l10n\/)?[^/]+\.test\.ts$/;

/** The tests that name one of these files, which are no source. */
function naming(files: readonly string[]): string[] {
  const names = files.filter((file) => !/\.tsx?$/.test(file)).map((file) => path.basename(file));
  const texts = tsFiles('test/unit').filter((file) => file.endsWith('.test.ts'));
  return texts.filter((file) => {
    const text = names.length > 0 ? readFileSync(path.join(projectRoot, file), 'utf8') : '';
    return names.some((name) => text.includes(`${name}'`));
  });
}

/**
 * Is for a developer's loop: the unit tests that reach what differs from the last commit, the nearest first, those that name
 * it or judge the whole project, and those that were changed themselves. `npm test` runs the tests in them that take long,
 * and the test files beyond, which `left` counts.
 */
export function changedJobs(): { jobs: Job[]; left: number } {
  const changed = changedFiles();
  const tests = testsByFile();
  const own = changed.filter(
    (file) => /^test\/unit\/.*\.test\.ts$/.test(file) && existsSync(path.join(projectRoot, file)),
  );
  const reaching = [
    ...new Set([
      ...own,
      ...changed.flatMap((file) => (tests.get(file) ?? []).slice(0, nearestOfChanged)),
      ...naming(changed),
      ...(changed.length > 0 ? tsFiles('test/unit').filter((file) => judgesOfAll.test(file)) : []),
    ]),
  ];
  const all = new Set([...reaching, ...changed.flatMap((file) => tests.get(file) ?? [])]);
  const costs = readCosts();
  const long = (file: string) => (own.includes(file) || judgesOfAll.test(file) ? [] : Object.keys(costs[file] ?? {}));
  const jobs = reaching.map((file) => ({ part: 'unit', file, leaveOut: long(file), timeoutMs: 2 * minute }));
  return { jobs, left: all.size - reaching.length };
}

export async function panelJobs({ grep, files }: Choice = {}): Promise<FileJob[]> {
  const all = await testFiles('test/panel/*.test.ts', files);
  return all.map((file) => ({ part: 'panel', file, grep, timeoutMs: 3 * minute }));
}

/** In a VS Code window each; `version` is the release of the tests that name none. */
export async function e2eJobs({ grep, files, version }: Choice & { version?: string }): Promise<Job[]> {
  const all = await testFiles('test/e2e/*.test.ts', files);
  return all.map((file) => e2eJob(file, grep, version));
}

function e2eJob(file: string, grep?: string, version?: string): FileJob {
  return { part: 'e2e', file, grep, timeoutMs: 10 * minute, env: version ? { SVC_TEST_VSCODE: version } : {} };
}

/** One way from end to end for each thing that the README promises; every other end-to-end test is in `test:all`. */
const promises: readonly { file: string; titles: readonly string[] }[] = [
  { file: 'agent', titles: ['F14 F16 F17 E10 edits three files'] },
  { file: 'agent', titles: ['F15 X27 runs an approved command'] },
  { file: 'native-chat', titles: ['F27 offers each model once', 'F27 U12 answers in the panel'] },
  { file: 'two-windows', titles: ['E07 ux 2.2 a second window', 'E21 F5 a host that dies'] },
  { file: 'bad-days', titles: ['S9 S10 U7 another model'] },
];

/** The way from a first start to an answer each day, and another one of the others. */
export function promiseJobs(): Job[] {
  const today = [{ file: 'first-question', titles: [''] }, ...someOf(promises, promises.length)];
  return today.map(({ file, titles }) => e2eJob(`test/e2e/${file}.test.ts`, titles.map(escapeTitle).join('|')));
}

/** The package, installed into a VS Code of its own; `vsix` is the one that was just made unless given. */
export function packageJob({ grep, vsix }: { grep?: string; vsix?: string } = {}): FileJob {
  const env = vsix === undefined ? {} : { SVC_TEST_VSIX: path.resolve(vsix) };
  return { part: 'package', file: 'test/package/package.test.ts', grep, timeoutMs: 4 * minute, env };
}

/** For a title in a regular expression. */
export function escapeTitle(title: string): string {
  return title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

export interface HostChoice {
  grep?: string | undefined;
  /** The extension's folder; the project unless given. */
  extension?: string | undefined;
  /** Only these of `test/host/suite`. */
  files?: readonly string[] | undefined;
}

/** Of the files of the suite some, others each day, and those that were changed last. */
export async function dailyHostJob(): Promise<TaskJob> {
  const all = (await suiteFiles()).map((file) => `test/host/suite/${file}`);
  const changed = all.filter((file) => wholeToday().has(file));
  return hostJob('1.139', { files: [...new Set([...someOf(all, 4), ...changed])] });
}

/** All of `test/host/suite` in one window; what it logs beside is in `out/host-<version>.log`. */
export function hostJob(version: VsCodeVersion, { grep, extension, files }: HostChoice = {}): TaskJob {
  return {
    part: `host ${version}`,
    file: 'test/host/suite',
    again: (titles) => hostJob(version, { grep: titles, extension, files }),
    async run(tell) {
      const temp = await makeTempDir('svc-host-');
      const log = `out/host-${version}.log`;
      const lines: string[] = [];
      try {
        const folder = await copySampleWorkspace(path.join(temp.path, 'workspace'));
        const exitCode = await runInHost({
          launch: {
            ...{ version, folder, cleanHome: true, env: { SVC_TEST_GREP: grep } },
            otherExtensions: [path.join(projectRoot, 'test/host/github-extension')],
          },
          extensionDevelopmentPath: path.resolve(extension ?? projectRoot),
          extensionTestsPath: await bundleSuite(files),
          onEvent: (event) => tell(event, log),
          onLine: (line) => lines.push(line),
        });
        if (exitCode !== 0) lines.push(`the suite ended with ${exitCode}`);
      } finally {
        await temp.remove();
        await mkdir(path.join(projectRoot, 'out'), { recursive: true });
        await writeFile(path.join(projectRoot, log), lines.join('\n'));
      }
    },
  };
}

async function testFiles(pattern: string, wanted: readonly string[] = []): Promise<string[]> {
  if (wanted.length === 0) {
    const found: string[] = [];
    for await (const file of glob(pattern, { cwd: projectRoot })) found.push(file.replaceAll('\\', '/'));
    return longestFirst(found.toSorted(), readCosts());
  }
  for (const file of wanted) await readFile(path.resolve(projectRoot, file));
  return wanted.map((file) => path.relative(projectRoot, path.resolve(projectRoot, file)).replaceAll('\\', '/'));
}

/** So that no lane waits for the other in the end. What takes no long test counts by its size. */
function longestFirst(files: readonly string[], costs: Costs, left?: ReadonlyMap<string, readonly string[]>): string[] {
  const weight = (file: string) => {
    const others = new Set(left?.get(file));
    const long = Object.entries(costs[file] ?? {}).filter(([title]) => !others.has(title));
    return long.reduce((sum, [, seconds]) => sum + seconds, statSync(path.join(projectRoot, file)).size / 30_000);
  };
  const weights = new Map(files.map((file) => [file, weight(file)]));
  return files.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
}

/**
 * What `npm test` runs of these files: each long test on one day of several. What was changed last, or stands next to it,
 * runs whole.
 */
export function dailyJobs(jobs: readonly FileJob[], day: number): FileJob[] {
  const costs = readCosts();
  const files = jobs.map(({ file }) => file);
  const changed = wholeToday();
  const left = leftToOtherDays(
    costs,
    files.filter((file) => !changed.has(file) && !judgesOfAll.test(file)),
    day,
  );
  const order = longestFirst(files, costs, left);
  return jobs
    .map((job) => (changed.has(job.file) ? { ...job, whole: true } : { ...job, leaveOut: left.get(job.file) }))
    .sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file));
}

let whole: ReadonlySet<string> | undefined;

/** Test files that differ from the commit before the last, and the nearest to each other file that does. */
function wholeToday(): ReadonlySet<string> {
  if (whole !== undefined) return whole;
  const changed = [...changedFiles(), ...git('diff', '--name-only', 'HEAD~1', 'HEAD')];
  const tests = testsByFile();
  whole = new Set(
    changed.flatMap((file) => (file.endsWith('.test.ts') ? [file] : (tests.get(file) ?? []).slice(0, 1))),
  );
  return whole;
}
