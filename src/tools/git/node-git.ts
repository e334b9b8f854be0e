import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ToolError } from '../../agent/tool.ts';
import type { ChangedFile, ChangeRange, Git } from './git.ts';

const maxAnswerBytes = 32 * 1024 * 1024;
const maxAnswerMs = 30_000;

/**
 * A repository can name programs in its configuration; none of them may run because we look. Hooks, fsmonitor,
 * external diffs, textconv, pagers, and fetching from a remote are off; filters are taken out one by one in `safeOptions`.
 */
const safeConfiguration = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'color.ui=false',
  'core.quotePath=false',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
];

/** Git as a child process with fixed arguments. `gitPath` is asked at every call; undefined when there is no git. */
export function createNodeGit(deps: { gitPath(): string | undefined }): Git {
  const run = (folder: string, args: readonly string[], signal: AbortSignal): Promise<string> => {
    const gitPath = deps.gitPath();
    if (gitPath === undefined) throw new ToolError('There is no git on this machine.');
    return runGit(gitPath, folder, args, signal);
  };
  return {
    isRepository: ({ fsPath }) => fsPath !== undefined && deps.gitPath() !== undefined && isInsideRepository(fsPath),
    async changes({ fsPath }, range, signal) {
      if (fsPath === undefined) throw new ToolError('The folder is not on this disk, so git cannot look at it.');
      const safe = await safeOptions((args) => run(fsPath, args, signal));
      const git = (...args: string[]) => run(fsPath, [...safe, ...args], signal);
      const base = await baseOf(git, range);
      const compared = [...(range.staged ? ['--cached'] : []), ...(base === undefined ? [] : [base])];
      const diff = [
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        // A submodule is looked into by another git, with settings of its own; the index names its commit.
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

/** Filters (`clean`, `process`) that the repository itself configures run when git reads changed files: switched off. */
async function safeOptions(run: (args: readonly string[]) => Promise<string>): Promise<string[]> {
  const base = ['--no-pager', '--no-optional-locks', ...safeConfiguration.flatMap((entry) => ['-c', entry])];
  const names: string[] = [];
  for (const scope of ['--local', '--worktree']) {
    const query = ['config', scope, '--includes', '-z', '--name-only', '--get-regexp', '^filter\\.'];
    // Exit code 1 says that there is none.
    names.push(...(await run([...base, ...query]).catch(() => '')).split('\0'));
  }
  const drivers = new Set(names.flatMap((name) => /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1] ?? []));
  // After `-c` the first `=` ends the name, so that what was meant to switch this one off would say something else.
  if ([...drivers].some((driver) => driver.includes('='))) {
    throw new ToolError('git would run a filter of this repository that cannot be switched off, so it was not asked.');
  }
  const off = [...drivers].flatMap((driver) => [
    ...['clean', 'smudge', 'process'].flatMap((key) => ['-c', `filter.${driver}.${key}=`]),
    '-c',
    `filter.${driver}.required=false`,
  ]);
  return [...base, ...off];
}

/** Where the work left the given branch. Without one: HEAD, so that staged and unstaged changes are seen together. */
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

/** `added TAB removed TAB path NUL`; of a rename the path is empty and old and new follow. */
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

function runGit(gitPath: string, folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      gitPath,
      [...args],
      {
        cwd: folder,
        env: { ...withoutGitVariables(process.env), ...gitEnvironment },
        encoding: 'utf8',
        maxBuffer: maxAnswerBytes,
        timeout: maxAnswerMs,
        signal,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(signal.aborted ? error : new ToolError(`git could not answer: ${reasonOf(stderr, error)}`));
      },
    );
  });
}

const gitEnvironment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_PAGER: 'cat',
  LC_ALL: 'C.UTF-8',
};

/** Variables of whoever started the editor could point to another repository or to a program. */
function withoutGitVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_')));
}

function reasonOf(stderr: string, error: Error): string {
  const line = stderr.split('\n').find((text) => /^(fatal|error):/.test(text));
  if (line !== undefined) return line.slice(0, 200);
  return 'code' in error ? String(error.code) : 'it was ended';
}
