import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { makeTempDir } from '../support/temp-dir.ts';
import { getVsCode, type VsCodeVersion } from './get-vscode.ts';
import { endProcessTree, killProcessTree } from './process-tree.ts';
import { startSecretKeeper } from './secret-keeper.ts';
import { isServerNoise } from './server-noise.ts';
import { waitFor } from './wait-for.ts';

export interface LaunchOptions {
  version?: VsCodeVersion;
  /** A folder or a `.code-workspace` file, opened by `url()` unless that is given another. */
  folder?: string;
  /** Server data folder: settings, state and logs. A temporary one, removed at `close`, unless given. */
  userDataDir?: string;
  extensionsDir?: string;
  /** User settings, written over the quiet defaults. */
  settings?: Record<string, unknown>;
  /** Absolute path of a package to install before starting. */
  installVsix?: string;
  /**
   * Absolute path of an extension's folder to run as if it were installed. Without it and without a package the server takes
   * development and test paths in `url()` instead, and then 1.139 shows no notification toasts: the two do not go together.
   */
  linkedExtension?: string;
  /** The user's own. */
  keybindings?: readonly { key: string; command: string }[];
  /** Folders of further extensions beside that one, plain JavaScript. */
  otherExtensions?: readonly string[];
  /** Keeps workspace trust on; tests that are not about trust run without the question. */
  workspaceTrust?: boolean;
  /** A home folder of its own: neither what this machine's shells do nor its user's instructions for assistants may decide about a test. */
  cleanHome?: boolean;
  /** Added to the environment of the server and so of the extension host; `undefined` removes a variable. */
  env?: Record<string, string | undefined>;
  /** A free one unless given. */
  port?: number;
  /** Every line the server writes, noise left out. */
  onLog?: (line: string) => void;
}

interface UrlOptions {
  /** Absolute path of the extension to run from its folder. */
  extensionDevelopmentPath?: string;
  /** Absolute path of a CommonJS module whose `run()` runs inside the extension host. */
  extensionTestsPath?: string;
}

export interface VsCodeServer {
  port: number;
  version: VsCodeVersion;
  realVersion: string;
  userDataDir: string;
  /** Absolute path of the release's root folder. */
  root: string;
  folder: string | undefined;
  /** Address that opens `folder` (or the launch folder) in a browser. */
  url(folder?: string, options?: UrlOptions): string;
  /** Everything the server wrote so far, noise left out. */
  log(): string;
  /** Merges into the user settings. A window takes them when it loads; one that is open may not notice the file. */
  writeSettings(settings: Record<string, unknown>): Promise<void>;
  /** Ends the server, its extension hosts and terminals. */
  close(): Promise<void>;
}

/** Nothing that asks, animates or calls home while a test runs. */
const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.reduceMotion': 'on',
  'workbench.tips.enabled': false,
  // The mouse rests where a test has clicked last: what pops up there covers what is clicked next.
  'workbench.hover.delay': 600_000,
  'workbench.enableExperiments': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
};

/** Starts a VS Code server on 127.0.0.1 and resolves when it answers. Ends with this process if `close` is not called. */
export async function launchServer(options: LaunchOptions = {}): Promise<VsCodeServer> {
  const install = await getVsCode(options.version ?? '1.139');
  const temp = options.userDataDir === undefined ? await makeTempDir('svc-vscode-') : undefined;
  const userDataDir = options.userDataDir ?? temp?.path ?? '';
  const settingsFile = path.join(userDataDir, 'data/User/settings.json');
  await mergeJson(settingsFile, { ...quietSettings, ...options.settings });
  if (options.keybindings !== undefined) {
    await writeFile(path.join(path.dirname(settingsFile), 'keybindings.json'), JSON.stringify(options.keybindings));
  }
  const port = options.port ?? (await freePort());
  const extensionsDir = options.extensionsDir ?? path.join(userDataDir, 'extensions');
  if (options.linkedExtension !== undefined) await linkExtension(extensionsDir, options.linkedExtension);
  for (const folder of options.otherExtensions ?? []) await linkExtension(extensionsDir, folder);
  const directories = ['--server-data-dir', userDataDir, '--extensions-dir', extensionsDir];
  const home = path.join(userDataDir, 'home');
  if (options.cleanHome) await mkdir(home, { recursive: true });
  const env = serverEnvironment({ ...(options.cleanHome ? homeVariables(home) : {}), ...options.env });
  if (options.installVsix !== undefined) {
    await installPackage(install.nodeBinary, [install.serverMain, ...directories], options.installVsix, env);
  }
  const serverPort = await freePort();
  const args = [install.serverMain, ...serverFlags(serverPort, options), ...directories];
  const child = spawn(install.nodeBinary, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const killAtExit = () => killProcessTree(child);
  process.once('exit', killAtExit);
  const lines = collectLines(child, options.onLog);
  let keeper: Awaited<ReturnType<typeof startSecretKeeper>> | undefined;
  const close = async () => {
    process.off('exit', killAtExit);
    await keeper?.close();
    await endProcessTree(child);
    await temp?.remove();
  };
  try {
    await waitUntilServing(child, serverPort, lines);
    keeper = await startSecretKeeper({ port, serverPort, dataDir: userDataDir });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port,
    version: install.version,
    realVersion: install.realVersion,
    userDataDir,
    root: install.root,
    folder: options.folder,
    url: (folder = options.folder, urlOptions = {}) => workbenchUrl(port, folder, urlOptions),
    log: () => lines.join('\n'),
    writeSettings: (settings) => mergeJson(settingsFile, settings),
    close,
  };
}

function serverFlags(port: number, options: LaunchOptions): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
    ...['--disable-telemetry', '--disable-experiments'],
    ...((options.linkedExtension ?? options.installVsix) === undefined ? ['--enable-smoke-test-driver'] : []),
    ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
  ];
}

/** A link in the extensions folder is an installed extension, found when the server first reads that folder. */
async function linkExtension(extensionsDir: string, folder: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const { publisher, name, version } = Object(manifest);
  const link = path.join(extensionsDir, `${publisher}.${name}-${version}`);
  await mkdir(extensionsDir, { recursive: true });
  await rm(link, { recursive: true, force: true });
  await symlink(folder, link, 'dir');
}

/** All that leads programs to a person's own files; without the last, they are looked for below the home folder. */
export function homeVariables(home: string): Record<string, string | undefined> {
  return { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: undefined };
}

/** Variables of an editor that this was started from would make the server talk to that editor. */
function serverEnvironment(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_COMPILE_|npm_)/.test(name),
  );
  return { ...Object.fromEntries(kept), ...extra };
}

function workbenchUrl(port: number, folder: string | undefined, options: UrlOptions): string {
  const payload: [string, string][] = [['skipWelcome', 'true']];
  const remote = (file: string) => `vscode-remote://localhost:${port}${path.resolve(file)}`;
  if (options.extensionDevelopmentPath !== undefined) {
    payload.push(['extensionDevelopmentPath', remote(options.extensionDevelopmentPath)]);
  }
  if (options.extensionTestsPath !== undefined)
    payload.push(['extensionTestsPath', remote(options.extensionTestsPath)]);
  const query = new URLSearchParams(folder === undefined ? { ew: 'true' } : openParameter(folder));
  query.set('payload', JSON.stringify(payload));
  return `http://localhost:${port}/?${query}`;
}

function openParameter(folder: string): Record<string, string> {
  const name = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return { [name]: path.resolve(folder) };
}

async function waitUntilServing(child: ChildProcess, port: number, lines: readonly string[]): Promise<void> {
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  const serving = await waitFor(
    'the VS Code server to answer',
    async () => {
      if (ended) return 'ended';
      const response = await fetch(`http://127.0.0.1:${port}/version`);
      return response.ok && 'serving';
    },
    { timeoutMs: 120_000 },
  );
  if (serving === 'ended') throw new Error(`the VS Code server ended at once:\n${lines.join('\n')}`);
}

function collectLines(child: ChildProcess, onLog?: (line: string) => void): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        if (isServerNoise(line)) continue;
        lines.push(line);
        onLog?.(line);
      }
    });
  }
  return lines;
}

async function installPackage(node: string, args: string[], vsix: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(node, [...args, '--install-extension', vsix, '--force'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = collectLines(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`installing ${path.basename(vsix)} failed (${code}):\n${lines.join('\n')}`);
}

async function mergeJson(file: string, values: Record<string, unknown>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const present: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  await writeFile(file, `${JSON.stringify({ ...Object(present), ...values }, null, 2)}\n`);
}

/** A port of 127.0.0.1 that nothing listens on. Rejects when `wanted` is taken. */
export async function freePort(wanted = 0): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(wanted, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
