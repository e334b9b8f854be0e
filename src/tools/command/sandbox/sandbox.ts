import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { attend, type BubblewrapPrograms, bubblewrapLine, type SandboxRun, systemProgram } from './bubblewrap.ts';
import { sandboxEnvironment } from './environment.ts';
import { type FactsInput, gatherFacts, isHiddenFrom, resolverFile } from './facts.ts';
import { isWithin, type SandboxFacts, unfitRoot } from './mounts.ts';
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
  /** Git's data or the editor's settings stand behind a link. */
  | 'link'
  /** More to look through, or more to cover, than can be before each command. */
  | 'large';

/** What may be more than the sandbox gives: nothing, or other machines and the services of this one. */
export type SandboxLevel = 'on' | 'network';

export interface SandboxDeps {
  /** In the extension's storage, absolute; holds one folder a conversation. */
  stateDir: string;
  home: string;
  /** Where the editor keeps its data. */
  editorData: readonly string[];
  /** Of the workspace, on this disk. */
  roots(): readonly string[];
  isProtected(relative: string): boolean;
  readable(): readonly string[];
  writable(): readonly string[];
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  log(line: string): void;
  /** For tests; found on this machine when absent. */
  bwrap?: string;
}

/** A process as it is to be started, and what to do once it has been. */
export interface Launch {
  file: string;
  args: readonly string[];
  options: SpawnOptions;
  attend(child: ChildProcess): SandboxRun;
  /**
   * After the end, once or again. Gives what is new in the workspace and would have been kept from the command if it had been
   * there: git's data, editor settings, rules.
   */
  release(): Promise<readonly string[]>;
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
}

export interface Sandbox {
  /** Undefined when commands can run in it now. Whether it holds at all is tried once, in earnest; the workspace anew. */
  unusable(): Promise<NoSandbox | undefined>;
  /** Rejects with `SandboxUnusable` when the workspace does not fit. */
  launch(input: LaunchInput): Promise<Launch>;
  /** Removes what commands of conversations kept that are not stored any more. */
  forget(isStored: (conversationId: string) => Promise<boolean>): Promise<void>;
}

export class SandboxUnusable extends Error {
  override readonly name = 'SandboxUnusable';
  readonly why: NoSandbox;

  constructor(why: NoSandbox) {
    super(`no sandbox: ${why}`);
    this.why = why;
  }
}

/** Commands in bubblewrap, where Linux lets us. Everything that could not be made sure of is a reason to ask instead. */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const machine = process.platform === 'linux' ? machineOf(process.arch) : undefined;
  const editorFolders = createEditorFolders();
  let tried: Promise<NoSandbox | BubblewrapPrograms> | undefined;
  /** Of the workspace, when a command was to run in it last: looking through it at every question would take too long. */
  let unfit: NoSandbox | undefined;
  const programs = () => {
    tried ??= machine === undefined ? Promise.resolve('system') : tryOut(deps, seccompProgram(machine));
    return tried;
  };
  const realRoots = async () => Promise.all(deps.roots().map((root) => realpath(root)));
  const factsFor = async (conversationId: string) => {
    const roots = await realRoots();
    const home = await realpath(deps.home);
    const apart = await Promise.all([...deps.editorData, deps.stateDir].map((folder) => realOr(folder)));
    if (roots.length === 0 || unfitRoot(roots, [home, ...apart]) !== undefined) return { unfit: 'home' as const };
    const state = await stateOf(path.join(deps.stateDir, conversationId));
    return gatherFacts(inputOf(deps, { roots, home, state }));
  };
  return {
    async unusable() {
      const found = await programs();
      if (typeof found === 'string') return found;
      const roots = await realRoots();
      const apart = await Promise.all([deps.home, ...deps.editorData, deps.stateDir].map((folder) => realOr(folder)));
      if (roots.length === 0 || unfitRoot(roots, apart) !== undefined) return 'home';
      // What was in the way may be gone.
      if (unfit !== undefined) {
        const facts = await factsFor('trial');
        unfit = 'unfit' in facts ? facts.unfit : undefined;
      }
      return unfit;
    },
    async launch({ file, args, cwd, level, conversationId, variables }) {
      const found = await programs();
      if (typeof found === 'string') throw new SandboxUnusable(found);
      const roots = await realRoots();
      const giveBack = await editorFolders.take(roots);
      let released: Promise<readonly string[]> | undefined;
      try {
        const facts = await factsFor(conversationId);
        unfit = 'unfit' in facts ? facts.unfit : undefined;
        if ('unfit' in facts) throw new SandboxUnusable(facts.unfit);
        const network = level === 'network';
        return launchOf(deps, { ...found, ...(network && resolverOf(facts)) }, facts, {
          ...{ file, args, cwd, network, variables },
          async release() {
            released ??= giveBack().then(() => newlyGuarded(inputOf(deps, { ...facts }), facts));
            return released;
          },
        });
      } catch (error) {
        await giveBack();
        throw error;
      }
    },
    async forget(isStored) {
      for (const name of await readdir(deps.stateDir).catch(() => [])) {
        if (!(await isStored(name))) await rm(path.join(deps.stateDir, name), { recursive: true, force: true });
      }
    },
  };
}

function inputOf(deps: SandboxDeps, part: Pick<FactsInput, 'roots' | 'home' | 'state'>): FactsInput {
  return {
    ...part,
    editorData: deps.editorData,
    readable: deps.readable(),
    writable: deps.writable(),
    searchPath: deps.environment.PATH,
    isProtected: deps.isProtected,
    nowMs: () => deps.clock.now(),
  };
}

function resolverOf(facts: SandboxFacts): { resolver?: string } {
  const resolver = resolverFile((file) => isHiddenFrom(facts, file));
  return resolver === undefined ? {} : { resolver };
}

interface LaunchParts {
  file: string;
  args: readonly string[];
  cwd: string;
  network: boolean;
  variables: Readonly<Record<string, string>>;
  release(): Promise<readonly string[]>;
}

function launchOf(deps: SandboxDeps, programs: BubblewrapPrograms, facts: SandboxFacts, parts: LaunchParts): Launch {
  const { variables, release, ...command } = parts;
  const machine = machineOf(process.arch);
  if (machine === undefined) throw new SandboxUnusable('system');
  const { file, args } = bubblewrapLine(programs, facts, command);
  return {
    file,
    args,
    options: {
      cwd: '/',
      env: { ...sandboxEnvironment(deps.environment), ...variables, HOME: facts.home },
      // A session of its own; bubblewrap ends with us and takes everything inside along.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    },
    attend: (child) => attend(child, seccompProgram(machine), facts, (why) => deps.log(`The sandbox failed: ${why}`)),
    release,
  };
}

async function stateOf(folder: string): Promise<SandboxFacts['state']> {
  const state = { home: path.join(folder, 'home'), temp: path.join(folder, 'tmp') };
  for (const each of Object.values(state)) await mkdir(each, { recursive: true, mode: 0o700 });
  return { home: await realpath(state.home), temp: await realpath(state.temp) };
}

async function realOr(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

/**
 * The editor obeys a new `.vscode` in a root at once, and only what exists can be made read-only: where there is none, an
 * empty one is there while commands run.
 */
function createEditorFolders() {
  const users = new Map<string, number>();
  return {
    async take(roots: readonly string[]): Promise<() => Promise<void>> {
      const made: string[] = [];
      for (const root of roots) {
        const folder = path.join(root, '.vscode');
        const count = users.get(folder) ?? 0;
        if (count === 0) {
          const isNew = await mkdir(folder).then(
            () => true,
            () => false,
          );
          if (!isNew) continue;
        }
        users.set(folder, count + 1);
        made.push(folder);
      }
      let isBack = false;
      return async () => {
        if (isBack) return;
        isBack = true;
        for (const folder of made) {
          const left = (users.get(folder) ?? 1) - 1;
          users.set(folder, left);
          // Not when somebody else has put something into it meanwhile.
          if (left === 0) await rmdir(folder).catch(() => undefined);
        }
      };
    },
  };
}

/** Relative to their roots. */
async function newlyGuarded(input: FactsInput, before: SandboxFacts): Promise<readonly string[]> {
  const after = await gatherFacts(input);
  if ('unfit' in after) return [];
  const known = new Set(before.guarded);
  return after.guarded.flatMap((place) => {
    const root = before.roots.find((folder) => isWithin(folder, place));
    return known.has(place) || root === undefined ? [] : [path.relative(root, place)];
  });
}

const trialMs = 3000;

/** Runs one command line for real and looks at what it could do. */
async function tryOut(deps: SandboxDeps, filter: Buffer): Promise<NoSandbox | BubblewrapPrograms> {
  const bwrap = deps.bwrap ?? systemProgram('bwrap');
  const bash = systemProgram('bash');
  if (bwrap === undefined || bash === undefined) return 'missing';
  const version = /(\d+)\.(\d+)/.exec(await outputOf(bwrap, ['--version'], deps.clock));
  if (version === null) return 'broken';
  const programs = { bwrap, bash, canDisableNamespaces: Number(version[1]) > 0 || Number(version[2]) >= 8 };
  await mkdir(deps.stateDir, { recursive: true, mode: 0o700 });
  const base = await mkdtemp(path.join(await realpath(deps.stateDir), 'trial-'));
  try {
    return await tryIn(base, deps, programs, filter);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function tryIn(
  base: string,
  deps: SandboxDeps,
  programs: BubblewrapPrograms,
  filter: Buffer,
): Promise<NoSandbox | BubblewrapPrograms> {
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  for (const folder of [root, path.join(root, '.git'), outside]) await mkdir(folder);
  const secret = `svc-${Math.random().toString(36).slice(2)}`;
  await writeFile(path.join(outside, 'secret'), secret);
  await writeFile(path.join(root, '.env'), secret);
  const home = await realpath(deps.home);
  const facts = await gatherFacts(
    // The folder of the trial stands for the editor's data, wherever it is.
    inputOf(
      { ...deps, editorData: [outside] },
      { roots: [root], home, state: await stateOf(path.join(base, 'state')) },
    ),
  );
  if ('unfit' in facts) return 'broken';
  const line =
    'echo in > in; cat .env "$1/secret"; echo out > "$1/out"; echo out > .git/out; for f in / /etc /usr /proc/sys/kernel/core_pattern; do test -w $f && echo writable; done; cat /proc/net/dev; ls -A "$HOME"; echo end';
  const launch = launchOf(deps, programs, facts, {
    ...{ file: '/bin/sh', args: ['-c', line, 'sh', outside], cwd: root, network: false, variables: {} },
    release: async () => [],
  });
  const { text, errors, hasEnded } = await runOnce(launch, deps.clock);
  if (!hasEnded) {
    deps.log(`The sandbox did not start: ${errors.trim().slice(0, 300)}`);
    return (await isRestricted())
      ? 'apparmor'
      : /namespace|uid map|permitted|denied/i.test(errors)
        ? 'namespaces'
        : 'broken';
  }
  const exists = (file: string) =>
    readFile(file).then(
      () => true,
      () => false,
    );
  const got = [path.join(outside, 'out'), path.join(root, '.git/out')];
  const escaped =
    (await Promise.all(got.map(exists))).some(Boolean) || /^writable$/m.test(text) || text.includes(secret);
  const interfaces = [...text.matchAll(/^\s*([\w.@-]+):/gm)].map(([, name]) => name);
  const isAlone = interfaces.every((name) => name === 'lo');
  const works = (await exists(path.join(root, 'in'))) && text.trimEnd().endsWith('end') && filter.length > 0;
  if (escaped || !isAlone || !works)
    deps.log(`The sandbox does not hold: ${JSON.stringify({ escaped, isAlone, works })}`);
  return escaped || !isAlone || !works ? 'broken' : programs;
}

async function runOnce(launch: Launch, clock: Clock): Promise<{ text: string; errors: string; hasEnded: boolean }> {
  const child = spawn(launch.file, launch.args, launch.options);
  const run = launch.attend(child);
  let text = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const callOff = clock.after(trialMs, () => child.kill('SIGKILL'));
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  callOff();
  return { text, errors, hasEnded: run.hasEnded() };
}

async function outputOf(file: string, args: readonly string[], clock: Clock): Promise<string> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const callOff = clock.after(trialMs, () => child.kill('SIGKILL'));
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  callOff();
  return text;
}

async function isRestricted(): Promise<boolean> {
  const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  return (await readFile(setting, 'utf8').catch(() => '')).trim() === '1';
}
