import * as vscode from 'vscode';

export interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): { git: { path: string }; repositories: GitRepository[] };
}

export interface GitRepository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  state: {
    indexChanges: readonly unknown[];
    workingTreeChanges: readonly { uri: vscode.Uri }[];
    /** Is there where the user has Git show new files apart. */
    untrackedChanges?: readonly { uri: vscode.Uri }[];
    HEAD: { commit?: string } | undefined;
    onDidChange: vscode.Event<void>;
  };
  status(): Promise<void>;
  add(paths: readonly string[]): Promise<void>;
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

/** Returns the repositories that are open already, without waiting for VS Code's Git. */
export function openRepositories(): readonly GitRepository[] {
  const extension = gitExtension();
  return extension?.isActive && extension.exports.enabled ? extension.exports.getAPI(1).repositories : [];
}

export async function gitRepositories(): Promise<readonly GitRepository[]> {
  await gitExtension()?.activate();
  return openRepositories();
}
