import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { nameOfThis } from '../base/temporary.ts';
import { type BubblewrapPrograms, machine, systemProgram } from './bubblewrap.ts';
import { stateOf } from './command-plans.ts';
import { newCommandSession } from './egress-policy.ts';
import { type Launch, launchOf, maxAttempts, type NoSandbox, nothingLeft } from './launch.ts';
import type { Networks, SharedNetwork } from './networks.ts';
import { planSandbox } from './plan/plan.ts';
import type { PlanInput, SandboxDeps } from './plan/plan-input.ts';
import { closeUserNamespace, type Owner, openUserNamespace } from './user-namespace.ts';

const trialMs = 10_000;

export interface Trial {
  found: NoSandbox | BubblewrapPrograms;
  isUnsure: boolean;
}

const maxTrials = 3;

/**
 * Runs one trial for each owner of a workspace and keeps the result as long as the window; an unsure one is repeated
 * when it is asked for again.
 */
export function createTrials(tryOutFor: (owner: Owner | undefined) => Promise<Trial>) {
  const trials = new Map<string, { trial: Promise<Trial>; count: number }>();
  return {
    async found(owner: Owner | undefined): Promise<Trial['found']> {
      const key = owner === undefined ? '' : `${owner.uid}:${owner.gid}`;
      const known = trials.get(key);
      const last = await known?.trial;
      if (last !== undefined && !(last.isUnsure && (known?.count ?? 0) < maxTrials)) return last.found;
      // Somebody else may have begun the next one meanwhile.
      if (trials.get(key) === known) trials.set(key, { trial: tryOutFor(owner), count: (known?.count ?? 0) + 1 });
      return (await trials.get(key)?.trial)?.found ?? 'broken';
    },
    close() {
      for (const { trial } of trials.values()) {
        void trial
          .then(({ found }) => typeof found === 'object' && closeUserNamespace(found.userSpace))
          .catch(() => undefined);
      }
      trials.clear();
    },
  };
}

export async function tryOut(deps: SandboxDeps, networks?: Networks, owner?: Owner): Promise<Trial> {
  const bwrap = deps.bwrap ?? systemProgram('bwrap');
  const bash = systemProgram('bash');
  if (bwrap === undefined || bash === undefined) return { found: 'missing', isUnsure: false };
  const versionText = await outputOf(spawn(bwrap, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }), deps.clock);
  const version = /^\D{0,20}(\d{1,4})\.(\d{1,4})/.exec(versionText.text);
  if (version === null) return { found: 'broken', isUnsure: true };
  const userSpace = owner && (await openUserNamespace(owner));
  if (owner !== undefined && userSpace === undefined) return { found: 'owner', isUnsure: true };
  const programs: BubblewrapPrograms = {
    bwrap,
    bash,
    canDisableNamespaces: Number(version[1]) > 0 || Number(version[2]) >= 8,
    canCloseMachine: true,
  };
  if (userSpace !== undefined) programs.userSpace = userSpace;
  await mkdir(deps.stateDir, { recursive: true, mode: 0o700 });
  const base = await mkdtemp(path.join(await realpath(deps.stateDir), `${nameOfThis('trial')}-`));
  try {
    const trial = await tryIn(base, { ...deps, owner }, programs, networks);
    if (typeof trial.found === 'string') closeUserNamespace(userSpace);
    return trial;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function tryIn(
  base: string,
  deps: SandboxDeps & { owner: Owner | undefined },
  programs: BubblewrapPrograms,
  networks: Networks | undefined,
): Promise<Trial> {
  const { owner } = deps;
  const ground = await trialGround(base, deps, owner);
  const { root, outside, input } = ground;
  const rights = owner === undefined ? /^CapEff:\s*0+$/m : /^CapEff:\s*0+b$/m;
  const look = async (network: false | SharedNetwork): Promise<TrialRun | undefined> => {
    const plan = await planSandbox(input);
    if ('unfit' in plan) return undefined;
    const launch = await launchOf(deps, programs, plan, {
      ...{ file: programs.bash, args: ['-c', (network ? knocking : '') + trialLine, 'sh', outside], cwd: root },
      ...{ network, variables: {} },
      release: async () => nothingLeft,
    });
    const run = await runOnce(launch, deps.clock);
    // Since 0.12, and where its fix was brought to an older one, bubblewrap knows no such place, and needs no closing.
    if (run.hasEnded || !programs.canCloseMachine || !run.errors.includes(path.basename(machine))) return run;
    programs.canCloseMachine = false;
    return look(network);
  };
  const faultsOf = async (run: TrialRun) => [
    ...(await faultsIn(run, ground)),
    ...((await followsLinks(programs, ground)) ? ['bubblewrap follows links while it mounts'] : []),
  ];
  const shared = await tryShared(deps, programs, networks, async (network) => {
    const run = await look(network);
    if (run?.hasEnded !== true) return undefined;
    return (await faultsOf(run)).length === 0 && [rights, knocked].every((sign) => sign.test(run.text));
  });
  if (shared.nsenter !== undefined) return { found: { ...programs, nsenter: shared.nsenter }, isUnsure: false };
  let run = await look(false);
  for (let looks = 1; run?.hasEnded === false && looks < maxAttempts; looks++) run = await look(false);
  if (run === undefined) return { found: 'broken', isUnsure: true };
  if (!run.hasEnded) {
    deps.log(`The sandbox did not start: ${run.errors.trim().slice(0, 300)}`);
    if (await isRestricted()) return { found: 'apparmor', isUnsure: false };
    const isKept = /namespace|uid map|permitted|denied/i.test(run.errors);
    return { found: isKept ? 'namespaces' : 'broken', isUnsure: !isKept };
  }
  const faults = await faultsOf(run);
  if (faults.length > 0) deps.log(`The sandbox does not hold: ${faults.join(', ')}`);
  return { found: faults.length > 0 ? 'broken' : programs, isUnsure: shared.isUnsure };
}

export interface TrialGround {
  /**
   * `root` stands for the workspace, with git's data and a file that holds the secret; `outside` stands for the
   * editor's data and holds the secret too.
   */
  root: string;
  outside: string;
  secret: string;
  input: PlanInput;
}

export async function trialGround(base: string, deps: SandboxDeps, owner?: Owner): Promise<TrialGround> {
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  for (const folder of [root, path.join(root, '.git'), outside]) await mkdir(folder);
  const secret = `svc-${Math.random().toString(36).slice(2)}`;
  await writeFile(path.join(outside, 'secret'), secret);
  await writeFile(path.join(root, '.env'), secret);
  if (owner !== undefined)
    for (const place of [root, path.join(root, '.git')]) await chown(place, owner.uid, owner.gid);
  const home = await realpath(deps.home);
  const state = await stateOf(path.join(base, 'state'));
  const input = { deps: { ...deps, editorData: [outside] }, roots: [root], home, state, owner };
  return { root, outside, secret, input };
}

/** Returns whether bubblewrap makes the place of a mount outside when a link in the workspace leads there. */
async function followsLinks(programs: BubblewrapPrograms, { root, outside }: TrialGround): Promise<boolean> {
  const link = path.join(root, 'link');
  await symlink(`/oldroot${outside}`, link);
  const closing = programs.canCloseMachine ? ['--remount-ro', machine] : [];
  const args = ['--bind', root, root, ...closing, '--ro-bind', '/dev/null', path.join(link, 'made'), '--', '/bin/true'];
  const child = spawn(programs.bwrap, ['--ro-bind', '/', '/', ...args], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  await rm(link);
  return existsSync(path.join(outside, 'made'));
}

const trialLine =
  'exec 2>/dev/null; echo in > in; cat .env "$1/secret"; echo out > "$1/out"; echo out > .git/out; for f in / /etc /usr /proc/sys/kernel/core_pattern /proc/sys/net/ipv4/ip_unprivileged_port_start; do test -w $f && echo writable; done; cat /proc/net/dev; ls -A "$HOME"; echo end';
const knocking =
  'grep CapEff /proc/self/status; exec 3<>/dev/tcp/door.example.org/80 && printf "GET / HTTP/1.1\\r\\nHost: door.example.org\\r\\n\\r\\n" >&3 && head -1 <&3; exec 3>&-; ';
const knocked = /^HTTP\/1\.1 403 /m;

async function tryShared(
  deps: SandboxDeps,
  programs: BubblewrapPrograms,
  networks: Networks | undefined,
  works: (network: SharedNetwork) => Promise<boolean | undefined>,
): Promise<{ nsenter?: string; isUnsure: boolean }> {
  const nsenter = systemProgram('nsenter');
  if (networks === undefined || nsenter === undefined) return { isUnsure: false };
  programs.nsenter = nsenter;
  try {
    const { network, leave } = await networks.enter(programs, 'trial', {
      session: newCommandSession(new AbortController().signal),
    });
    const holds = await works(network).finally(leave);
    if (holds) return { nsenter, isUnsure: false };
    deps.log(
      `The network that commands would share ${holds === undefined ? 'was not there in time' : 'does not hold'}`,
    );
    return { isUnsure: holds === undefined };
  } catch {
    return { isUnsure: true };
  } finally {
    networks.forget('trial');
    delete programs.nsenter;
  }
}

export async function faultsIn(
  { text }: TrialRun,
  { root, outside, secret }: Pick<TrialGround, 'root' | 'outside' | 'secret'>,
): Promise<string[]> {
  const exists = (file: string) =>
    readFile(file).then(
      () => true,
      () => false,
    );
  const faults: string[] = [];
  for (const file of [path.join(outside, 'out'), path.join(root, '.git/out')]) {
    if (await exists(file)) faults.push('a write');
  }
  if (/^writable$/m.test(text)) faults.push('a writable folder');
  if (text.includes(secret)) faults.push('a secret');
  const interfaces = text.split('\n').flatMap((line) => (line.includes(':') ? [line.split(':', 1)[0]?.trim()] : []));
  if (!interfaces.every((name) => name === 'lo' || name === 'CapEff')) faults.push('a network');
  if (!(await exists(path.join(root, 'in'))) || !text.trimEnd().endsWith('end')) faults.push('no work done');
  return faults;
}

export interface TrialRun {
  text: string;
  errors: string;
  hasEnded: boolean;
}

export async function runOnce(launch: Launch, clock: Clock): Promise<TrialRun> {
  const child = spawn(launch.file, launch.args, launch.options);
  const run = launch.supervise(child);
  return { ...(await outputOf(child, clock)), hasEnded: run.hasEnded() };
}

async function outputOf(child: ChildProcess, clock: Clock): Promise<{ text: string; errors: string }> {
  const output = { text: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output.text += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output.errors += chunk;
  });
  const cancel = clock.after(trialMs, () => child.kill('SIGKILL'));
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  cancel();
  return output;
}

async function isRestricted(): Promise<boolean> {
  const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  return (await readFile(setting, 'utf8').catch(() => '')).trim() === '1';
}
