import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '../vscode/wait-for.ts';

/** Ids of the extension hosts of a server, told by its data folder in their surroundings or command line. */
export function hostsOf(userDataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const [line, around] = ['cmdline', 'environ'].map((part) => textOf(`/proc/${pid}/${part}`));
      return line?.includes('--type=extensionHost') === true && around?.includes(userDataDir) === true;
    })
    .map(Number);
}

/** Ends the one extension host as a crash does, and resolves with its id. */
export async function killHost(userDataDir: string): Promise<number> {
  // Those of windows that are gone take a while to go.
  const [pid = 0] = await waitFor(
    'one extension host',
    () => {
      const found = hostsOf(userDataDir);
      return found.length === 1 && found;
    },
    { timeoutMs: 120_000 },
  );
  process.kill(pid, 'SIGKILL');
  return pid;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
