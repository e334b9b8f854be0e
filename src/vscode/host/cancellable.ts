import * as vscode from 'vscode';
import { withSignal } from './with-signal.ts';

/** Shows a notification until `run` has ended. Its Cancel aborts the signal. */
export function cancellable<T>(
  title: string,
  run: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    withSignal(token, (signal) => run(signal, (message) => progress.report({ message }))),
  );
}
