import { constants } from 'node:buffer';
import { execFile } from 'node:child_process';
import { copyFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { ToolError } from '../../agent/tool.ts';
import { createSerial } from '../../base/serial.ts';
import { makeTemporary } from '../../base/temporary.ts';
import { type GitLocation, locateGit } from './git-location.ts';
import { neededSettings } from './git-settings.ts';

const maxAnswerBytes = 32 * 1024 * 1024;
const maxAnswerMs = 30_000;
const maxLongMs = 15 * 60_000;

/** The user's own settings stay in force, but for those that change what is parsed or run programs beside git. */
const ownSettings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'color.ui=false',
  'core.quotePath=false',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
];
const options = ['--no-pager', '--no-optional-locks', ...ownSettings.flatMap((entry) => ['-c', entry])];

export interface GitRun {
  input?: string;
  indexFile?: string;
  /** The answer is UTF-8 by default; `latin1` keeps every byte, as a character each. */
  encoding?: 'latin1';
  /** Lets the run take minutes, and answer with as much as a string holds. */
  isLong?: boolean;
  /** Runs it for the repository of a worktree, whether the worktree is still there or not. */
  forRepository?: boolean;
}

export interface GitProgram {
  /** Rejects with `ToolError` when git cannot answer, and with the reason of the signal once that is aborted. */
  run(args: readonly string[], options?: GitRun): Promise<string>;
  /** Filter drivers of the repository's own settings do not run, so files come without what they would change. */
  filtersOff: ReadonlySet<string>;
  /** The data that all worktrees of the repository share. */
  commonDir: string;
}

/**
 * Whoever wrote a repository chose its settings, and they can name programs, hooks, and other folders. So git never
 * reads them: it gets a copy with those alone that reading needs, beside links to the repository's data. Data outside
 * of its folder are refused unless they name this folder, or were agreed to.
 */
export async function openGitProgram(
  gitPath: string | undefined,
  folder: string,
  signal: AbortSignal,
  known: { agreed?: string | undefined; movedFrom?: string } = {},
): Promise<GitProgram> {
  if (gitPath === undefined) throw new ToolError('There is no git on this machine.');
  const location = await locateGit(folder, known.movedFrom);
  const strange = location.elsewhere.find((place) => place !== known.agreed);
  if (strange !== undefined)
    throw new ToolError(l10n.t('The Git data of this folder are in {0}, outside of it.', strange));
  const { gitDir, commonDir, top } = location;
  const list = async (file: string) => {
    const args = ['config', '--file', file, '--includes', '--list', '-z'];
    const variables = { GIT_DIR: path.join(commonDir, 'none') };
    return runGit({ gitPath, folder: commonDir, args, signal, variables });
  };
  const shared = await list(path.join(commonDir, 'config'));
  const hasOwn = /(?:^|\0)extensions\.worktreeconfig(?:\0|$|\n(?:true|yes|on|1)(?:\0|$))/i.test(shared);
  const own = hasOwn ? await list(path.join(gitDir, 'config.worktree')).catch(() => '') : '';
  const { text, filters } = neededSettings(shared + own);
  const settings = await settingsFolder(location, text);
  const variables = {
    GIT_COMMON_DIR: settings,
    GIT_OBJECT_DIRECTORY: path.join(commonDir, 'objects'),
  };
  return {
    commonDir,
    filtersOff: filters,
    run: (args, { forRepository = false, ...rest } = {}) =>
      runGit({
        ...{ gitPath, args: [...options, ...args], signal, ...rest },
        folder: forRepository ? commonDir : folder,
        variables: {
          ...variables,
          ...(forRepository ? { GIT_DIR: commonDir } : { GIT_DIR: gitDir, GIT_WORK_TREE: top }),
        },
      }),
  };
}

const linkedFolders = ['refs', 'logs', 'info', 'worktrees', 'reftable'];
const linkedFiles = ['packed-refs', 'shallow'];
const inTurn = createSerial();
const folders = new Map<string, string>();

/**
 * Makes the folder of settings for a repository. It stays for the window, because git looks into it again in each of
 * its own processes.
 */
function settingsFolder({ gitDir, commonDir }: GitLocation, text: string): Promise<string> {
  return inTurn(async () => {
    const folder = folders.get(gitDir) ?? (await makeTemporary('git'));
    if (!folders.has(gitDir)) {
      for (const name of linkedFolders) await symlink(path.join(commonDir, name), path.join(folder, name), 'junction');
      if (process.platform !== 'win32') {
        for (const name of linkedFiles) await symlink(path.join(commonDir, name), path.join(folder, name));
      }
      folders.set(gitDir, folder);
    }
    // There, only administrators may make links to files.
    if (process.platform === 'win32') {
      for (const name of linkedFiles) {
        await copyFile(path.join(commonDir, name), path.join(folder, name)).catch(() => undefined);
      }
    }
    const fresh = path.join(folder, 'config.new');
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, path.join(folder, 'config'));
    return folder;
  });
}

interface Running extends Omit<GitRun, 'forRepository'> {
  gitPath: string;
  folder: string;
  args: readonly string[];
  signal: AbortSignal;
  variables: Readonly<Record<string, string>>;
}

function runGit({
  gitPath,
  folder,
  args,
  signal,
  variables,
  input,
  indexFile,
  encoding,
  isLong,
}: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      gitPath,
      [...args],
      {
        cwd: folder,
        env: { ...withoutGitVariables(process.env), ...gitEnvironment, ...variables, GIT_INDEX_FILE: indexFile },
        encoding: encoding ?? 'utf8',
        maxBuffer: isLong ? constants.MAX_STRING_LENGTH : maxAnswerBytes,
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

/** Removes git's variables: those of whoever started the editor could point to another repository or to a program. */
function withoutGitVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_')));
}

function reasonOf(stderr: string, error: Error): string {
  const line = stderr.split('\n').find((text) => /^(fatal|error):/.test(text));
  if (line !== undefined) return line.slice(0, 200);
  return 'code' in error ? String(error.code) : 'it was ended';
}
