import type { Readable } from 'node:stream';
import { killTree } from '../../base/kill-tree.ts';
import { blockedIn } from '../blocked.ts';
import { briefRetries, closedRegistries, sandboxEnvironment } from '../environment.ts';
import { type Launch, type LaunchParts, SandboxUnusable } from '../launch.ts';
import type { SandboxPlan } from '../plan/plan.ts';
import type { SandboxDeps } from '../plan/plan-input.ts';
import { seatbeltProfile } from './profile.ts';

interface SeatbeltCommand extends Omit<LaunchParts, 'canDownload' | 'session'> {
  network: boolean;
}

const beginDescriptor = 3;

/** `sandbox-exec` applies the profile before it starts this, so the begin signal comes from inside. */
const withinBounds = `echo begin >&${beginDescriptor}; exec ${beginDescriptor}>&-; { ulimit -u 4096; ulimit -c 0; } 2>/dev/null; exec "$@" 2>&1`;

/** `program` is the absolute path of `sandbox-exec`. Throws `SandboxUnusable` where no profile can be written. */
export function seatbeltLaunch(
  deps: SandboxDeps,
  program: string,
  plan: SandboxPlan,
  { file, args, cwd, network, variables, release }: SeatbeltCommand,
): Launch {
  const profile = seatbeltProfile(plan, { network });
  if (profile === undefined) throw new SandboxUnusable('name');
  // No file can be shown in the place of another, so what has secrets is hidden and no registry can be reached.
  const isClosed = plan.registriesHidden || plan.filtered.size > 0;
  return {
    file: program,
    args: ['-p', profile, '/bin/sh', '-c', withinBounds, 'sh', file, ...args],
    options: {
      cwd,
      env: {
        ...sandboxEnvironment(deps.environment),
        ...(isClosed && closedRegistries),
        ...((!network || isClosed) && briefRetries(deps.environment, false)),
        ...variables,
        HOME: plan.state.home,
        TMPDIR: plan.state.temp,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
    supervise(child, onBegin) {
      let hasBegun = false;
      let hasEnded = false;
      (child.stdio as readonly unknown[] as Readable[])[beginDescriptor]?.once('data', () => {
        hasBegun = true;
        onBegin?.();
      });
      child.once('exit', (code) => {
        hasEnded = hasBegun && code !== null;
      });
      return { hasBegun: () => hasBegun, hasEnded: () => hasEnded };
    },
    // A program may have left the process that started it: here nothing ends by itself.
    kill: async ({ pid }) => (pid === undefined ? undefined : killTree(pid, deps.clock, { graceMs: 0 })),
    release,
    blocked: (output) => blockedIn({ output, line: args.at(-1) ?? '', cwd, network, plan }),
    sent: () => new Map(),
  };
}
