import type * as vscode from 'vscode';

export async function withSignal<T>(
  token: vscode.CancellationToken,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    return await run(controller.signal);
  } finally {
    listening.dispose();
  }
}
