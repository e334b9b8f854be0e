import path from 'node:path';
import { parseArgs } from 'node:util';
import { setDay } from '../support/effort.ts';
import { unpackBrowser } from '../vscode/browser.ts';
import { buildExtension, packageExtension } from '../vscode/build-extension.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { getVsCode, parseVsCodeVersion, type VsCodeVersion, vsCodeVersions } from '../vscode/get-vscode.ts';
import { checkJobs } from './check.ts';
import {
  changedJobs,
  dailyHostJob,
  dailyJobs,
  e2eJobs,
  hostJob,
  lateLast,
  packageJob,
  panelJobs,
  promiseJobs,
  unitJobs,
} from './parts.ts';
import { type Job, projectRoot } from './pool.ts';
import { runJobs } from './run-jobs.ts';

const usage = `npm test                              what every change must pass: of long tables of cases a part, another each day
npm test -- --changed                 types, and the unit tests nearest to what differs from the last commit
npm run test:all                      everything, as every night and before a release
npm run test:unit|host|panel|e2e|package -- [files] [options]
  --grep PATTERN       only tests whose full title matches
  --version 1.139|1.106  in this release of VS Code (host, e2e)
  --extension FOLDER   the extension to test (host)
  --vsix FILE          the package to test; one is made unless given (package)
  --lanes N            so many test processes at once (2)
  --costs              writes into test/run/long-tests.json which tests take long (unit, panel)
`;

const { values, positionals } = parseArgs({
  options: {
    grep: { type: 'string' },
    version: { type: 'string' },
    extension: { type: 'string' },
    vsix: { type: 'string' },
    lanes: { type: 'string', default: '2' },
    changed: { type: 'boolean' },
    costs: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
const [named = '', ...files] = positionals;
const part = values.changed ? 'changed' : named;
const { grep, extension, vsix } = values;
const version = parseVsCodeVersion(values.version);

/** Not the job of a lane: it waits for the network. Whoever needs it waits for it, and tells what went wrong. */
function fetchVsCode(versions: readonly VsCodeVersion[]): void {
  for (const each of versions) getVsCode(each).catch(() => undefined);
}

async function quickJobs(): Promise<Job[]> {
  const day = Number(process.env.SVC_TEST_SEED);
  const [panel, unit] = [dailyJobs(await panelJobs(), day), dailyJobs(await unitJobs(), day)];
  // The shortest at the end; windows where VS Code has come meanwhile.
  return lateLast([...checkJobs(), ...panel, await dailyHostJob(), ...promiseJobs(), ...unit]);
}

function loopJobs(): Job[] {
  const { jobs, left } = changedJobs();
  if (left > 0) console.log(`${left} more test files reach what changed; npm test runs them`);
  return [...jobs, ...checkJobs().slice(0, 1)];
}

async function allJobs(): Promise<Job[]> {
  const windows = [...vsCodeVersions.map((each) => hostJob(each)), ...(await e2eJobs({}))];
  return lateLast([...checkJobs(), ...(await unitJobs()), ...windows, packageJob(), ...(await panelJobs())]);
}

const choices: Record<string, () => Promise<Job[]>> = {
  quick: quickJobs,
  changed: async () => loopJobs(),
  all: allJobs,
  unit: () => unitJobs({ grep, files }),
  panel: () => panelJobs({ grep, files }),
  e2e: () => e2eJobs({ grep, files, version }),
  package: async () => [packageJob({ grep, vsix })],
  host: async () => (version ? [version] : vsCodeVersions).map((each) => hostJob(each, { grep, extension, files })),
};

exitOnSignal();
// Every process that a test starts reads the code that it loads as another one has compiled it.
process.env.NODE_COMPILE_CACHE ??= path.join(projectRoot, 'out/compile-cache');
const choose = choices[part];
if (values.help || choose === undefined) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 1;
} else {
  if (part === 'all') process.env.SVC_TEST_ALL = '1';
  if (part === 'quick') {
    setDay();
    console.log(
      `Of long tables this runs part ${process.env.SVC_TEST_SEED}, and another one tomorrow: SVC_TEST_SEED repeats it.`,
    );
  }
  if (part === 'quick') fetchVsCode(['1.139']);
  if (part === 'all') fetchVsCode(vsCodeVersions);
  if (!['unit', 'changed'].includes(part)) await unpackBrowser();
  // Before `dist/` is built for the other windows: the package has the names and pieces of a minified build.
  if (part === 'all' || (part === 'package' && vsix === undefined)) await packageExtension();
  // Once, for all windows.
  if (!['unit', 'changed', 'panel', 'package'].includes(part) && extension === undefined) await buildExtension();
  process.exitCode = await runJobs(await choose(), {
    lanes: Number(values.lanes),
    strict: part === 'all',
    mayBeEmpty: grep !== undefined,
    measures: values.costs,
  });
  // What a failed test left open must not keep the terminal.
  process.exit();
}
