import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testsByFile } from '../run/import-graph.ts';
import { readCosts } from '../run/long-tests.ts';
import { escapeTitle, unitJobs } from '../run/parts.ts';
import { someOf } from '../support/effort.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { getVsCode } from '../vscode/get-vscode.ts';
import { getWindowsNode, windowsPath } from './windows-node.ts';
import { startsGit, wineFaults } from './wine-faults.ts';

const usage = `npm run test:windows -- [files]  unit tests under the Node of Windows, with wine
npm run test:node22 -- [files]   unit tests under the Node of VS Code 1.106
npm run test:git -- PATH         unit tests that come to Git, with this one for the extension`;

const root = path.resolve(import.meta.dirname, '../..');
const runner = ['test/run/run.ts', 'unit', '--lanes', '1'];

/** What wine and this lane lack is left out, each with its reason; everything else counts. */
async function runOnWindows(files: readonly string[]): Promise<number> {
  const windows = await getWindowsNode();
  if (typeof windows === 'string') {
    console.log(`The tests for Windows are skipped: ${windows}\n\n0 passed, 0 failed, 1 skipped`);
    return 0;
  }
  const tests = testsByFile();
  const leftOut = new Set<string>();
  const begins: string[] = [];
  for (const { reason, needing = [], titles = {} } of wineFaults) {
    const whole = needing.flatMap((name) => tests.get(name) ?? []).filter((file) => files.includes(file));
    const named = files.flatMap((file) => titles[file.replace('test/unit/', '')] ?? []);
    for (const file of whole) leftOut.add(file);
    begins.push(...named.map((title) => escapeTitle(title)));
    if (whole.length + named.length > 0) console.log([`left out: ${reason}`, ...whole, ...named].join('\n  '));
  }
  const grep = begins.length > 0 ? ['--grep', `^(?!(?:${begins.join('|')}))`] : [];
  const run = files.filter((file) => !leftOut.has(file));
  const quirks = windowsPath(path.join(import.meta.dirname, 'wine-quirks.cjs'));
  // wine takes no pipes of this system as handles.
  const log = path.join(windows.folder, 'log.txt');
  const output = await open(log, 'w');
  const child = spawn('wine', [windows.node, ...runner, ...grep, ...run], {
    cwd: root,
    env: { ...process.env, ...windows.env, NODE_OPTIONS: `--require ${quirks}` },
    stdio: ['ignore', output.fd, output.fd],
  });
  const exited = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  for (let shown = 0; ; ) {
    const last = ended;
    const text = await readFile(log, 'utf8');
    process.stdout.write(text.slice(shown));
    shown = text.length;
    if (last) break;
    await delay(500);
  }
  await output.close();
  return exited;
}

function runUnits(program: string, files: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(program, [...runner, ...files], { cwd: root, stdio: 'inherit', env });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** Of the files that take not long some, others each day; what takes long is tried on Windows by night. */
function sample(files: readonly string[]): readonly string[] {
  const long = readCosts();
  return someOf(files.filter((file) => long[file] === undefined).toSorted(), 8);
}

exitOnSignal();
const [platform = '', ...given] = process.argv.slice(2);
const all = async () => (await unitJobs()).map(({ file }) => file);
const files = async () =>
  given.length > 0 ? given.map((file) => path.relative(root, path.resolve(file))) : await all();
if (platform === 'windows') process.exitCode = await runOnWindows(await files());
else if (platform === 'windows-sample') process.exitCode = await runOnWindows(sample(await all()));
else if (platform === 'node22') {
  process.exitCode = await runUnits((await getVsCode('1.106')).nodeBinary, await files());
} else if (platform === 'git' && given[0]) {
  const env = { ...process.env, SVC_TEST_GIT: path.resolve(given[0]) };
  process.exitCode = await runUnits(process.execPath, testsByFile().get(startsGit) ?? [], env);
} else console.log(usage);
