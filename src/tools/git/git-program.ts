import { execFile } from 'node:child_process';
import { ToolError } from '../../agent/tool.ts';

const maxAnswerBytes = 32 * 1024 * 1024;
const maxAnswerMs = 30_000;
const maxLongMs = 15 * 60_000;

/**
 * A repository can name programs in its configuration; none of them may run because we read it. Hooks, fsmonitor,
 * external diffs, textconv, pagers, and fetching from a remote are off; `safeOptions` switches filters off one by
 * one.
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

export interface GitRun {
  input?: string;
  indexFile?: string;
  /** The answer is UTF-8 by default; `latin1` keeps every byte, as a character each. */
  encoding?: 'latin1';
  isLong?: boolean;
}

export interface GitProgram {
  /** Rejects with `ToolError` when git cannot answer, and with the reason of the signal once that is aborted. */
  run(args: readonly string[], options?: GitRun): Promise<string>;
  /**
   * These filter drivers of the repository's own configuration are switched off, so files come without what they
   * would change.
   */
  filtersOff: ReadonlySet<string>;
}

export async function openGitProgram(
  gitPath: string | undefined,
  folder: string,
  signal: AbortSignal,
): Promise<GitProgram> {
  if (gitPath === undefined) throw new ToolError('There is no git on this machine.');
  const safe = await safeOptions((args) => runGit({ gitPath, folder, args, signal }));
  return {
    filtersOff: safe.drivers,
    run: (args, options) => runGit({ gitPath, folder, args: [...safe.options, ...args], signal, ...options }),
  };
}

interface SafeOptions {
  options: readonly string[];
  drivers: ReadonlySet<string>;
}

async function safeOptions(run: (args: readonly string[]) => Promise<string>): Promise<SafeOptions> {
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
  return { options: [...base, ...off], drivers };
}

interface Running extends GitRun {
  gitPath: string;
  folder: string;
  args: readonly string[];
  signal: AbortSignal;
}

function runGit({ gitPath, folder, args, signal, input, indexFile, encoding, isLong }: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      gitPath,
      [...args],
      {
        cwd: folder,
        env: {
          ...withoutGitVariables(process.env),
          ...gitEnvironment,
          ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
        },
        encoding: encoding ?? 'utf8',
        maxBuffer: maxAnswerBytes,
        timeout: isLong ? maxLongMs : maxAnswerMs,
        signal,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(signal.aborted ? error : new ToolError(`git could not answer: ${reasonOf(stderr, error)}`));
      },
    );
    // A git that ended early does not read on; its exit says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '', 'latin1');
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
