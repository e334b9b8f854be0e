import * as vscode from 'vscode';

/** Hands a part through and disposes of it with the rest. */
export type Register = <T extends vscode.Disposable>(part: T) => T;

/** Disposes of every part that was handed to `own`, before or after. */
export interface DisposableStore extends vscode.Disposable {
  register: Register;
}

/** Everything that one window made, to be taken down together, the first first. */
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
