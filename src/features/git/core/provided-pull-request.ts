import { splitDiff, type UnifiedHunk } from '../../../edits/apply/unified-hunks.ts';
import { bytesOf } from './file-changes.ts';
import type { PullRequestChange, PullRequestMaterial } from './pull-request.ts';

/** The GitHub extension hands this over when it asks for a description; the commits are in no reliable order. */
export interface ProvidedPullRequest {
  commitMessages: readonly string[];
  /**
   * There is one patch for each file, with or without the header that git writes. It is empty for a file that is not
   * text.
   */
  patches: readonly (string | ProvidedPatch)[];
  issues?: readonly ProvidedIssue[];
  template?: string;
  compareBranch?: string;
}

export interface ProvidedPatch {
  patch: string;
  fileUri: string;
  previousFileUri?: string;
}

export interface ProvidedIssue {
  reference: string;
  content: string;
}

export interface RepositoryFiles {
  /** Returns the path in its repository, or undefined for a file outside of every repository. */
  pathOf(uri: string): string | undefined;
  hides(path: string): Promise<boolean>;
}

/**
 * Makes the material of our own prompt of what was handed over; `base` is empty. A file without a known path becomes hidden, so that
 * none of its lines are sent.
 */
export async function materialOf(given: ProvidedPullRequest, files: RepositoryFiles): Promise<PullRequestMaterial> {
  const { commitMessages, patches, issues = [], template = '', compareBranch = '' } = given;
  const commits = commitMessages.map((text) => text.trim()).filter((text) => text !== '');
  const changes: PullRequestChange[] = [];
  const hidden = new Set<string>();
  for (const [at, patch] of patches.entries()) {
    const { path, oldPath, hunks } = typeof patch === 'string' ? fromGitPatch(patch) : fromUris(patch, files);
    const names = [path, oldPath].filter((name) => name !== undefined);
    const shown = names[0] ?? `[file ${at + 1}]`;
    if (names.length === 0) hidden.add(shown);
    for (const name of names) if (await files.hides(name)) hidden.add(name);
    const [first] = hunks;
    changes.push({
      path: bytesOf(shown),
      ...(oldPath !== undefined && oldPath !== shown && { oldPath: bytesOf(oldPath) }),
      ...(!isEmptySide(first?.oldStart, first?.oldCount) && { before: {} }),
      ...(!isEmptySide(first?.newStart, first?.newCount) && { after: {} }),
      hunks: hunks.map(({ text }) => ({ text: bytesOf(text) })),
    });
  }
  const commitCount = commits.length;
  return { base: '', branch: compareBranch, commits, commitCount, changes, hidden, template, issues };
}

interface GivenFile {
  path: string | undefined;
  oldPath: string | undefined;
  hunks: readonly UnifiedHunk[];
}

/** Returns whether this side has no lines, because the file is made or deleted. */
function isEmptySide(start: number | undefined, count: number | undefined): boolean {
  return start === 0 && count === 0;
}

function fromUris({ patch, fileUri, previousFileUri }: ProvidedPatch, { pathOf }: RepositoryFiles): GivenFile {
  const oldPath = previousFileUri === undefined ? undefined : pathOf(previousFileUri);
  return { path: pathOf(fileUri), oldPath, hunks: splitDiff(patch).hunks };
}

/** Reads a patch that begins with git's own header. A name that git has quoted counts as unknown. */
function fromGitPatch(patch: string): GivenFile {
  const { head, hunks } = splitDiff(patch);
  const nameIn = (line: RegExp) => line.exec(head)?.[1];
  return { path: nameIn(/^\+\+\+ b\/([^\r\n]+)$/m), oldPath: nameIn(/^--- a\/([^\r\n]+)$/m), hunks };
}
