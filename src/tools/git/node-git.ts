import { existsSync } from 'node:fs';
import path from 'node:path';
import { ToolError } from '../../agent/tool.ts';
import type { ChangedFile, ChangeRange, Git } from './git.ts';
import { openGitProgram } from './git-program.ts';

export function createNodeGit(deps: { gitPath(): string | undefined }): Git {
  return {
    isRepository: ({ fsPath }) => fsPath !== undefined && deps.gitPath() !== undefined && isInsideRepository(fsPath),
    async changes({ fsPath }, range, signal) {
      if (fsPath === undefined) throw new ToolError('The folder is not on this disk, so git cannot look at it.');
      const { run } = await openGitProgram(deps.gitPath(), fsPath, signal);
      const git = (...args: string[]) => run(args);
      const base = await baseOf(git, range);
      const compared = [...(range.staged ? ['--cached'] : []), ...(base === undefined ? [] : [base])];
      const diff = [
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        // A submodule is read by another git, with settings of its own; the index names its commit.
        range.staged ? '--ignore-submodules=dirty' : '--ignore-submodules=all',
        '--submodule=short',
        '--relative',
        '-M',
        ...compared,
      ];
      const files = parseNumstat(await git(...diff, '--numstat', '-z', '--'));
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

function isInsideRepository(folder: string): boolean {
  for (let current = folder; ; current = path.dirname(current)) {
    if (existsSync(path.join(current, '.git'))) return true;
    if (path.dirname(current) === current) return false;
  }
}

/** Without a branch the base is HEAD, so that staged and unstaged changes are seen together. */
async function baseOf(git: (...args: string[]) => Promise<string>, range: ChangeRange): Promise<string | undefined> {
  const { against } = range;
  if (against === undefined || against === '') {
    const head = await git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '');
    // Before the first commit there is only the index to compare with.
    return head.trim() === '' ? undefined : 'HEAD';
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
