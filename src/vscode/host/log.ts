import * as vscode from 'vscode';

export interface Log {
  info(line: string): void;
  error(line: string, error?: unknown): void;
  show(): void;
}

/** Every line passes `redact` first, so no key can reach the log in an error text. */
export function createLog(redact: (text: string) => string): Log & vscode.Disposable {
  const channel = vscode.window.createOutputChannel('svc Assistant', { log: true });
  return {
    info: (line) => channel.info(redact(line)),
    error: (line, error) => channel.error(redact(error === undefined ? line : `${line}: ${describe(error)}`)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
