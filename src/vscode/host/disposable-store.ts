import * as vscode from 'vscode';

export type Register = <T extends vscode.Disposable>(part: T) => T;

/**
 * Disposes of its parts in the order in which they were registered. A part that is registered later is not disposed
 * of.
 */
export interface DisposableStore extends vscode.Disposable {
  register: Register;
}

export function createDisposableStore(): DisposableStore {
  const made: vscode.Disposable[] = [];
  return {
    register: (part) => {
      made.push(part);
      return part;
    },
    dispose: () => vscode.Disposable.from(...made).dispose(),
  };
}
