import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { type Blocked, blockedIn } from './blocked.ts';
import type { SandboxedCommand } from './bubblewrap.ts';
import { type BubblewrapPrograms, bubblewrapLine, type SandboxRun, supervise } from './bubblewrap.ts';
import { cacheVariables } from './caches.ts';
import type { AskGrant, CommandSession } from './egress-policy.ts';
import { briefRetries, closedRegistries, sandboxEnvironment, withoutProxies } from './environment.ts';
import type { SharedNetwork } from './networks.ts';
import { keepText } from './pass-settings.ts';
import { realPathOf } from './paths.ts';
import { isHiddenFrom } from './plan/expose.ts';
import { mountsOf } from './plan/mounts.ts';
import type { SandboxPlan } from './plan/plan.ts';
import type { SandboxDeps } from './plan/plan-input.ts';
import { machineOf, seccompProgram } from './seccomp.ts';

/**
 * Names why there is no sandbox: `system` is not supported, bubblewrap or bash is `missing`, `apparmor` lets only known
 * programs create namespaces (Ubuntu 24.04 and later), nobody may create `namespaces`, or the trial found it `broken`.
 * The workspace may also hold the `home` folder or the editor's data, root may get no namespace with the `owner` of its
 * files, git's data or the editor's settings may be behind a `link`, a `name` may not be UTF-8, or the workspace is too
 * `large` to scan or cover before each command.
 */
export type NoSandbox =
  | 'system'
  | 'missing'
  | 'apparmor'
  | 'namespaces'
  | 'broken'
  | 'home'
  | 'owner'
  | 'link'
  | 'name'
  | 'large';

/** With `network`, other machines and the services of this one can be reached too. */
export type SandboxLevel = 'on' | 'network';

/**
 * Lists what a command left in the workspace for other programs to obey. Paths are relative to their roots; with
 * several roots, the root's name comes first.
 */
export interface Aftermath {
  /**
   * Lists what is new and would have been covered if it had existed before: git's data, editor settings, rules, and
   * what git would run from data that commands may write.
   */
  appeared: readonly string[];
  loaded: readonly string[];
  lost?: readonly string[];
}

export const nothingLeft: Aftermath = { appeared: [], loaded: [] };

export interface Launch {
  file: string;
  args: readonly string[];
  options: SpawnOptions;
  supervise(child: ChildProcess, onBegin?: () => void): SandboxRun;
  /** Must be called after the end of the command, and may be again. Resolves with what the command left behind. */
  release(): Promise<Aftermath>;
  blocked(output: string): readonly Blocked[];
  /** Kills everything inside; absent where that happens with the process itself. */
  kill?(child: ChildProcess): Promise<void>;
  sent(): ReadonlyMap<string, number>;
}

export interface LaunchInput {
  file: string;
  args: readonly string[];
  cwd: string;
  level: SandboxLevel;
  conversationId: string;
  variables: Readonly<Record<string, string>>;
  ask?: AskGrant | undefined;
  onBlocked?: CommandSession['onBlocked'] | undefined;
  uncovered?: readonly string[] | undefined;
}

/** The scan is repeated this often, because a file can be gone before it is covered, and then bubblewrap fails. */
export const maxAttempts = 3;

export class SandboxUnusable extends Error {
  override readonly name = 'SandboxUnusable';
  readonly why: NoSandbox;

  constructor(why: NoSandbox) {
    super(`no sandbox: ${why}`);
    this.why = why;
  }
}

export interface LaunchParts extends SandboxedCommand {
  canDownload?: boolean;
  session?: CommandSession | undefined;
  variables: Readonly<Record<string, string>>;
  release(): Promise<Aftermath>;
}

export async function launchOf(
  deps: SandboxDeps,
  programs: BubblewrapPrograms,
  planned: SandboxPlan,
  parts: LaunchParts,
): Promise<Launch> {
  const { variables, release, session, canDownload = false, ...command } = parts;
  const shared = typeof command.network === 'object' ? command.network : undefined;
  const environment = sandboxEnvironment(deps.environment);
  const machine = machineOf(process.arch);
  if (machine === undefined) throw new SandboxUnusable('system');
  const plan = {
    ...planned,
    replaced: new Map([...planned.replaced, ...(await networkFiles(planned, command.network))]),
  };
  const mounts = mountsOf(plan);
  const { file, args } = bubblewrapLine(programs, mounts, command);
  return {
    file,
    args,
    options: {
      cwd: '/',
      env: {
        ...(shared === undefined ? environment : withoutProxies(environment)),
        ...cacheVariables(plan, environment),
        ...(plan.registriesHidden && closedRegistries),
        ...((command.network !== true || plan.registriesHidden) && briefRetries(deps.environment, canDownload)),
        ...variables,
        HOME: plan.home,
      },
      // A session of its own; bubblewrap ends with us and takes everything inside along.
      detached: true,
      stdio: ['ignore', ...Array<'pipe'>(5).fill('pipe'), programs.userSpace ?? 'ignore'],
    },
    supervise: (child, onBegin) =>
      supervise(child, seccompProgram(machine), mounts, {
        network: shared,
        onBegin,
        onFailed: (why) => deps.log(`The sandbox failed: ${why}`),
      }),
    release,
    blocked(output) {
      const network = typeof command.network === 'object' ? 'shared' : command.network;
      return [
        ...(session?.blocked.values() ?? []),
        ...blockedIn({ output, line: command.args.at(-1) ?? '', cwd: command.cwd, network, plan }),
      ];
    },
    sent: () => session?.sent ?? new Map(),
  };
}

const sharedNetworkTexts = {
  // Whoever gets no answer there asks once more at most.
  '/etc/resolv.conf': 'nameserver 127.0.0.1\noptions attempts:2 timeout:2\n',
  // Other addresses would bypass the egress proxy and lead to nothing.
  '/etc/hosts': '127.0.0.1 localhost\n::1 localhost ip6-localhost\n',
};

async function networkFiles(plan: SandboxPlan, network: boolean | SharedNetwork): Promise<[string, string][]> {
  if (network === false) return [];
  if (network === true) {
    const place = realPathOf('/etc/resolv.conf');
    return place !== undefined && isHiddenFrom(plan, place) ? [[place, place]] : [];
  }
  const files = Object.entries(sharedNetworkTexts).map(async ([name, text]): Promise<[string, string][]> => {
    const place = realPathOf(name);
    return place === undefined ? [] : [[place, await keepText(plan.state.settings, text)]];
  });
  return (await Promise.all(files)).flat();
}
