import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { type BubblewrapPrograms, systemProgram } from './bubblewrap.ts';
import { gatherFacts } from './facts.ts';
import { inputOf, type Launch, launchOf, mostLooks, type NoSandbox, type SandboxDeps, stateOf } from './launch.ts';

const trialMs = 3000;

/** Runs one command line for real and looks at what it could do. The answer should hold for as long as the editor runs. */
export async function tryOut(deps: SandboxDeps): Promise<NoSandbox | BubblewrapPrograms> {
  const bwrap = deps.bwrap ?? systemProgram('bwrap');
  const bash = systemProgram('bash');
  if (bwrap === undefined || bash === undefined) return 'missing';
  const version = /^\D{0,20}(\d{1,4})\.(\d{1,4})/.exec(await outputOf(bwrap, ['--version'], deps.clock));
  if (version === null) return 'broken';
  const programs = { bwrap, bash, canDisableNamespaces: Number(version[1]) > 0 || Number(version[2]) >= 8 };
  await mkdir(deps.stateDir, { recursive: true, mode: 0o700 });
  const base = await mkdtemp(path.join(await realpath(deps.stateDir), 'trial-'));
  try {
    return await tryIn(base, deps, programs);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function tryIn(
  base: string,
  deps: SandboxDeps,
  programs: BubblewrapPrograms,
): Promise<NoSandbox | BubblewrapPrograms> {
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  for (const folder of [root, path.join(root, '.git'), outside]) await mkdir(folder);
  const secret = `svc-${Math.random().toString(36).slice(2)}`;
  await writeFile(path.join(outside, 'secret'), secret);
  await writeFile(path.join(root, '.env'), secret);
  const home = await realpath(deps.home);
  const line =
    'exec 2>/dev/null; echo in > in; cat .env "$1/secret"; echo out > "$1/out"; echo out > .git/out; for f in / /etc /usr /proc/sys/kernel/core_pattern; do test -w $f && echo writable; done; cat /proc/net/dev; ls -A "$HOME"; echo end';
  // The folder of the trial stands for the editor's data, wherever it is.
  const input = inputOf(
    { ...deps, editorData: [outside] },
    { roots: [root], home, state: await stateOf(path.join(base, 'state')) },
  );
  const look = async () => {
    const facts = await gatherFacts(input);
    if ('unfit' in facts) return undefined;
    const launch = launchOf(deps, programs, facts, {
      ...{ file: '/bin/sh', args: ['-c', line, 'sh', outside], cwd: root, network: false, variables: {} },
      release: async () => [],
    });
    return runOnce(launch, deps.clock);
  };
  let run = await look();
  for (let looks = 1; run?.hasEnded === false && looks < mostLooks; looks++) run = await look();
  if (run === undefined) return 'broken';
  const { text, errors, hasEnded } = run;
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
  const interfaces = text.split('\n').flatMap((line) => (line.includes(':') ? [line.split(':', 1)[0]?.trim()] : []));
  const isAlone = interfaces.every((name) => name === 'lo');
  const works = (await exists(path.join(root, 'in'))) && text.trimEnd().endsWith('end');
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
