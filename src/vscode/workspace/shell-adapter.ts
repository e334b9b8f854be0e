import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { isAlive } from '../../base/is-alive.ts';
import { hasChildren, killTree, runMark } from '../../base/kill-tree.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { believedEnd } from '../../tools/command/believed-end.ts';
import { mayEndShell, needsPlainShell } from '../../tools/command/command-safety.ts';
import { createProcessShell, shellName } from '../../tools/command/process-shell.ts';
import {
  type Shell,
  type ShellCommand,
  type ShellListener,
  type ShellResult,
  shellEnvironment,
} from '../../tools/command/shell.ts';
import { createTerminalText } from '../../tools/command/terminal-text.ts';

const integrationMs = 8000;
/**
 * A shell lives at least this long: VS Code replaces one that fails within half a second of its start, which loses the
 * exit code.
 */
const launchMs = 1000;
const pollEveryMs = 1000;
const eventsMs = 3000;
const drainMs = 500;

export interface ShellAdapterDeps {
  clock: Clock;
  log(line: string): void;
  sandbox?: Pick<Sandbox, 'launch'>;
}

export interface TerminalShell extends Shell, vscode.Disposable {
  show(run: string): void;
}

/**
 * Runs each command in a new terminal with shell integration, so that the user sees it live, can type into it and
 * gets their own environment. Where the shell has no integration, and for lines that an interactive shell would read
 * differently, a child process runs the command and a terminal only shows it. The terminal of the last command stays
 * open; earlier ones are closed.
 */
export function createShell({ clock, log, sandbox }: ShellAdapterDeps): TerminalShell {
  const plain = createProcessShell({ shellPath: () => vscode.env.shell, clock, sandbox });
  const finished = createFinishedTerminals();
  /** A shell whose integration was awaited in vain is not waited for again in this window. */
  const withoutIntegration = new Set<string>();
  const running = new Map<string, vscode.Terminal>();
  const runsIn = (terminal: vscode.Terminal, { run }: ShellCommand) => {
    if (run !== undefined) running.set(run, terminal);
  };
  const shell: Shell = {
    name: (commandLine, isPlain = false) =>
      isPlain || needsPlainShell(commandLine)
        ? plain.name(commandLine)
        : vscode.l10n.t('{0} in a terminal', plain.name(commandLine)),
    async run(command, listener, signal) {
      await finished.closeIdle();
      const shell = vscode.env.shell;
      // A window that has just opened does not know its shell yet: a terminal finds out.
      const mayIntegrate = shell === '' || knownShells.has(shellName(shell).toLowerCase());
      const canIntegrate = mayIntegrate && !withoutIntegration.has(shell);
      // A terminal of the user's shell would be outside, and what one types or prints there could be taken for keys.
      const isPlain = command.sandbox !== undefined || command.background || needsPlainShell(command.commandLine);
      if (canIntegrate && !isPlain) {
        const mark = randomUUID();
        const terminal = vscode.window.createTerminal({
          name: terminalName(command.commandLine),
          cwd: command.cwd,
          env: { ...shellEnvironment, [runMark]: mark },
          isTransient: true,
        });
        runsIn(terminal, command);
        const integration = await integrationOf(terminal, clock, signal);
        if (integration !== undefined) {
          if (mayEndShell(command.commandLine)) await clock.sleep(launchMs, signal).catch(() => undefined);
          const run = runInTerminal({ terminal, integration, mark, clock }, command.commandLine, listener, signal);
          return run.finally(() => finished.add(terminal));
        }
        terminal.dispose();
        if (signal.aborted) return { via: 'terminal' };
        withoutIntegration.add(vscode.env.shell);
        log(
          `No shell integration in ${shellName(vscode.env.shell)} after ${integrationMs} ms: commands run without a terminal`,
        );
      }
      const onScreen = createTerminalText({ keepsColors: true });
      const screen = openScreen(command.commandLine);
      runsIn(screen.terminal, command);
      try {
        const both = AbortSignal.any([signal, screen.closed]);
        return await plain.run(
          command,
          {
            ...listener,
            output(chunk) {
              screen.write(command.sandbox === undefined ? chunk : onScreen(chunk));
              listener.output(chunk);
            },
          },
          both,
        );
      } finally {
        screen.end();
        finished.add(screen.terminal);
      }
    },
  };
  return {
    name: shell.name,
    run: (command, listener, signal) =>
      shell.run(command, listener, signal).finally(() => running.delete(command.run ?? '')),
    show: (run) => running.get(run)?.show(),
    dispose: finished.dispose,
  };
}

const knownShells = new Set(['bash', 'zsh', 'fish', 'pwsh', 'powershell']);

function terminalName(commandLine: string): string {
  const line = commandLine.split('\n', 1)[0] ?? '';
  return `svc: ${line.length > 40 ? `${line.slice(0, 40)}…` : line}`.toWellFormed();
}

async function integrationOf(
  terminal: vscode.Terminal,
  clock: Clock,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration !== undefined) return terminal.shellIntegration;
  const ready = Promise.withResolvers<vscode.TerminalShellIntegration | undefined>();
  const giveUp = () => ready.resolve(undefined);
  const cancel = clock.after(integrationMs, giveUp);
  const subscriptions = [
    vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) ready.resolve(event.shellIntegration);
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) giveUp();
    }),
  ];
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await ready.promise;
  } finally {
    cancel();
    signal.removeEventListener('abort', giveUp);
    for (const subscription of subscriptions) subscription.dispose();
  }
}

interface OpenTerminal {
  terminal: vscode.Terminal;
  integration: vscode.TerminalShellIntegration;
  mark: string;
  clock: Clock;
}

async function runInTerminal(
  { terminal, integration, mark, clock }: OpenTerminal,
  commandLine: string,
  listener: ShellListener,
  signal: AbortSignal,
): Promise<ShellResult> {
  const shellPid = await terminal.processId;
  const ended = Promise.withResolvers<number | undefined>();
  let listening = true;
  let execution: vscode.TerminalShellExecution | undefined;
  let killing: Promise<void> | undefined;
  const onAbort = () => {
    killing ??= (
      shellPid === undefined ? Promise.resolve() : killTree(shellPid, clock, { keepRoot: true, mark })
    ).finally(() => {
      terminal.dispose();
      ended.resolve(undefined);
    });
  };
  let cancel: () => void = () => undefined;
  const resolveWhenGone = (reported: number) => {
    if (shellPid === undefined) return ended.resolve(reported);
    const left = { hasChildren: () => hasChildren(shellPid), clock, signal };
    believedEnd(reported, left).then((code) => signal.aborted || ended.resolve(code), ended.reject);
  };
  const subscriptions = [
    vscode.window.onDidEndTerminalShellExecution((event) => {
      if (event.execution !== execution) return;
      if (event.exitCode !== undefined) resolveWhenGone(event.exitCode);
      // A command that ends its shell ends without a code of its own; the shell's comes when the terminal closes.
      else cancel = clock.after(eventsMs, () => ended.resolve(terminal.exitStatus?.code));
    }),
    // `exit 3` ends the shell itself, and the user may close the terminal.
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) ended.resolve(closed.exitStatus?.code);
    }),
  ];
  signal.addEventListener('abort', onAbort, { once: true });
  // A shell that is gone says nothing any more; its last event may have been lost on the way.
  const stopWatching =
    shellPid === undefined ? undefined : watchProcess(shellPid, clock, () => ended.resolve(terminal.exitStatus?.code));
  try {
    if (signal.aborted) return { via: 'terminal' };
    listener.started();
    execution = integration.executeCommand(commandLine);
    const read = readAll(execution, (chunk) => {
      if (listening) listener.output(chunk);
    });
    const exitCode = await ended.promise;
    const drained = new AbortController();
    await Promise.race([read, clock.sleep(drainMs, drained.signal).catch(() => undefined)]);
    drained.abort();
    await killing;
    return signal.aborted || exitCode === undefined ? { via: 'terminal' } : { exitCode, via: 'terminal' };
  } finally {
    listening = false;
    cancel();
    stopWatching?.();
    signal.removeEventListener('abort', onAbort);
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** Calls `onGone` a while after the process has ended, unless the returned function is called before. */
function watchProcess(pid: number, clock: Clock, onGone: () => void): () => void {
  let goneAt: number | undefined;
  let cancel: () => void = () => undefined;
  const look = () => {
    if (isAlive(pid)) goneAt = undefined;
    else goneAt ??= clock.now();
    if (goneAt !== undefined && clock.now() - goneAt >= eventsMs) onGone();
    else cancel = clock.after(pollEveryMs, look);
  };
  cancel = clock.after(pollEveryMs, look);
  return () => cancel();
}

async function readAll(execution: vscode.TerminalShellExecution, onChunk: (chunk: string) => void): Promise<void> {
  for await (const chunk of execution.read()) onChunk(chunk);
}

function createFinishedTerminals(): {
  add(terminal: vscode.Terminal): void;
  closeIdle(): Promise<void>;
  dispose(): void;
} {
  const terminals = new Set<vscode.Terminal>();
  const closed = vscode.window.onDidCloseTerminal((terminal) => terminals.delete(terminal));
  return {
    add(terminal) {
      if (terminal.exitStatus === undefined) terminals.add(terminal);
    },
    async closeIdle() {
      for (const terminal of [...terminals]) {
        const pid = await terminal.processId;
        if (pid === undefined || !(await hasChildren(pid))) terminal.dispose();
      }
    },
    dispose() {
      closed.dispose();
      for (const terminal of terminals) terminal.dispose();
    },
  };
}

interface Screen {
  terminal: vscode.Terminal;
  closed: AbortSignal;
  write(text: string): void;
  end(): void;
}

const maxWaiting = 1000;

function openScreen(commandLine: string): Screen {
  const written = new vscode.EventEmitter<string>();
  const closed = new AbortController();
  let before: string[] | undefined = [];
  const write = (text: string) => {
    const lines = text.replace(/\r?\n/g, '\r\n');
    if (before === undefined) written.fire(lines);
    else if (before.length < maxWaiting) before.push(lines);
  };
  const terminal = vscode.window.createTerminal({
    name: terminalName(commandLine),
    isTransient: true,
    pty: {
      onDidWrite: written.event,
      open() {
        for (const lines of before ?? []) written.fire(lines);
        before = undefined;
      },
      close: () => closed.abort(),
      handleInput(data: string) {
        if (data.includes('\u0003')) closed.abort();
      },
    },
  });
  write(`$ ${commandLine}\n`);
  return { terminal, closed: closed.signal, write, end: () => write('\n') };
}
