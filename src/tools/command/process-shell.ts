import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import path from 'node:path';
import { ToolError } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { killTree, runMark } from './kill-tree.ts';
import { type Shell, type ShellListener, type ShellResult, shellEnvironment } from './shell.ts';

/** How long output may still come after the shell has ended; a program left in the background would hold it open for ever. */
const drainMs = 250;

/** Runs command lines in child processes, without a terminal and without input. `shellPath` is asked at every run. */
export function createProcessShell(deps: { shellPath(): string; clock: Clock }): Shell {
  return {
    name: () => shellName(usable(deps.shellPath())),
    run({ commandLine, cwd }, listener, signal) {
      const [file, args, verbatim] = invocation(usable(deps.shellPath()), commandLine);
      const mark = randomUUID();
      const child = spawn(file, args, {
        cwd,
        env: { ...withoutEditorInternals(process.env), ...shellEnvironment, [runMark]: mark },
        stdio: ['ignore', 'pipe', 'pipe'],
        // Its own process group, so that what it starts can be ended with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
      });
      listener.started();
      return follow(child, mark, listener, signal, deps.clock);
    },
  };
}

/** `bash`, `pwsh`: the name without folder and ending. */
export function shellName(shellPath: string): string {
  return (shellPath.split(/[\\/]/).at(-1) ?? shellPath).replace(/\.exe$/i, '');
}

function invocation(shellPath: string, commandLine: string): [file: string, args: string[], verbatim: boolean] {
  const name = shellName(shellPath).toLowerCase();
  if (name === 'cmd') return [shellPath, ['/d', '/s', '/c', `"${commandLine}"`], true];
  if (name === 'powershell' || name === 'pwsh')
    return [shellPath, ['-NoProfile', '-NonInteractive', '-Command', commandLine], false];
  return [shellPath, ['-c', commandLine], false];
}

/** The editor may not know a shell; a relative one would be looked for in whatever folder is open. */
function usable(shellPath: string): string {
  if (path.isAbsolute(shellPath)) return shellPath;
  return process.platform === 'win32' ? (process.env.ComSpec ?? 'C:\\Windows\\System32\\cmd.exe') : '/bin/sh';
}

/** Left in, a `node` or `code` started by the command would believe to be part of the editor. */
function withoutEditorInternals(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name));
  return Object.fromEntries(entries);
}

async function follow(
  child: ChildProcess,
  mark: string,
  listener: ShellListener,
  signal: AbortSignal,
  clock: Clock,
): Promise<ShellResult> {
  const ended = Promise.withResolvers<ShellResult>();
  let listening = true;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      if (listening) listener.output(chunk);
    });
  }
  const finish = (code: number | null, name: NodeJS.Signals | null) => {
    const exitCode = code ?? (name === null ? undefined : 128 + constants.signals[name]);
    ended.resolve({ ...(exitCode === undefined || signal.aborted ? {} : { exitCode }), via: 'process' });
  };
  child.once('error', (error) => ended.reject(new ToolError(`The shell could not be started: ${codeOf(error)}.`)));
  child.once('close', finish);
  child.once('exit', (code, name) => clock.after(drainMs, () => finish(code, name)));
  let killing: Promise<void> | undefined;
  const onAbort = () => {
    if (child.pid === undefined) return;
    killing = killTree(child.pid, clock, { mark }).catch((error: Error) =>
      ended.reject(new ToolError(`The command could not be ended: ${codeOf(error)}.`)),
    );
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

/** The message would hold absolute paths of this machine. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
