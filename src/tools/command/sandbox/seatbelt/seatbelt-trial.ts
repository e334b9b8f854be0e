import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { gatherFacts } from '../facts.ts';
import { inputOf, type NoSandbox, type SandboxDeps, stateOf } from '../launch.ts';
import { faultsIn, runOnce } from '../trial.ts';
import { seatbeltLaunch } from './seatbelt-launch.ts';
import { macFacts } from './system-facts.ts';

/** Never from `PATH`: a project may have put a folder of its own there. */
const systemProgram = '/usr/bin/sandbox-exec';

/** Tries all that must not be possible, and then what must be. `$1`: a hidden folder, `$2`: a port where somebody listens, `$3`: the user's home. */
const line =
  'exec 2>/dev/null; echo in > in; echo in > "$TMPDIR/in"; cat .env "$1/secret"; echo out > "$1/out"; echo out > .git/out; mkdir .vscode && echo writable; mv .git moved && echo writable; for f in / /etc /usr "$3"; do test -w "$f" && echo writable; done; nc -z 127.0.0.1 "$2" && echo reached: it; ls "$3" && echo writable; ls -A "$HOME"; test -f "$TMPDIR/in" && echo end';

/** Runs one command line for real and looks at what it could do. Gives the program where it holds. */
export async function trySeatbelt(
  deps: SandboxDeps,
  program = systemProgram,
): Promise<NoSandbox | { program: string }> {
  if (!existsSync(program)) return 'missing';
  await mkdir(deps.stateDir, { recursive: true, mode: 0o700 });
  const base = await mkdtemp(path.join(await realpath(deps.stateDir), 'trial-'));
  const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => listener.once('listening', resolve));
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const faults = await faultsOf(base, deps, { program, port });
    if (faults.length > 0) deps.log(`The sandbox does not hold: ${faults.join(', ')}`);
    return faults.length > 0 ? 'broken' : { program };
  } finally {
    listener.close();
    await rm(base, { recursive: true, force: true });
  }
}

async function faultsOf(
  base: string,
  deps: SandboxDeps,
  { program, port }: { program: string; port: number },
): Promise<readonly string[]> {
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  for (const folder of [root, path.join(root, '.git'), outside]) await mkdir(folder);
  const secret = `svc-${Math.random().toString(36).slice(2)}`;
  await writeFile(path.join(outside, 'secret'), secret);
  await writeFile(path.join(root, '.env'), secret);
  const home = await realpath(deps.home);
  // The folder of the trial stands for the editor's data, wherever it is.
  const input = inputOf(
    { ...deps, editorData: [outside] },
    { roots: [root], home, state: await stateOf(path.join(base, 'state')) },
  );
  const facts = await gatherFacts(input, macFacts);
  if ('unfit' in facts) return ['no facts'];
  const launch = seatbeltLaunch(deps, program, facts, {
    ...{ file: '/bin/sh', args: ['-c', line, 'sh', outside, String(port), home], cwd: root },
    ...{ network: false, variables: {} },
    release: async () => [],
  });
  const run = await runOnce(launch, deps.clock);
  return run.hasEnded ? faultsIn(run, { root, outside, secret }) : [`no start: ${run.errors.trim().slice(0, 300)}`];
}
