import * as vscode from 'vscode';

export type Register = <T extends vscode.Disposable>(part: T) => T;

/** Disposes of its parts in the order of their registration. A part that is registered later is not disposed of. */
export function createDisposableStore() {
  const made: vscode.Disposable[] = [];
  const register: Register = (part) => {
    made.push(part);
    return part;
  };
  return {
    register,
    dispose: () => vscode.Disposable.from(...made).dispose(),
  };
}
