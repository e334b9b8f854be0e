import { existsSync } from 'node:fs';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../../agent/tool.ts';
import { makeTemporary } from '../../../base/temporary.ts';
import type { GitProgram, GitRun } from '../../../tools/git/git-program.ts';
import { shownText } from './file-changes.ts';

/**
 * Makes trees of an index or of the folder of a work tree. It works on copies of the index and writes only objects
 * into the repository. Paths have one character for each byte.
 */
export interface Trees {
  git(args: readonly string[], options?: GitRun): Promise<string>;
  pathsIn(names: readonly string[]): Promise<string[]>;
  /** Runs `use` with a copy of the index that is deleted afterwards. With `empty` the index file does not exist yet. */
  withIndex<T>(kind: 'copy' | 'empty', use: (indexFile: string) => Promise<T>): Promise<T>;
  writeTree(indexFile: string): Promise<string>;
  indexTree(): Promise<string>;
  /** Includes all files of the folder, new ones too unless `leaves` returns true for their path. */
  workTree(leaves?: (path: string) => boolean): Promise<string>;
  differences(one: string, other: string): Promise<string[]>;
}

export function createTrees(
  { run, filtersOff }: Pick<GitProgram, 'run' | 'filtersOff'>,
  folder: string,
  refused: (path: string) => ToolError,
): Trees {
  const git: Trees['git'] = (args, options = {}) => run(args, { encoding: 'latin1', ...options });
  const pathsIn = async (names: readonly string[]) => {
    const answer = await git(['rev-parse', ...names.flatMap((name) => ['--git-path', name])]);
    return shownText(answer.trimEnd())
      .split('\n')
      .map((file) => path.resolve(folder, file));
  };
  let index: string | undefined;

  async function copyIndex(indexFile: string): Promise<void> {
    index ??= (await pathsIn(['index']))[0] ?? '';
    // Before anything was added there is none.
    if (!existsSync(index)) return;
    const { atime, mtimeMs } = await stat(index);
    await copyFile(index, indexFile);
    // A newer one would vouch for files that were written in the moment when the index was.
    await utimes(indexFile, atime, Math.floor(mtimeMs / 1000));
  }

  const withIndex: Trees['withIndex'] = async (kind, use) => {
    const temporary = await makeTemporary('index');
    try {
      const indexFile = path.join(temporary, 'index');
      if (kind === 'copy') await copyIndex(indexFile);
      return await use(indexFile);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  };

  const writeTree = async (indexFile: string) => (await git(['write-tree'], { indexFile })).trim();

  /** Throws where a path has a filter of git's, without which another text is stored than `git add` stores. */
  async function refuseFiltered(paths: readonly string[]): Promise<void> {
    if (filtersOff.size === 0 || paths.length === 0) return;
    const fields = namesIn(await git(['check-attr', '-z', '--stdin', 'filter'], { input: listOf(paths) }));
    const at = fields.findIndex((field, index) => index % 3 === 2 && filtersOff.has(field));
    if (at >= 0) throw refused(shownText(fields[at - 2] ?? ''));
  }

  return {
    git,
    pathsIn,
    withIndex,
    writeTree,
    indexTree: () => withIndex('copy', writeTree),
    workTree: (leaves = () => false) =>
      withIndex('copy', async (indexFile) => {
        // Together, because neither writes the index.
        const [differing, untracked] = await Promise.all([
          git(['diff-files', '--name-status', '-z', '--no-renames', '--ignore-submodules=dirty'], { indexFile }),
          git(['ls-files', '--others', '--exclude-standard', '-z'], { indexFile }),
        ]);
        const changed = namesIn(differing);
        const others = namesIn(untracked);
        const rows = changed.flatMap((name, at) => (at % 2 === 1 ? [{ name, isGone: changed[at - 1] === 'D' }] : []));
        const there = [
          ...rows.filter(({ isGone }) => !isGone).map(({ name }) => name),
          // A folder is a repository of its own.
          ...others.filter((name) => !name.endsWith('/') && !leaves(shownText(name))),
        ];
        await refuseFiltered(there);
        const update = async (names: readonly string[], ...options: string[]) => {
          if (names.length === 0) return;
          await git(['update-index', ...options, '-z', '--stdin'], { indexFile, input: listOf(names) });
        };
        // These are removed without a check of the folder, which may be a link by now.
        await update(
          rows.filter(({ isGone }) => isGone).map(({ name }) => name),
          '--force-remove',
        );
        await update(there, '--add', '--remove', '--replace');
        return writeTree(indexFile);
      }),
    differences: async (one, other) =>
      one === other ? [] : namesIn(await git(['diff-tree', '-r', '--no-renames', '--name-only', '-z', one, other])),
  };
}

export const listOf = (names: readonly string[]) => names.map((name) => `${name}\0`).join('');

export function namesIn(answer: string): string[] {
  return answer.split('\0').filter((name) => name !== '');
}

export function onlyToolError(error: unknown): string {
  if (error instanceof ToolError) return '';
  throw error;
}
