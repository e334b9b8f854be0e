import * as vscode from 'vscode';

/** The part of the built-in Git extension's interface that is used. */
export interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): { git: { path: string }; repositories: GitRepository[] };
}

export interface GitRepository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  state: { indexChanges: readonly unknown[] };
  /** Looks anew, so that the view shows what is staged now. */
  status(): Promise<void>;
  /** Rejects in a repository without commits. */
  log(options: { maxEntries: number }): Promise<readonly { message: string }[]>;
  /** The text of a file, by its path on this disk, in a commit. Rejects where the commit has none. */
  show(ref: string, path: string): Promise<string>;
}

/** Undefined without the Git extension, and while it is switched off. */
export function gitExtension(): vscode.Extension<GitExtension> | undefined {
  return vscode.extensions.getExtension<GitExtension>('vscode.git');
}

/** The repositories that the Source Control view shows. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const extension = gitExtension();
  if (extension === undefined) return [];
  const exports = extension.isActive ? extension.exports : await extension.activate();
  return exports.enabled ? exports.getAPI(1).repositories : [];
}
