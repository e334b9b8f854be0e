import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { escapeTitle, unitJobs } from '../run/parts.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { getVsCode } from '../vscode/get-vscode.ts';
import { getWindowsNode, windowsPath } from './windows-node.ts';
import { notOnNode22, wineFaults } from './wine-faults.ts';

const usage = `npm run test:windows -- [files]  unit tests under the Node of Windows, with wine
npm run test:node22 -- [files]   unit tests under the Node of VS Code 1.106`;

const root = path.resolve(import.meta.dirname, '../..');
const runner = ['test/run/run.ts', 'unit', '--lanes', '1'];

/** Its own faults are left out, each with its reason; everything else counts. */
async function runOnWindows(files: readonly string[]): Promise<number> {
  const windows = await getWindowsNode();
  if (typeof windows === 'string') {
    console.log(`${windows}\n0 passed, 0 failed, 1 skipped`);
    return 0;
  }
  for (const { reason, files: ofFiles = [], titles = [] } of wineFaults) {
    console.log(`left out: ${reason}`);
    for (const name of [...ofFiles, ...titles]) console.log(`  ${name}`);
  }
  const begins = wineFaults.flatMap(({ titles = [] }) => titles.map((title) => escapeTitle(title)));
  const grep = `^(?!(?:${begins.join('|')}))`;
  const leftOut = wineFaults.flatMap(({ files: ofFiles = [] }) => ofFiles);
  const run = (await chosenFiles(files)).filter((file) => !isOneOf(file, leftOut));
  const quirks = windowsPath(path.join(import.meta.dirname, 'wine-quirks.cjs'));
  // wine takes no pipes of this system as handles.
  const log = path.join(windows.folder, 'log.txt');
  const output = await open(log, 'w');
  const child = spawn('wine', [windows.node, ...runner, '--grep', grep, ...run], {
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

async function runOnNode22(files: readonly string[]): Promise<number> {
  const { nodeBinary } = await getVsCode('1.106');
  console.log(`left out: ${notOnNode22.reason}\n  ${notOnNode22.files.join('\n  ')}`);
  const run = (await chosenFiles(files)).filter((file) => !isOneOf(file, notOnNode22.files));
  const child = spawn(nodeBinary, [...runner, ...run], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function chosenFiles(files: readonly string[]): Promise<readonly string[]> {
  return files.length > 0 ? files : (await unitJobs()).map(({ file }) => file);
}

function isOneOf(file: string, names: readonly string[]): boolean {
  return names.some((name) => file.endsWith(`test/unit/${name}`));
}

exitOnSignal();
const [platform = '', ...files] = process.argv.slice(2);
if (platform === 'windows') process.exitCode = await runOnWindows(files);
else if (platform === 'node22') process.exitCode = await runOnNode22(files);
else console.log(usage);
