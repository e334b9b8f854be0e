import * as vscode from 'vscode';

/** Hands a part through and disposes of it with the rest. */
export type Own = <T extends vscode.Disposable>(part: T) => T;

/** Disposes of every part that was handed to `own`, before or after. */
export interface Owner extends vscode.Disposable {
  own: Own;
}

/** Everything that one window made, to be taken down together, the first first. */
export function createOwner(): Owner {
  const made: vscode.Disposable[] = [];
  return {
    own: (part) => {
      made.push(part);
      return part;
    },
    dispose: () => vscode.Disposable.from(...made).dispose(),
  };
}
