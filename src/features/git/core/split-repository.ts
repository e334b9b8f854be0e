import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { ToolError } from '../../../agent/tool.ts';
import { removeTree } from '../../../base/remove-tree.ts';
import { makeTemporary } from '../../../base/temporary.ts';
import type { GitProgram } from '../../../tools/git/git-program.ts';
import type { Divided, Wanted } from './commit-parts.ts';
import { bytesOf, diffOptions, type FileChange, parseChanges, withHunks } from './file-changes.ts';
import { createTrees, listOf, namesIn, onlyToolError } from './trees.ts';

export interface SplitRange {
  commit: string;
  base: string;
  target: string;
  isStaged: boolean;
}

/** Git drops these flags when an entry is replaced. Paths have one character for each byte. */
export interface IndexFlags {
  skipped: readonly string[];
  assumed: readonly string[];
  /** These paths are marked with intent to add, and nothing of their text is in the index. */
  intended: readonly string[];
}

/** Writes objects and, in `setIndex`, the index; it never writes a commit, a branch or a file. */
export interface SplitRepository {
  /** Takes the staged changes, or all changes where none is staged. Throws `ToolError` where a split cannot begin. */
  range(): Promise<SplitRange>;
  changes(base: string, target: string): Promise<FileChange[]>;
  head(): Promise<{ commit: string; tree: string; parents: readonly string[] }>;
  indexTree(): Promise<string>;
  workTree(): Promise<string>;
  differences(one: string, other: string): Promise<string[]>;
  treeWith(base: string, wanted: ReadonlyMap<string, Wanted>): Promise<string>;
  flags(): Promise<IndexFlags>;
  /**
   * Replaces these entries and no others, and keeps their flags. The change is tried on a copy of the index first and
   * refused with `ToolError` unless the whole index then equals `tree`.
   */
  setIndex(wanted: ReadonlyMap<string, Wanted>, tree: string, flags: IndexFlags): Promise<void>;
}

export function createSplitRepository(program: GitProgram, folder: string): SplitRepository {
  const trees = createTrees(program, folder, filteredChange);
  const { git, withIndex, writeTree, indexTree, workTree, differences } = trees;
  const storedIds = new Map<string, string>();
  const exists = async (...args: string[]) => (await git(args).catch(onlyToolError)) !== '';

  async function head() {
    const known = (await git(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}', 'HEAD^@']).catch(onlyToolError)).trim();
    if (known === '') return { commit: '', tree: (await git(['mktree'], { input: '' })).trim(), parents: [] };
    const [commit = '', tree = '', ...parents] = known.split('\n');
    return { commit, tree, parents };
  }

  async function refuseUnfinished(): Promise<void> {
    if (await exists('ls-files', '--unmerged', '-z')) {
      throw new ToolError(l10n.t('Some files have merge conflicts. Resolve them, then split the changes.'));
    }
    const marks = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
    if (!(await trees.pathsIn(marks)).some((file) => existsSync(file))) return;
    throw new ToolError(
      l10n.t('A merge, rebase, cherry-pick, or revert is in progress. Finish or abort it, then split the changes.'),
    );
  }

  async function stored(wanted: ReadonlyMap<string, Wanted>, idLength: number): Promise<string> {
    await storeHunks([...wanted.values()].filter(isDivided));
    const gone: string[] = [];
    const there: string[] = [];
    for (const [name, want] of wanted) {
      if (want === undefined) gone.push(`0 ${'0'.repeat(idLength)}\t${name}\0`);
      else if (isDivided(want)) there.push(`${want.of.mode} ${storedIds.get(keyOf(want))}\t${name}\0`);
      else there.push(`${want.mode} ${want.id}\t${name}\0`);
    }
    // A path that is a file now may be a folder then.
    return [...gone, ...there].join('');
  }

  /** All files go through two processes, because each process takes longer than what it does. */
  async function storeHunks(wanted: readonly Divided[]): Promise<void> {
    const divided = wanted.filter((want) => !storedIds.has(keyOf(want)));
    if (divided.length === 0) return;
    const input = divided.map(({ of }) => `${of.id}\n`).join('');
    const blobs = blobsIn(await git(['cat-file', '--batch'], { input, isLong: true }));
    const temporary = await makeTemporary('hunks');
    try {
      const files: string[] = [];
      for (const [at, { hunks }] of divided.entries()) {
        const file = path.join(temporary, String(at));
        await writeFile(file, withHunks(blobs[at] ?? '', hunks), { encoding: 'latin1', mode: 0o600 });
        files.push(`${bytesOf(file)}\n`);
      }
      const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
      const ids = (await git(args, { input: files.join(''), isLong: true })).trim().split('\n');
      for (const [at, want] of divided.entries()) storedIds.set(keyOf(want), ids[at] ?? '');
    } finally {
      await removeTree(temporary);
    }
  }

  const put = (input: string, indexFile?: string) => git(['update-index', '-z', '--index-info'], { input, indexFile });

  async function putFlags({ skipped, assumed, intended }: IndexFlags, wanted: ReadonlyMap<string, Wanted>) {
    if (skipped.length + assumed.length + intended.length === 0) return;
    const present = new Set(namesIn(await git(['ls-files', '--cached', '-z'])));
    const own = (names: readonly string[]) => names.filter((name) => wanted.has(name) && present.has(name));
    for (const [flag, names] of [
      ['--skip-worktree', own(skipped)],
      ['--assume-unchanged', own(assumed)],
    ] as const) {
      if (names.length === 0) continue;
      await git(['update-index', flag, '-z', '--stdin'], { input: listOf(names) });
    }
    const again = intended.filter((name) => wanted.has(name) && !present.has(name));
    if (again.length === 0) return;
    const input = listOf(again);
    const options = ['--force', '--pathspec-from-file=-', '--pathspec-file-nul'];
    // A file that is gone has nothing to be added.
    await git(['--literal-pathspecs', 'add', '--intent-to-add', ...options], { input }).catch(onlyToolError);
  }

  return {
    async range() {
      await refuseUnfinished();
      const { commit, tree } = await head();
      const staged = await indexTree();
      if (staged !== tree) return { commit, base: tree, target: staged, isStaged: true };
      return { commit, base: tree, target: await workTree(), isStaged: false };
    },
    async changes(base, target) {
      const diff = (...form: string[]) => git(['diff-tree', ...diffOptions, ...form, base, target]);
      return parseChanges(await diff('--raw', '-z'), await diff('--patch'));
    },
    head,
    indexTree,
    workTree,
    differences,
    treeWith: (base, wanted) =>
      withIndex('empty', async (indexFile) => {
        await git(['read-tree', base], { indexFile });
        await put(await stored(wanted, base.length), indexFile);
        return writeTree(indexFile);
      }),
    async flags() {
      const tagged = namesIn(await git(['ls-files', '--cached', '-v', '-z']));
      const named = (pattern: RegExp) => tagged.filter((row) => pattern.test(row)).map((row) => row.slice(2));
      // Git before 2.28 calls it modified unless it is told so.
      const options = ['--ita-invisible-in-index', '--diff-filter=A', '--ignore-submodules=all'];
      const added = await git(['diff-files', '--name-only', '-z', ...options]);
      return { skipped: named(/^[Ss] /), assumed: named(/^[a-z] /), intended: namesIn(added) };
    },
    async setIndex(wanted, tree, flags) {
      const input = await stored(wanted, tree.length);
      const tried = await withIndex('copy', async (indexFile) => {
        await put(input, indexFile);
        return writeTree(indexFile);
      });
      if (tried !== tree) throw changedIndex();
      await put(input);
      await putFlags(flags, wanted);
      if ((await indexTree()) !== tree) throw changedIndex();
    },
  };
}

const isDivided = (want: Wanted): want is Divided => want !== undefined && 'of' in want;

const keyOf = ({ of, hunks }: Divided) => [of.id, ...hunks.map(({ oldStart }) => oldStart)].join();

/** Takes apart what `cat-file --batch` answers; an object that is missing is no blob. */
function blobsIn(answer: string): string[] {
  const blobs: string[] = [];
  for (let at = 0; at < answer.length; ) {
    const start = answer.indexOf('\n', at) + 1;
    const size = Number(/^[0-9a-f]+ blob (\d+)\n$/.exec(answer.slice(at, start))?.[1]);
    if (Number.isNaN(size)) throw new ToolError(`git could not answer: ${answer.slice(at, start).trim()}`);
    blobs.push(answer.slice(start, start + size));
    at = start + size + 1;
  }
  return blobs;
}

export function changedIndex(): ToolError {
  return new ToolError(
    l10n.t('Something else was staged or unstaged meanwhile, so svc staged nothing. Unstage or commit it first.'),
  );
}

function filteredChange(name: string): ToolError {
  return new ToolError(
    l10n.t(
      "{0} goes through a filter of this repository's configuration, which svc does not run. Stage your changes, then split what is staged.",
      name,
    ),
  );
}
