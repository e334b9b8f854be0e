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

/** Why commands do not run in a sandbox here. */
export type NoSandbox =
  /** Another system, or a machine whose system calls are not known. */
  | 'system'
  /** bubblewrap or bash is not installed. */
  | 'missing'
  /** The system lets only programs that it knows make namespaces (Ubuntu 24.04 and later). */
  | 'apparmor'
  /** The system, or the container, lets nobody make namespaces. */
  | 'namespaces'
  /** It was tried and did not hold back, or not let through, what it should. */
  | 'broken'
  /** A folder of the workspace is, or holds, the home folder or the editor's data. */
  | 'home'
  /** For root in folders of several others, or where no namespace for root and the other one can be made: nothing could be written. */
  | 'owner'
  /** Git's data or the editor's settings stand behind a link. */
  | 'link'
  /** The name of a folder, or of a file that is to be covered, is not UTF-8. */
  | 'name'
  /** More to look through, or more to cover, than can be before each command. */
  | 'large';

/** `network`: other machines and the services of this one can be reached too. */
export type SandboxLevel = 'on' | 'network';

export interface SandboxDeps {
  /** In the extension's storage, absolute; holds one folder a conversation. */
  stateDir: string;
  home: string;
  /** Where the editor keeps its data. */
  editorData: readonly string[];
  /** Folders on this disk in which commands of a conversation work; without one those of the workspace. */
  roots(conversationId?: string): readonly string[];
  /** Folders of packages that are seen in such a folder too, read-only. */
  borrowed?(conversationId: string): Promise<readonly Borrowed[]>;
  /** The user's own list of files that commands must not write. */
  protection(): Protection;
  readable(): readonly string[];
  writable(): readonly string[];
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  log(line: string): void;
  /** Absent: each command has a network of its own, without a way out. */
  network?: { keeperFile: string; reach: Reach };
  /** For tests; found on this machine when absent. */
  bwrap?: string;
}

/** Left in the workspace, and obeyed by others. Relative to their roots; with several, a root's name comes first. */
export interface Aftermath {
  /**
   * New, and would have been kept from the command if it had been there: git's data, editor settings, rules; and what git would
   * run of data that commands may write.
   */
  appeared: readonly string[];
  /** New or changed, and loaded by programs of the editor. */
  loaded: readonly string[];
  /** Branches and tags that are gone or lead to another history, each with where it led. */
  lost?: readonly string[];
}

export const nothingLeft: Aftermath = { appeared: [], loaded: [] };

/** A process as it is to be started, and what to do once it has been. */
export interface Launch {
  file: string;
  args: readonly string[];
  options: SpawnOptions;
  /** `onBegin`: the sandbox is made, and the command begins. */
  attend(child: ChildProcess, onBegin?: () => void): SandboxRun;
  /** After the end, once or again. */
  release(): Promise<Aftermath>;
  /** Things that the sandbox kept from the command, as far as its output tells. */
  blocked(output: string): readonly Blocked[];
  /** Ends everything inside; absent where that goes with the process itself. */
  kill?(child: ChildProcess): Promise<void>;
  /** Bytes that went out through the doors, by host. */
  sent(): ReadonlyMap<string, number>;
}

export interface LaunchInput {
  file: string;
  args: readonly string[];
  /** Absolute, links resolved, inside of a root. */
  cwd: string;
  level: SandboxLevel;
  conversationId: string;
  /** Set beside what is left of the environment. */
  variables: Readonly<Record<string, string>>;
  /** Absent: nobody can be asked. */
  ask?: AskGrant | undefined;
  onBlocked?: CommandSession['onBlocked'] | undefined;
  /** Files and folders that are not covered for this command, absolute. */
  uncovered?: readonly string[] | undefined;
}

/** So often the disk is looked at: a file can be gone before it is covered, and then bubblewrap fails. */
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
  /** Some host was allowed before. */
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
