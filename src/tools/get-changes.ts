import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { writeOutInvisible } from '../shared/invisible-signs.ts';
import { alsoCalled } from './dialect/given.ts';
import { isGitPath, isSecretPath } from './files/file-class.ts';
import type { Place, Workspace, WorkspaceRoot } from './files/workspace.ts';
import type { ChangedFile, ChangeRange, Git } from './git/git.ts';

const maxDiffLength = 16_000;
const maxLineLength = 400;
const maxFiles = 100;

interface DescribedChanges {
  text: string;
  count: number;
  /** Without those that may hold secrets. */
  untracked: readonly Place[];
}

/** `get_changes`: what git says has changed: all, staged only, or since a branch was left. */
export const getChanges = toolRecord({
  name: 'get_changes',
  description: 'Git diff of uncommitted changes; staged: only those; against: since that branch or commit.',
  parameters: z.object({ staged: z.optional(z.boolean()), against: z.optional(z.string()) }),
  dialect: alsoCalled('get_changes', 'getchangedfiles viewdiff gitdiff diff'),
  kind: 'other',
  needs: 'repository',
  access: 'read',
  face: () => ({
    words: l10n.t('Get changes'),
    icon: 'tool',
    subject: [],
    gathers: 'nothing',
    card: 'line',
    opens: false,
  }),
  title({ staged, against }) {
    if (!against) return staged ? l10n.t('Staged changes') : l10n.t('Changes');
    return staged ? l10n.t('Staged changes since {0}', against) : l10n.t('Changes since {0}', against);
  },
  run:
    ({ workspace, git }: { workspace: Workspace; git: Git }) =>
    async ({ staged = false, against }, { signal }) => {
      const range: ChangeRange = against === undefined ? { staged } : { staged, against };
      const { text, count } = await describeChanges({ workspace, git }, range, signal);
      const forUser = count === 1 ? l10n.t('1 changed file') : l10n.t('{0} changed files', count);
      return { forModel: text || 'Nothing has changed.', forUser };
    },
});

/**
 * The changes of every open folder as text, empty when there are none, and the new files that git does not know. Rejects with
 * `ToolError` when git cannot tell.
 */
export async function describeChanges(
  { workspace, git }: { workspace: Workspace; git: Git },
  range: ChangeRange,
  signal: AbortSignal,
): Promise<DescribedChanges> {
  const roots = workspace.roots().filter((root) => git.isRepository(root));
  if (roots.length === 0) throw new ToolError('No open folder is under git.');
  const prefixed = workspace.roots().length > 1;
  const parts: string[] = [];
  let untracked: readonly Place[] = [];
  let count = 0;
  for (const root of roots) {
    const found = await changesOf(git, { root, range, prefix: prefixed ? `${root.name}/` : '' }, signal);
    count += found.count;
    untracked = [...untracked, ...found.untracked];
    if (found.text !== '') parts.push(found.text);
  }
  return { text: parts.join('\n'), count, untracked };
}

async function changesOf(
  git: Git,
  { root, range, prefix }: { root: WorkspaceRoot; range: ChangeRange; prefix: string },
  signal: AbortSignal,
): Promise<DescribedChanges> {
  const changes = await git.changes(root, range, signal);
  const isSecret = (path: string) => isSecretPath(path) || isGitPath(path);
  const rows = [
    ...changes.files.map((file) => row(file, prefix, isSecret)),
    ...changes.untracked.map((path) => `new, not added: ${prefix}${path}`),
  ];
  if (rows.length === 0) return { text: '', count: 0, untracked: [] };
  const readable = changes.files.filter(
    ({ path, oldPath = '', added }) => !isSecret(path) && !isSecret(oldPath) && added !== undefined,
  );
  const paths = readable
    .slice(0, maxFiles)
    .flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
  const more = rows.length > maxFiles ? [`[${rows.length - maxFiles} more files]`] : [];
  const diff = shorten(await changes.diff(paths));
  const text = [...rows.slice(0, maxFiles).map(writeOutInvisible), ...more, ...(diff === '' ? [] : ['', diff])].join(
    '\n',
  );
  const untracked = changes.untracked.filter((path) => !isSecret(path)).map((path) => ({ root, path }));
  return { text, count: rows.length, untracked };
}

function row(
  { path, oldPath, added, removed }: ChangedFile,
  prefix: string,
  isSecret: (path: string) => boolean,
): string {
  const counts = added === undefined ? 'binary' : `+${added} −${removed}`;
  const from = oldPath === undefined ? '' : ` (was ${prefix}${oldPath})`;
  const secret = isSecret(path) || isSecret(oldPath ?? '') ? ', may hold secrets, not shown' : '';
  return `${prefix}${path}${from} ${counts}${secret}`;
}

/** Without what the list above says already, and cut at the end of a line. */
function shorten(diff: string): string {
  const lines = diff
    .split('\n')
    .filter((line) => !/^(index [0-9a-f]+\.\.|diff --git |similarity index |rename (from|to) )/.test(line))
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength).toWellFormed()}…` : line));
  const text = lines.join('\n').trimEnd();
  if (text.length <= maxDiffLength) return text;
  const end = text.lastIndexOf('\n', maxDiffLength);
  const rest = text.slice(end + 1).split('\n').length;
  return `${text.slice(0, end)}\n[${rest} more lines of the diff: read the files that matter]`;
}
