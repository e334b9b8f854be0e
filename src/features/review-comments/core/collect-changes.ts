import { ignoreToolError, ToolError } from '../../../agent/tool.ts';
import { resolveReadPlace } from '../../../files/read-place.ts';
import { readText } from '../../../files/read-text.ts';
import { displayPath, type Files, type Place, type Workspace } from '../../../files/workspace.ts';
import type { ChangeRange, Changes, Git } from '../../../tools/git/git.ts';
import { isGeneratedPath } from '../../../tools/git/shorten-diff.ts';
import { type ChangedLines, changedLines, newLines } from './changed-lines.ts';
import type { ReviewedFile } from './findings.ts';

export interface CollectDeps {
  workspace: Workspace;
  files: Files;
  git: Git;
  uriOf(place: Place): string;
}

export interface Material {
  files: ReadonlyMap<string, ReviewedFile>;
  hunks: readonly ChangedLines[];
}

const maxFiles = 60;
const maxBytes = 1024 * 1024;

/**
 * Collects the changes of all open repositories. It leaves out what ignore files exclude, what may hold secrets, what
 * a program wrote, and what is not text; the user is not asked. Rejects with `ToolError` when git fails.
 */
export async function collectChanges(deps: CollectDeps, range: ChangeRange, signal: AbortSignal): Promise<Material> {
  const roots = deps.workspace.roots().filter(deps.git.isRepository);
  if (roots.length === 0) throw new ToolError('No open folder is under git.');
  const files = new Map<string, ReviewedFile>();
  const hunks: ChangedLines[] = [];
  for (const root of roots) {
    const changes = await deps.git.changes(root, range, signal);
    for (const { path, diffOf } of changedFilesOf(changes).slice(0, maxFiles)) {
      const place = { root, path };
      const shown = displayPath(deps.workspace, place);
      const text = await readUnasked(deps, place, shown).catch(ignoreToolError);
      if (text === undefined) continue;
      const own = diffOf === undefined ? [newLines(shown, text)] : changedLines(shown, await changes.diff(diffOf));
      files.set(shown, { uri: deps.uriOf(place), lines: text.split(/\r?\n/) });
      hunks.push(...own);
    }
  }
  return { files, hunks };
}

function changedFilesOf({ files, untracked }: Changes): { path: string; diffOf?: string[] }[] {
  const known = files.filter(({ added }) => added !== undefined);
  const rows = [
    ...known.map(({ path, oldPath }) => ({ path, diffOf: oldPath === undefined ? [path] : [oldPath, path] })),
    ...untracked.map((path) => ({ path })),
  ];
  return rows.filter(({ path }) => !isGeneratedPath(path));
}

async function readUnasked(deps: CollectDeps, place: Place, shown: string): Promise<string | undefined> {
  const { approval, checked } = await resolveReadPlace(deps, shown, 'file');
  if (approval !== undefined) return undefined;
  return (await readText(deps, place, { max: maxBytes, checked })).text;
}
