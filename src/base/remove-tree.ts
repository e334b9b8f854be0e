import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Removes a folder with all in it. Where the system has a program for that, this process is not held up by it. */
export async function removeTree(folder: string): Promise<void> {
  if (process.platform !== 'win32') await run('/bin/rm', ['-rf', '--', folder]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}
