import type { Blocked } from '../../sandbox/blocked.ts';
import type { AskGrant } from '../../sandbox/egress-policy.ts';
import type { SandboxLevel } from '../../sandbox/launch.ts';

/**
 * Runs the commands of `run_command`. `vscode/workspace/shell-adapter.ts` implements it with a terminal,
 * `process-shell.ts` with child processes.
 */
export interface Shell {
  /**
   * Names the program that will read this command line, for the approval, for example `bash in a terminal`. `plain`
   * means never in a terminal.
   */
  name(commandLine: string, plain?: boolean): string;
  /**
   * Runs one command line in a shell of its own, so that nothing an earlier line left behind (functions, aliases,
   * another folder) changes what this one means. Abort ends the whole process tree, politely and after three seconds
   * by force; the promise then resolves when the tree is gone. Rejects with `ToolError` when the command cannot be
   * started.
   */
  run(command: ShellCommand, listener: ShellListener, signal: AbortSignal): Promise<ShellResult>;
}

export interface ShellListener {
  /**
   * Reports that the command itself begins; opening a terminal can take seconds that are not its own. It is called at
   * most once. `input` feeds a command in the background.
   */
  started(input?: (text: string) => void): void;
  output(chunk: string): void;
  /** Asks the user for more than the sandbox gives, while the command waits. When it is absent, nobody can be asked. */
  ask?: AskGrant;
  blocked?(what: Blocked): void;
}

export interface ShellCommand {
  /** It is byte for byte the line that was approved. */
  commandLine: string;
  /** The path is absolute, with links resolved. */
  cwd: string;
  /** Names this run, so that its terminal can be found again. No other run may have the same name at the same time. */
  run?: string;
  sandbox?: { level: SandboxLevel; conversationId: string; uncovered?: readonly string[] };
  background?: true;
}

export interface ShellResult {
  /**
   * It is absent when the command was ended from outside or the shell did not report it, and 128 + n for a command
   * that signal n ended.
   */
  exitCode?: number;
  /** `process` means that no terminal could report the end of a command, so the command ran without one. */
  via: 'terminal' | 'process' | 'sandbox';
  pipe?: readonly number[];
  /** Lists the pids of what goes on after the end of the command. */
  left?: readonly number[];
  /**
   * Lists new workspace files that configure git, the editor or assistants, with the root's name in front when there
   * are several roots.
   */
  appeared?: readonly string[];
  /**
   * These files were written in the workspace and are loaded by programs of the editor. With several roots, the
   * root's name comes first.
   */
  loaded?: readonly string[];
  /** Lists branches and tags that are gone or lead to another history, each with its old target. */
  lost?: readonly string[];
  blocked?: readonly Blocked[];
  /** Counts the bytes that left through the egress proxy, by host. */
  sent?: ReadonlyMap<string, number>;
}

/**
 * Names the run of a call. The turn is part of the name, because a call's id is unique in its conversation only, and
 * two conversations may run one at the same time.
 */
export function runName({ turnId, callId }: { turnId: string; callId: string }): string {
  return `${turnId}/${callId}`;
}

const noEditor = 'echo "No editor opens here: give the text on the command line." >&2; false';

/**
 * Windows has no `cat`, except the one that Git brings for itself; an empty name means no pager to gh, aws and
 * similar programs.
 */
const pager = process.platform === 'win32' ? '' : 'cat';

export const shellEnvironment = {
  ...{ PAGER: pager, GIT_PAGER: 'cat', MANPAGER: pager },
  ...{ EDITOR: noEditor, VISUAL: noEditor, GIT_EDITOR: noEditor, GIT_SEQUENCE_EDITOR: noEditor },
} as const;
