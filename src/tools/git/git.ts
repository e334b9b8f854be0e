import type { Place, WorkspaceRoot } from '../../files/workspace.ts';

/** For `get_changes`. `node-git.ts` runs the program. */
export interface Git {
  /** Known without asking git, so that a tool that cannot apply is not offered. */
  isRepository(root: WorkspaceRoot): boolean;
  /** Changes under the folder of the root, paths relative to it. Rejects with `ToolError` when git cannot answer. */
  changes(root: WorkspaceRoot, range: ChangeRange, signal: AbortSignal): Promise<Changes>;
}

export interface ChangeRange {
  /** Only what is in the index. */
  staged: boolean;
  /** A branch, tag or commit; compared is what was done since it was left. */
  against?: string;
}

export interface Changes {
  files: readonly ChangedFile[];
  /** New files that git does not know; not with `staged`. */
  untracked: readonly string[];
  /** Unified diffs of the given files, nothing of others. */
  diff(paths: readonly string[]): Promise<string>;
}

export interface ChangedFile {
  path: Place['path'];
  /** The name before, of a renamed file. */
  oldPath?: string;
  /** Absent for binary files. */
  added?: number;
  removed?: number;
}
