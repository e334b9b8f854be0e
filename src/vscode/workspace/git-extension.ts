import * as vscode from 'vscode';

export interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): { git: { path: string }; repositories: GitRepository[] };
}

export interface GitRepository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  state: { indexChanges: readonly unknown[] };
  status(): Promise<void>;
  getConfig?(key: string): Promise<string>;
  getGlobalConfig?(key: string): Promise<string>;
  /** Rejects in a repository without commits. */
  log(options: { maxEntries: number }): Promise<readonly { message: string }[]>;
  /**
   * Resolves with the text of a file, given by its path on this disk, in a commit. Rejects where the commit does not
   * have it.
   */
  show(ref: string, path: string): Promise<string>;
}

export function gitExtension(): vscode.Extension<GitExtension> | undefined {
  return vscode.extensions.getExtension<GitExtension>('vscode.git');
}

export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const extension = gitExtension();
  if (extension === undefined) return [];
  const exports = extension.isActive ? extension.exports : await extension.activate();
  return exports.enabled ? exports.getAPI(1).repositories : [];
}
