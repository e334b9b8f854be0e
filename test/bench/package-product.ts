import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './bundle.ts';

const run = promisify(execFile);
let packaged: Promise<string> | undefined;

/** Builds for production and packs, once a run; resolves with the absolute path of the package. */
export function packageProduct(): Promise<string> {
  packaged ??= run('npm', ['run', '--silent', 'package'], { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 }).then(() =>
    path.join(projectRoot, 'dist/svc-assistant.vsix'),
  );
  return packaged;
}
