import type { Blocked } from '../../sandbox/blocked.ts';
import type { AskGrant } from '../../sandbox/egress-policy.ts';
import type { SandboxLevel } from '../../sandbox/launch.ts';

/** The machine for `run_command`. `vscode/workspace/shell-adapter.ts` gives it a terminal, `process-shell.ts` a child process. */
export interface Shell {
  /** Names the program that will read this command line, for the approval: `bash`, `bash in a terminal`. `plain`: never in a terminal. */
  name(commandLine: string, plain?: boolean): string;
  /**
   * Runs one command line in a shell of its own, so that nothing an earlier line left behind (functions, aliases, another
   * folder) changes what this one means. Abort ends the whole process tree, politely and after three seconds by force; the
   * promise then resolves when it is gone. Rejects with `ToolError` when the command cannot be started.
   */
  run(command: ShellCommand, listener: ShellListener, signal: AbortSignal): Promise<ShellResult>;
}

export interface ShellListener {
  /**
   * The command itself begins now; opening a terminal can take seconds that are not its own. At most once. `input` takes
   * what it is to read, of commands in the background.
   */
  started(input?: (text: string) => void): void;
  output(chunk: string): void;
  /** Asks the user for more than the sandbox gives, while the command waits. Absent: nobody can be asked. */
  ask?: AskGrant;
  /** The sandbox keeps the command from this, now. */
  blocked?(what: Blocked): void;
}

export interface ShellCommand {
  /** Byte for byte what was approved. */
  commandLine: string;
  /** Absolute, links resolved. */
  cwd: string;
  /** Names this run, so that its terminal can be found again. Of no other run at the same time. */
  run?: string;
  /** In the sandbox, for this conversation; absent outside of it. */
  sandbox?: { level: SandboxLevel; conversationId: string; uncovered?: readonly string[] };
  /** It can be given input, and no terminal takes its words for keys. */
  background?: true;
}

export interface ShellResult {
  /** Absent when it was ended from outside or the shell did not say; 128 + n for a command that signal n ended. */
  exitCode?: number;
  /** `process`: there was no terminal that can tell when a command ends, so the command had no terminal. */
  via: 'terminal' | 'process' | 'sandbox';
  /** Exit codes of the parts of the pipe that the line ended with, where the shell said them. */
  pipe?: readonly number[];
  /** New in the workspace, and obeyed by git, the editor or assistants; with several roots, their name comes first. */
  appeared?: readonly string[];
  /** Written in the workspace, and loaded by programs of the editor; with several roots, their name comes first. */
  loaded?: readonly string[];
  /** Branches and tags that are gone or lead to another history, each with where it led. */
  lost?: readonly string[];
  /** Kept from the command by the sandbox, for certain. */
  blocked?: readonly Blocked[];
  /** Bytes that left through the doors of the sandbox, by host. */
  sent?: ReadonlyMap<string, number>;
}

/** `ShellCommand.run` of a call: its id is unique in its conversation only, and two of them may run. */
export function runName({ turnId, callId }: { turnId: string; callId: string }): string {
  return `${turnId}/${callId}`;
}

const noEditor = 'echo "No editor opens here: give the text on the command line." >&2; false';

/** Windows has no `cat`, except the one that Git brings for itself; an empty name means none to gh, aws and their like. */
const pager = process.platform === 'win32' ? '' : 'cat';

/** Programs that wait for a reader or a writer would wait for ever. */
export const shellEnvironment = {
  ...{ PAGER: pager, GIT_PAGER: 'cat', MANPAGER: pager },
  ...{ EDITOR: noEditor, VISUAL: noEditor, GIT_EDITOR: noEditor, GIT_SEQUENCE_EDITOR: noEditor },
} as const;
