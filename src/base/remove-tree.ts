import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Also removes folders that their owner may not write in, as package managers leave them. */
export async function removeTree(folder: string): Promise<void> {
  // This process would be held up by tens of thousands of files.
  for (const program of process.platform === 'win32' ? [] : ['/bin/rm -rf', '/bin/chmod -R u+rwx', '/bin/rm -rf']) {
    const [file = '', ...options] = program.split(' ');
    const isDone = await run(file, [...options, '--', folder]).catch(() => undefined);
    if (isDone && file === '/bin/rm') break;
  }
  await rm(folder, { recursive: true, force: true });
}
