import type { Place, WorkspaceRoot } from '../../files/workspace.ts';

export interface Git {
  /** Answers without asking git, so that a tool that cannot apply is not sent. */
  isRepository(root: WorkspaceRoot): boolean;
  /**
   * Paths are relative to the folder of the root, and only changes below it count. Rejects with `ToolError` when git
   * cannot answer, or has data outside of the repository that nobody agreed to.
   */
  changes(root: WorkspaceRoot, range: ChangeRange, signal: AbortSignal, agreed?: string): Promise<Changes>;
  /** Resolves with folders outside of the repository that its data lead to. */
  elsewhere(root: WorkspaceRoot): Promise<readonly string[]>;
}

export interface ChangeRange {
  staged: boolean;
  /** The comparison starts where the work left this branch, tag or commit. */
  against?: string;
  unstaged?: true;
}

export interface Changes {
  files: readonly ChangedFile[];
  /** Lists new files that git does not know; it is empty with `staged`. */
  untracked: readonly string[];
  diff(paths: readonly string[]): Promise<string>;
}

export interface ChangedFile {
  path: Place['path'];
  oldPath?: string;
  isGone?: true;
  added?: number;
  removed?: number;
}
