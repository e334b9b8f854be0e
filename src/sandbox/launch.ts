import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Protection } from '../files/protection.ts';
import { type Blocked, blockedIn } from './blocked.ts';
import { attend, type BubblewrapPrograms, bubblewrapLine, type SandboxRun } from './bubblewrap.ts';
import { cacheVariables } from './caches.ts';
import type { AskGrant, CommandSession } from './egress-policy.ts';
import { briefRetries, closedRegistries, sandboxEnvironment, withoutProxies } from './environment.ts';
import type { Borrowed, SandboxPlan } from './mounts.ts';
import type { SharedNetwork } from './networks.ts';
import type { PlanInput } from './plan.ts';
import type { Reach } from './reach.ts';
import { createScanCache } from './scan/scan-cache.ts';
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

export interface SandboxDeps {
  stateDir: string;
  home: string;
  editorData: readonly string[];
  roots(conversationId?: string): readonly string[];
  borrowed?(conversationId: string): Promise<readonly Borrowed[]>;
  protection(): Protection;
  readable(): readonly string[];
  writable(): readonly string[];
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  log(line: string): void;
  /** When absent, each command has a network of its own, without a way out. */
  network?: { keeperFile: string; reach: Reach };
  bwrap?: string;
}

/**
 * Lists what a command left in the workspace for other programs to obey. Paths are relative to their roots; with
 * several roots, the root's name comes first.
 */
export interface Aftermath {
  /**
   * These are new, and would have been covered if they had existed before: git's data, editor settings, rules, and
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
  attend(child: ChildProcess, onBegin?: () => void): SandboxRun;
  /** Must be called after the end; it may be called again. */
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

export function inputOf(
  deps: SandboxDeps,
  part: Pick<PlanInput, 'roots' | 'home' | 'state'> &
    Partial<
      Pick<
        PlanInput,
        'scanCache' | 'borrowed' | 'isOwn' | 'gitWritable' | 'canDownload' | 'owner' | 'uncovered' | 'shown'
      >
    >,
): PlanInput {
  return {
    isOwn: () => false,
    gitWritable: [],
    canDownload: false,
    scanCache: createScanCache(),
    ...part,
    editorData: deps.editorData,
    readable: deps.readable(),
    writable: deps.writable(),
    searchPath: deps.environment.PATH,
    npmSettings: deps.environment.npm_config_userconfig ?? deps.environment.NPM_CONFIG_USERCONFIG,
    isProtected: deps.protection(),
    clock: deps.clock,
  };
}

interface LaunchParts {
  file: string;
  args: readonly string[];
  cwd: string;
  network: boolean | SharedNetwork;
  canDownload?: boolean;
  session?: CommandSession | undefined;
  variables: Readonly<Record<string, string>>;
  release(): Promise<Aftermath>;
}

export function launchOf(
  deps: SandboxDeps,
  programs: BubblewrapPrograms,
  plan: SandboxPlan,
  parts: LaunchParts,
): Launch {
  const { variables, release, session, canDownload = false, ...command } = parts;
  const shared = typeof command.network === 'object' ? command.network : undefined;
  const environment = sandboxEnvironment(deps.environment);
  const machine = machineOf(process.arch);
  if (machine === undefined) throw new SandboxUnusable('system');
  const { file, args } = bubblewrapLine(programs, plan, command);
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
    attend: (child, onBegin) =>
      attend(child, seccompProgram(machine), plan, {
        ...(shared && { network: shared }),
        ...(onBegin && { onBegin }),
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

export async function stateOf(folder: string): Promise<SandboxPlan['state']> {
  const state = {
    home: path.join(folder, 'home'),
    temp: path.join(folder, 'tmp'),
    settings: path.join(folder, 'settings'),
  };
  for (const each of Object.values(state)) await mkdir(each, { recursive: true, mode: 0o700 });
  const [home, temp, settings] = await Promise.all(
    [state.home, state.temp, state.settings].map((each) => realpath(each)),
  );
  return { ...state, ...(home && { home }), ...(temp && { temp }), ...(settings && { settings }) };
}
