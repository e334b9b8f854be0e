import * as vscode from 'vscode';
import { createTextTail } from '../../base/text-tail.ts';
import { createTerminalText } from '../../tools/command/terminal-text.ts';

export interface TerminalRecord {
  commandLine: string;
  readonly output: string;
  /** The code is absent while the command runs, and when the shell does not report it. */
  exitCode?: number;
  running: boolean;
}

const maxCharacters = 100_000;

/** Records commands from this call on; earlier ones are unknown. */
export function createTerminalRecords() {
  const byTerminal = new Map<vscode.Terminal, TerminalRecord>();
  let newest: vscode.Terminal | undefined;
  const running = new WeakMap<vscode.TerminalShellExecution, TerminalRecord>();

  const read = async (execution: vscode.TerminalShellExecution, push: (text: string) => void) => {
    const plain = createTerminalText();
    for await (const chunk of execution.read()) push(plain(chunk));
  };
  const subscriptions = [
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const output = createTextTail(maxCharacters);
      const record: TerminalRecord = {
        commandLine: execution.commandLine.value,
        get output() {
          return output.text();
        },
        running: true,
      };
      byTerminal.set(terminal, record);
      running.set(execution, record);
      newest = terminal;
      read(execution, output.push).catch(() => {
        // A terminal that was closed while it was read: what came until then is kept.
        record.running = false;
      });
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const record = running.get(execution);
      if (!record) return;
      record.running = false;
      if (exitCode !== undefined) record.exitCode = exitCode;
      // The shell may know the line better once it has run it.
      if (execution.commandLine.value !== '') record.commandLine = execution.commandLine.value;
    }),
    vscode.window.onDidCloseTerminal((terminal) => {
      byTerminal.delete(terminal);
    }),
  ];
  return {
    last(): TerminalRecord | undefined {
      const active = vscode.window.activeTerminal;
      const front = active && byTerminal.get(active);
      return front ?? (newest && byTerminal.get(newest)) ?? [...byTerminal.values()].at(-1);
    },
    knows: (terminal: vscode.Terminal) => byTerminal.has(terminal),
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}
