import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { nameOfThis } from '../../base/temporary.ts';
import { createCommandPlans } from '../command-plans.ts';
import { type Aftermath, type NoSandbox, nothingLeft, SandboxUnusable } from '../launch.ts';
import { planSandbox } from '../plan/plan.ts';
import type { SandboxDeps } from '../plan/plan-input.ts';
import { macFacts } from '../plan/system-facts.ts';
import type { Sandbox } from '../sandbox.ts';
import { faultsIn, runOnce, trialGround } from '../trial.ts';
import { seatbeltLaunch } from './seatbelt-launch.ts';

const systemProgram = '/usr/bin/sandbox-exec';

/**
 * Runs commands with `sandbox-exec` of macOS, from the same plan as the mounts of bubblewrap. Unlike there, the process
 * tree is searched to be killed, only `HOME` is replaced, git's data stays closed, and the network is open for all
 * hosts or for none. `program` replaces `sandbox-exec` in tests.
 */
export function createSeatbeltSandbox(deps: SandboxDeps, program?: string): Sandbox {
  const plans = createCommandPlans(deps, macFacts);
  let tried: ReturnType<typeof trySeatbelt> | undefined;
  const isRoot = process.getuid?.() === 0;
  const find = () => {
    tried ??= isRoot && program === undefined ? Promise.resolve('system') : trySeatbelt(deps, program);
    return tried;
  };
  return {
    async unusable() {
      const found = await find();
      return typeof found === 'string' ? found : plans.unusable();
    },
    async launch({ level, conversationId, ...command }) {
      const found = await find();
      if (typeof found === 'string') throw new SandboxUnusable(found);
      const { plan, aftermath } = await plans.next(conversationId);
      let released: Promise<Aftermath> | undefined;
      return seatbeltLaunch(deps, found.program, plan, {
        ...{ ...command, network: level === 'network' },
        async release() {
          released ??= aftermath();
          return released;
        },
      });
    },
    forget: (isStored) => plans.forget(isStored),
    // Its fixed parts would have to be there before the rest is opened.
    granted: () => false,
    grant: () => undefined,
    close: () => undefined,
  };
}

/**
 * The trial's line tries all that must not be possible, and then what must be. `$1` is a hidden folder and `$2` the
 * user's home. Nothing is sent to the address, which is reserved.
 */
const trialScript =
  'exec 2>/dev/null; echo in > in; echo in > "$TMPDIR/in"; cat .env "$1/secret"; echo out > "$1/out"; echo out > .git/out; mkdir .vscode && echo writable; mv .git moved && echo writable; for f in / /etc /usr "$2"; do test -w "$f" && echo writable; done; /bin/bash -c "exec 3<>/dev/udp/192.0.2.1/9" && echo reached: it; ls "$2" && echo writable; ls -A "$HOME"; test -f "$TMPDIR/in" && echo end';

async function trySeatbelt(deps: SandboxDeps, program = systemProgram): Promise<NoSandbox | { program: string }> {
  if (!existsSync(program)) return 'missing';
  await mkdir(deps.stateDir, { recursive: true, mode: 0o700 });
  const base = await mkdtemp(path.join(await realpath(deps.stateDir), `${nameOfThis('trial')}-`));
  try {
    const faults = await faultsOf(base, deps, program);
    if (faults.length > 0) deps.log(`The sandbox does not hold: ${faults.join(', ')}`);
    return faults.length > 0 ? 'broken' : { program };
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function faultsOf(base: string, deps: SandboxDeps, program: string): Promise<readonly string[]> {
  const ground = await trialGround(base, deps);
  const { root, outside, input } = ground;
  const plan = await planSandbox(input, macFacts);
  if ('unfit' in plan) return ['no facts'];
  const launch = seatbeltLaunch(deps, program, plan, {
    ...{ file: '/bin/sh', args: ['-c', trialScript, 'sh', outside, input.home], cwd: root },
    ...{ network: false, variables: {} },
    release: async () => nothingLeft,
  });
  const run = await runOnce(launch, deps.clock);
  return run.hasEnded ? faultsIn(run, ground) : [`no start: ${run.errors.trim().slice(0, 300)}`];
}
