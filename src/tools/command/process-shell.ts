import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { constants as system } from 'node:os';
import path from 'node:path';
import { ToolError } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { killTree, leftRunning, runMark } from '../../base/kill-tree.ts';
import { createTextTail } from '../../base/text-tail.ts';
import { type Launch, type LaunchInput, maxAttempts, SandboxUnusable } from '../../sandbox/launch.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createOutputDecoder, systemEncoding } from './output-decoder.ts';
import { type Shell, type ShellCommand, type ShellListener, type ShellResult, shellEnvironment } from './shell.ts';

/**
 * Output may still come for this long after the shell has ended; a program left in the background would hold the
 * stream open forever.
 */
const drainMs = 250;

export interface ProcessShellDeps {
  shellPath(): string;
  clock: Clock;
  /** Commands that require the sandbox do not run without it. */
  sandbox?: Pick<Sandbox, 'launch'>;
}

export function createProcessShell(deps: ProcessShellDeps): Shell {
  return {
    name: () => shellName(usable(deps.shellPath())),
    async run(command, listener, signal) {
      const { commandLine, cwd, background } = command;
      const shell = usable(deps.shellPath());
      if (command.sandbox !== undefined) {
        // The user is not shown this line before it runs, so it may carry a prefix that reports its pipe.
        const [file, args] = invocation(shell, shellName(shell) === 'bash' ? reportPipe + commandLine : commandLine);
        return runSandboxed(deps, command, { ...command.sandbox, file, args }, { listener, signal });
      }
      const [file, args, verbatim] = await inOneStream(invocation(shell, commandLine));
      const mark = randomUUID();
      const startedMs = deps.clock.epochMs();
      const child = spawn(file, args, {
        cwd,
        env: { ...withoutEditorInternals(process.env), ...shellEnvironment, [runMark]: mark },
        stdio: [background ? 'pipe' : 'ignore', 'pipe', 'pipe'],
        // Its own process group, so that what it starts can be ended with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
      });
      listener.started(inputOf(child));
      const kill = async (pid: number) => killTree(pid, deps.clock, { mark, startedMs });
      const result = await follow(child, kill, { listener, signal, clock: deps.clock });
      const left = child.pid === undefined || signal.aborted ? [] : await leftRunning(child.pid, mark);
      return { ...result, ...(left.length > 0 && { left }) };
    },
  };
}

/** At its end the shell prints the exit codes of its last pipe, in a sequence that no terminal shows. */
const reportPipe = `trap 'printf "\\033]697;%s\\007" "\${PIPESTATUS[*]}"' EXIT; `;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is the sequence
const toldPipe = /\u001b\]697;([\d ]{1,200})\u0007$/;

function inputOf(child: ChildProcess): ((text: string) => void) | undefined {
  const { stdin } = child;
  // It may have closed it, or ended.
  stdin?.on('error', () => undefined);
  return stdin === null ? undefined : (text) => stdin.write(text);
}

interface Run {
  listener: ShellListener;
  signal: AbortSignal;
}

async function runSandboxed(
  { sandbox, clock }: ProcessShellDeps,
  { cwd, background }: ShellCommand,
  wanted: Pick<LaunchInput, 'file' | 'args' | 'level' | 'conversationId' | 'uncovered'>,
  { listener, signal }: Run,
): Promise<ShellResult> {
  if (sandbox === undefined) throw new ToolError('There is no sandbox here. Nothing was run.');
  for (let round = 1; ; round++) {
    const launch = await sandbox
      .launch({ ...wanted, cwd, variables: shellEnvironment, ask: listener.ask, onBlocked: listener.blocked })
      .catch(unusableNow);
    try {
      if (signal.aborted) return { via: 'sandbox' };
      const { result, hasBegun, hasEnded, said, end } = await attempt(launch, background, { listener, signal, clock });
      if (signal.aborted || hasEnded) {
        const { appeared, loaded, lost = [] } = await launch.release();
        const blocked = launch.blocked(end.replace(toldPipe, ''));
        const sent = launch.sent();
        return {
          ...result,
          via: 'sandbox',
          ...(appeared.length > 0 && { appeared }),
          ...(loaded.length > 0 && { loaded }),
          ...(lost.length > 0 && { lost }),
          ...(blocked.length > 0 && { blocked }),
          ...(sent.size > 0 && { sent }),
        };
      }
      if (hasBegun || round >= maxAttempts) {
        if (said !== '') listener.output(said);
        throw new ToolError(endedBefore(hasBegun));
      }
    } finally {
      await launch.release();
    }
  }
}

function unusableNow(error: unknown): never {
  if (!(error instanceof SandboxUnusable)) throw error;
  // Why it is so is known now, and the next call asks.
  throw new ToolError('The sandbox cannot be used in this workspace now. Nothing was run; call again to ask the user.');
}

const judgedLength = 40_000;

async function attempt(
  launch: Launch,
  background: ShellCommand['background'],
  { listener, signal, clock }: Run & { clock: Clock },
): Promise<{ result: ShellResult; hasBegun: boolean; hasEnded: boolean; said: string; end: string }> {
  const [, ...stdio] = launch.options.stdio as StdioOptions[];
  const options = { ...launch.options, stdio: [background ? 'pipe' : 'ignore', ...stdio] as StdioOptions };
  const child = spawn(launch.file, launch.args, options);
  const run = launch.supervise(child, () => listener.started(inputOf(child)));
  let said = '';
  const end = createTextTail(judgedLength);
  const output = (chunk: string) => {
    end.push(chunk);
    if (run.hasBegun()) listener.output(chunk);
    else said += chunk;
  };
  // With bubblewrap everything in the sandbox is gone, whatever it made of itself.
  const kill = () => launch.kill?.(child) ?? Promise.resolve(void child.kill('SIGKILL'));
  const result = await follow(child, kill, { listener: { ...listener, output }, signal, clock });
  const pipe = toldPipe.exec(end.text())?.[1]?.split(' ').map(Number) ?? [];
  if (pipe.length > 1) result.pipe = pipe;
  return { result, hasBegun: run.hasBegun(), hasEnded: run.hasEnded(), said, end: end.text() };
}

function endedBefore(hasBegun: boolean): string {
  return hasBegun
    ? 'The sandbox was ended from outside before the command had ended.'
    : 'The sandbox could not be made. The command was not run.';
}

export function shellName(shellPath: string): string {
  return (shellPath.split(/[\\/]/).at(-1) ?? shellPath).replace(/\.exe$/i, '');
}

type Invocation = [file: string, args: string[], verbatim: boolean];

const utf8Console = 'try { [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false) } catch { }; ';

function invocation(shellPath: string, commandLine: string): Invocation {
  const name = shellName(shellPath).toLowerCase();
  // Both print in the code page of their console, which is not UTF-8.
  if (name === 'cmd') return [shellPath, ['/d', '/s', '/c', `"chcp 65001 >nul & ${commandLine}"`], true];
  if (name === 'powershell' || name === 'pwsh')
    return [shellPath, ['-NoProfile', '-NonInteractive', '-Command', `${utf8Console}${commandLine}`], false];
  return [shellPath, ['-c', commandLine], false];
}

async function inOneStream([file, args, verbatim]: Invocation): Promise<Invocation> {
  if (process.platform === 'win32') return [file, args, verbatim];
  await access(file, constants.X_OK).catch((error: Error) => {
    throw new ToolError(`The shell could not be started: ${codeOf(error)}.`);
  });
  return ['/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', file, ...args], verbatim];
}

/**
 * Returns the shell to start where the editor may know none. A relative path is refused, because it would be resolved
 * in whatever folder is open.
 */
function usable(shellPath: string): string {
  if (path.isAbsolute(shellPath)) return shellPath;
  return process.platform === 'win32' ? (process.env.ComSpec ?? 'C:\\Windows\\System32\\cmd.exe') : '/bin/sh';
}

/**
 * Removes the variables with which a `node` or `code` that the command starts would take itself for a part of the
 * editor.
 */
function withoutEditorInternals(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name));
  return Object.fromEntries(entries);
}

async function follow(
  child: ChildProcess,
  kill: (pid: number) => Promise<void>,
  { listener, signal, clock }: Run & { clock: Clock },
): Promise<ShellResult> {
  const ended = Promise.withResolvers<ShellResult>();
  let listening = true;
  for (const stream of [child.stdout, child.stderr]) {
    const decode = process.platform === 'win32' ? createOutputDecoder(systemEncoding(systemLocale())) : undefined;
    if (decode === undefined) stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string | Buffer) => {
      const text = typeof chunk === 'string' ? chunk : decode?.(chunk);
      if (listening && text !== undefined) listener.output(text);
    });
  }
  const finish = (code: number | null, name: NodeJS.Signals | null) => {
    const exitCode = code ?? (name === null ? undefined : 128 + system.signals[name]);
    ended.resolve({ ...(exitCode === undefined || signal.aborted ? {} : { exitCode }), via: 'process' });
  };
  child.once('error', (error) => ended.reject(new ToolError(`The shell could not be started: ${codeOf(error)}.`)));
  child.once('close', finish);
  child.once('exit', (code, name) => clock.after(drainMs, () => finish(code, name)));
  let killing: Promise<void> | undefined;
  const onAbort = () => {
    if (child.pid === undefined) return;
    killing = kill(child.pid).catch((error: Error) => {
      // What it printed until now is kept.
      listener.output(`\n[The command could not be ended: ${codeOf(error)}.]\n`);
      ended.resolve({ via: 'process' });
    });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const result = await ended.promise;
    await killing;
    return result;
  } finally {
    listening = false;
    signal.removeEventListener('abort', onAbort);
  }
}

function systemLocale(): string {
  return Intl.DateTimeFormat().resolvedOptions().locale;
}

/** Returns the code of an error, because its message would contain absolute paths of this machine. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
