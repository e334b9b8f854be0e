import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { isGitPath, isSecretPath } from '../files/file-class.ts';
import { needToReadOutside } from '../files/read-place.ts';
import type { Place, Workspace, WorkspaceRoot } from '../files/workspace.ts';
import { writeOutInvisible } from '../shared/invisible-signs.ts';
import { alsoCalled } from './dialect/named-arguments.ts';
import type { ChangedFile, ChangeRange, Git } from './git/git.ts';
import { isGeneratedPath, shortenDiff } from './git/shorten-diff.ts';

const maxDiffLength = 16_000;
const maxFiles = 100;
const maxLines = 20_000;
const fewLines = 20;

interface DescribedChanges {
  text: string;
  count: number;
  untracked: readonly Place[];
}

export const getChanges = toolRecord({
  name: 'get_changes',
  description: 'Git diff of uncommitted changes; staged: only those; against: since that branch or commit.',
  parameters: z.object({ staged: z.optional(z.boolean()), against: z.optional(z.string()) }),
  dialect: alsoCalled('get_changes', 'getchangedfiles viewdiff gitdiff diff'),
  kind: 'other',
  needs: 'repository',
  access: 'read',
  presentation: () => ({ words: l10n.t('Get changes') }),
  title({ staged, against }) {
    if (!against) return staged ? l10n.t('Staged changes') : l10n.t('Changes');
    return staged ? l10n.t('Staged changes since {0}', against) : l10n.t('Changes since {0}', against);
  },
  plan:
    ({ workspace, git }: { workspace: Workspace; git: Git }) =>
    async ({ staged = false, against }, { signal }) => {
      const range: ChangeRange = against === undefined ? { staged } : { staged, against };
      const roots = workspace.roots().filter((root) => git.isRepository(root));
      const elsewhere = (await Promise.all(roots.map((root) => git.elsewhere(root)))).flat();
      // A card holds for one place; more are refused by name.
      const agreed = elsewhere.length === 1 ? elsewhere[0] : undefined;
      return {
        ...(agreed !== undefined && { approval: needToReadOutside(agreed) }),
        async run() {
          const { text, count } = await describeChanges({ workspace, git }, range, signal, agreed);
          const forUser = count === 1 ? l10n.t('1 changed file') : l10n.t('{0} changed files', count);
          return { forModel: text || 'Nothing has changed.', forUser };
        },
      };
    },
});

/**
 * Describes the changes of every open folder, with an empty text when there are none, and the new files that git does
 * not know. Rejects with `ToolError` when git fails.
 */
export async function describeChanges(
  { workspace, git }: { workspace: Workspace; git: Git },
  range: ChangeRange,
  signal: AbortSignal,
  agreed?: string,
): Promise<DescribedChanges> {
  const roots = workspace.roots().filter((root) => git.isRepository(root));
  if (roots.length === 0) throw new ToolError('No open folder is under git.');
  const prefixed = workspace.roots().length > 1;
  const parts: string[] = [];
  let untracked: readonly Place[] = [];
  let count = 0;
  for (const root of roots) {
    const found = await changesOf(git, { root, range, agreed, prefix: prefixed ? `${root.name}/` : '' }, signal);
    count += found.count;
    untracked = [...untracked, ...found.untracked];
    if (found.text !== '') parts.push(found.text);
  }
  return { text: parts.join('\n'), count, untracked };
}

async function changesOf(
  git: Git,
  {
    root,
    range,
    agreed,
    prefix,
  }: { root: WorkspaceRoot; range: ChangeRange; agreed: string | undefined; prefix: string },
  signal: AbortSignal,
): Promise<DescribedChanges> {
  const changes = await git.changes(root, range, signal, agreed);
  const isSecret = (path: string) => isSecretPath(path) || isGitPath(path);
  // In a long list the files that somebody wrote are not those that are missing.
  const files = changes.files.toSorted((a, b) => Number(isGeneratedPath(a.path)) - Number(isGeneratedPath(b.path)));
  const listed = files.length > maxFiles ? files : changes.files;
  const rows = [
    ...listed.map((file) => row(file, prefix, isSecret)),
    ...changes.untracked.map((path) => `new, not added: ${prefix}${path}`),
  ];
  if (rows.length === 0) return { text: '', count: 0, untracked: [] };
  const readable = listed.filter(
    ({ path, oldPath = '', added }) => !isSecret(path) && !isSecret(oldPath) && added !== undefined,
  );
  const shown = readable.filter((file) => !isLeftOut(file)).slice(0, maxFiles);
  const left = readable.filter(isLeftOut).slice(0, maxFiles);
  const paths = shown.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
  const more = rows.length > maxFiles ? [`[${rows.length - maxFiles} more files]`] : [];
  const notes = left.map((file) => leftOutNote(file, prefix));
  const diff = shortenDiff(await changes.diff(paths), maxDiffLength - notes.join('\n').length);
  const parts = [diff, ...notes].filter((part) => part !== '');
  const text = [
    ...rows.slice(0, maxFiles).map(writeOutInvisible),
    ...more,
    ...(parts.length === 0 ? [] : ['', ...parts]),
  ].join('\n');
  const untracked = changes.untracked.filter((path) => !isSecret(path)).map((path) => ({ root, path }));
  return { text, count: rows.length, untracked };
}

function row(
  { path, oldPath, isGone, added, removed }: ChangedFile,
  prefix: string,
  isSecret: (path: string) => boolean,
): string {
  const counts = added === undefined ? 'binary' : `+${added} −${removed}`;
  const from = isGone ? ' (deleted)' : oldPath === undefined ? '' : ` (was ${prefix}${oldPath})`;
  const secret = isSecret(path) || isSecret(oldPath ?? '') ? ', may hold secrets, not shown' : '';
  return `${prefix}${path}${from} ${counts}${secret}`;
}

const changedLines = ({ added = 0, removed = 0 }: ChangedFile) => added + removed;

/** Huge or generated files are left out, because their lines would displace those that somebody wrote. */
function isLeftOut(file: ChangedFile): boolean {
  const changed = changedLines(file);
  return changed > maxLines || (changed > fewLines && isGeneratedPath(file.path));
}

function leftOutNote(file: ChangedFile, prefix: string): string {
  const shown = writeOutInvisible(`${prefix}${file.path}`);
  return isGeneratedPath(file.path)
    ? `[generated, not shown: ${changedLines(file)} lines of ${shown}]`
    : `[${changedLines(file)} more lines of ${shown}]`;
}
