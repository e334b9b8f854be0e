import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTempDir } from '../support/temp-dir.ts';
import type { TestBrowser } from '../vscode/browser.ts';
import { getVsCode } from '../vscode/get-vscode.ts';
import { freePort } from '../vscode/launch.ts';
import { endProcessTree, killProcessTree } from '../vscode/process-tree.ts';
import { waitFor } from '../vscode/wait-for.ts';
import type { Task } from './host/task.ts';

export interface HostTask {
  browser: TestBrowser;
  /** Absolute path of the module with `run()`. */
  hostModule: string;
  /** Absolute path of the only extension that this host has. */
  extension: string;
  task: Task;
  timeoutMs: number;
}

/** A host must have one extension to run a test module; this one does nothing. */
export const emptyExtension = path.join(import.meta.dirname, 'empty-extension');

/**
 * Performs one task in an extension host of its own, started for it and ended after it, with no extension but the given
 * one: those that VS Code carries would burn time in the same process. Resolves with what `host/index.ts` answered.
 */
export async function performInHost<Result>(work: HostTask): Promise<Result> {
  const temp = await makeTempDir('svc-bench-');
  try {
    const taskFile = path.join(temp.path, 'task.json');
    await writeFile(taskFile, JSON.stringify(work.task));
    await runHost(work, temp.path, taskFile);
    const answer = JSON.parse(await readFile(`${taskFile}.result`, 'utf8')) as { result: Result } | { error: string };
    if ('error' in answer) throw new Error(`in the extension host: ${answer.error}`);
    return answer.result;
  } finally {
    await temp.remove();
  }
}

async function runHost(work: HostTask, folder: string, taskFile: string): Promise<void> {
  const port = await freePort();
  const server = await startServer(port, folder, taskFile);
  const page = await work.browser.newPage();
  try {
    const exit = Promise.withResolvers<void>();
    await page.exposeFunction('codeAutomationLog', () => {});
    await page.exposeFunction('codeAutomationExit', () => exit.resolve());
    page.once('crash', () => exit.reject(new Error('the browser page crashed')));
    const timer = setTimeout(() => exit.reject(new Error(`no result after ${work.timeoutMs} ms`)), work.timeoutMs);
    await page.goto(addressOf(port, path.join(folder, 'workspace'), work));
    await exit.promise.finally(() => clearTimeout(timer));
  } finally {
    await page.close();
    await server.end();
  }
}

async function startServer(port: number, folder: string, taskFile: string): Promise<{ end(): Promise<void> }> {
  const install = await getVsCode('1.139');
  const data = path.join(folder, 'server');
  const noExtensions = path.join(folder, 'no-extensions');
  await Promise.all(
    [noExtensions, path.join(folder, 'workspace'), path.join(data, 'data/User')].map((name) =>
      mkdir(name, { recursive: true }),
    ),
  );
  await writeFile(path.join(data, 'data/User/settings.json'), JSON.stringify(quietSettings));
  const flags = [
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
    ...['--enable-smoke-test-driver', '--disable-telemetry', '--disable-experiments', '--disable-workspace-trust'],
    ...['--server-data-dir', data, '--extensions-dir', path.join(data, 'extensions')],
    ...['--builtin-extensions-dir', noExtensions],
  ];
  const kept = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name));
  const child = spawn(install.nodeBinary, [install.serverMain, ...flags], {
    detached: true,
    env: { ...Object.fromEntries(kept), SVC_BENCH_TASK: taskFile },
    stdio: 'ignore',
  });
  const killAtExit = () => killProcessTree(child);
  process.once('exit', killAtExit);
  const end = async () => {
    process.off('exit', killAtExit);
    await endProcessTree(child);
  };
  try {
    await waitFor('the VS Code server to answer', async () => (await fetch(`http://127.0.0.1:${port}/version`)).ok);
  } catch (error) {
    await end();
    throw error;
  }
  return { end };
}

const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
};

function addressOf(port: number, workspace: string, { extension, hostModule }: HostTask): string {
  const remote = (file: string) => `vscode-remote://localhost:${port}${file}`;
  const payload = [
    ['skipWelcome', 'true'],
    ['extensionDevelopmentPath', remote(extension)],
    ['extensionTestsPath', remote(hostModule)],
  ];
  return `http://localhost:${port}/?${new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) })}`;
}
