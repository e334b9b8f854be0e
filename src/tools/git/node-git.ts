import { ToolError } from '../../agent/tool.ts';
import type { ChangedFile, ChangeRange, Git } from './git.ts';
import { findTop, locateGit } from './git-location.ts';
import { openGitProgram } from './git-program.ts';

export function createNodeGit(deps: { gitPath(): string | undefined }): Git {
  return {
    isRepository: ({ fsPath }) => fsPath !== undefined && deps.gitPath() !== undefined && findTop(fsPath) !== undefined,
    elsewhere: async ({ fsPath }) => (fsPath === undefined ? [] : (await locateGit(fsPath)).elsewhere),
    async changes({ fsPath }, range, signal, agreed) {
      if (fsPath === undefined) throw new ToolError('The folder is not on this disk, so git cannot look at it.');
      const { run } = await openGitProgram(deps.gitPath(), fsPath, signal, { agreed });
      const git = (...args: string[]) => run(args);
      const compared = range.unstaged ? [] : [...(range.staged ? ['--cached'] : []), await baseOf(git, range)];
      const diff = [
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        // Of a submodule only the commit is read: within it another git would obey settings of its own.
        '--ignore-submodules=dirty',
        '--submodule=short',
        '--relative',
        '-M',
        ...compared,
      ];
      const counted = parseNumstat(await git(...diff, '--numstat', '-z', '--'));
      const mayBeGone = counted.some(({ added = 0, oldPath }) => added === 0 && oldPath === undefined);
      const gone = mayBeGone ? (await git(...diff, '--diff-filter=D', '--name-only', '-z', '--')).split('\0') : [];
      const files = counted.map((file) => ({ ...file, ...(gone.includes(file.path) && { isGone: true as const }) }));
      const listed = range.staged ? '' : await git('ls-files', '--others', '--exclude-standard', '-z');
      return {
        files,
        untracked: listed.split('\0').filter((name) => name !== ''),
        diff: async (paths) => {
          if (paths.length === 0) return '';
          return git('--literal-pathspecs', ...diff, '--unified=3', '--', ...paths);
        },
      };
    },
  };
}

/**
 * Resolves with the commit to compare with. Without a branch that is HEAD, so that staged and unstaged changes are seen
 * together.
 */
async function baseOf(git: (...args: string[]) => Promise<string>, range: ChangeRange): Promise<string> {
  const { against } = range;
  if (against === undefined || against === '') {
    const head = await git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '');
    // Before the first commit everything is new.
    return head.trim() === '' ? (await git('hash-object', '-t', 'tree', '--stdin')).trim() : 'HEAD';
  }
  const shown = against.slice(0, 100);
  if (/[^\w./@{}~^+#-]|^-|\.\./.test(against)) throw new ToolError(`"${shown}" is no name of a branch, tag or commit.`);
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${against}^{commit}`).catch(
    () => '',
  );
  if (commit.trim() === '') throw new ToolError(`There is no branch, tag or commit named "${shown}".`);
  const base = await git('merge-base', 'HEAD', commit.trim()).catch(() => '');
  return base.trim() || commit.trim();
}

function parseNumstat(text: string): ChangedFile[] {
  const files: ChangedFile[] = [];
  const fields = text.split('\0').values();
  for (const field of fields) {
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    if (match === null) continue;
    const [, added = '-', removed = '-', name = ''] = match;
    const counts = added === '-' ? {} : { added: Number(added), removed: Number(removed) };
    if (name !== '') {
      files.push({ path: name, ...counts });
      continue;
    }
    const oldPath = fields.next().value ?? '';
    files.push({ path: fields.next().value ?? '', oldPath, ...counts });
  }
  return files;
}
