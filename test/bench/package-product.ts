import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './bundle.ts';

const run = promisify(execFile);
const options = { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 };

/** Builds `dist/` as it is shipped. */
export async function buildProduct(): Promise<void> {
  await run('npm', ['run', '--silent', 'vscode:prepublish'], options);
}

/** Builds and packs; resolves with the absolute path of the package. */
export async function packageProduct(): Promise<string> {
  await run('npm', ['run', '--silent', 'package'], options);
  return path.join(projectRoot, 'dist/svc-assistant.vsix');
}
