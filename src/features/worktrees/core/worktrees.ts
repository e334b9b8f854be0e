import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { ignoreToolError, ToolError } from '../../../agent/tool.ts';
import { removeTree } from '../../../base/remove-tree.ts';
import { makeTemporary } from '../../../base/temporary.ts';
import { isSecretPath } from '../../../files/file-class.ts';
import { locateGit } from '../../../tools/git/git-location.ts';
import type { GitProgram } from '../../../tools/git/git-program.ts';
import { parseRaw, type RawChange, shownText } from '../../git/core/file-changes.ts';
import { createTrees, namesIn, onlyToolError, type Trees } from '../../git/core/trees.ts';

export interface WorktreesDeps {
  dir: string;
  openGit(folder: string, signal: AbortSignal, known?: { movedFrom: string }): Promise<GitProgram>;
}

export interface Uncommitted {
  tree: string;
  files: number;
  /** These new files are left out, because such names usually hold secrets. */
  secrets: readonly string[];
}

export interface WorktreeState {
  tree: string;
  /** Changes count from the base, which is the start or what was brought back last. */
  changes: readonly WorktreeChange[];
}

export interface WorktreeChange extends Pick<RawChange, 'before' | 'after'> {
  path: string;
  /** The path has one character for each byte, as git knows it. */
  bytePath: string;
}

export interface ChangeSide {
  change: WorktreeChange;
  side: 'before' | 'after';
}

export type MergedTexts = Record<'ours' | 'base' | 'theirs', string>;

/**
 * Manages worktrees of the user's repositories. It never writes into the folder, the index, the branches or the
 * stashes of a repository: git's data only gains objects and the records of a worktree. All methods reject with
 * `ToolError` where git cannot do what is asked.
 */
export interface Worktrees {
  /** Resolves undefined where everything is committed. */
  uncommitted(repository: string, signal: AbortSignal): Promise<Uncommitted | undefined>;
  /** Resolves with the tree of the last commit. */
  committed(repository: string, signal: AbortSignal): Promise<string>;
  /**
   * Makes a worktree from the last commit, or from a tree of `uncommitted`, and resolves with its folder. When it
   * rejects, no worktree is left.
   */
  add(start: { repository: string; name: string; tree?: string }, signal: AbortSignal): Promise<string>;
  inspect(folder: string, signal: AbortSignal): Promise<WorktreeState>;
  /** Resolves with the bytes that git would check out, each undefined where there is no regular file. */
  bytes(folder: string, wanted: readonly ChangeSide[], signal: AbortSignal): Promise<(Uint8Array | undefined)[]>;
  /** Merges both sides as git does. Resolves undefined where they conflict. */
  merged(folder: string, texts: MergedTexts, signal: AbortSignal): Promise<string | undefined>;
  /** Makes the inspected tree the new base, except for the changes in `left`. */
  settle(folder: string, tree: string, left: readonly WorktreeChange[], signal: AbortSignal): Promise<void>;
  /** Resolves with the tree where these changes are not made. */
  without(folder: string, tree: string, left: readonly WorktreeChange[], signal: AbortSignal): Promise<string>;
  /** Resolves with what leads from the start to a tree, with one character for each byte. */
  patch(folder: string, tree: string, signal: AbortSignal): Promise<string>;
  /** Resolves with paths that git ignores, so that no patch has them. Folders end with `/`. */
  ignored(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Removes a worktree once all its changes since the start are in a patch that was tried out. Resolves with the file
   * of the patch, or undefined where nothing had changed. When it rejects, the folder is as it was.
   */
  remove(folder: string, signal: AbortSignal): Promise<string | undefined>;
  /** Removes a worktree that holds nobody's work, whole or not. */
  discard(repository: string, folder: string, signal: AbortSignal): Promise<void>;
  /** Removes a worktree with all its work, also where git cannot answer there any more. */
  erase(folder: string, signal: AbortSignal): Promise<void>;
  /**
   * Completes removals that were interrupted, each by itself: afterwards a folder is restored or gone. Resolves with
   * those that have to stay as they are.
   */
  recover(signal: AbortSignal): Promise<string[]>;
  /** Resolves with folders of worktrees that were last written before `olderThan`, in epoch milliseconds. */
  old(olderThan: number): Promise<string[]>;
}

/** These refs belong to the worktree alone: they vanish with it, and until then protect the objects of their trees. */
const [startRef, baseRef] = ['refs/worktree/svc-start', 'refs/worktree/svc-base'] as const;
/** Folders with these suffixes are being removed: the first until their patch was tried, the second afterwards. */
const [removing, removed] = ['.removing', '.removed'] as const;
const patchFolder = 'patches';

/**
 * Makes a new worktree point to the repository itself: git writes into it the folder of settings that it was given,
 * which goes with the window.
 */
async function pointToRepository(folder: string): Promise<void> {
  const { gitDir } = await locateGit(folder);
  await writeFile(path.join(folder, '.git'), `gitdir: ${gitDir.replaceAll('\\', '/')}\n`);
}

export function createWorktrees({ dir, openGit }: WorktreesDeps): Worktrees {
  const treesOf = async (folder: string, signal: AbortSignal) =>
    createTrees(await openGit(folder, signal), folder, filteredChange);

  async function between(trees: Trees, base: string, now: string): Promise<WorktreeChange[]> {
    const raw = await trees.git(['diff-tree', '-r', '--no-renames', '--full-index', '--raw', '-z', base, now]);
    return parseRaw(raw).map(changeOf);
  }

  async function saveWork(folder: string, away: string, signal: AbortSignal): Promise<string | undefined> {
    const program = await openGit(away, signal, { movedFrom: folder });
    if (!(await isWhole(program))) return undefined;
    const trees = createTrees(program, away, filteredChange);
    await refuseRepositories(trees);
    const [start, now] = [await treeOf(trees, startRef), await trees.workTree()];
    return start === now ? undefined : savePatch(trees, { start, now }, await newPatch(folder));
  }

  async function forget(folder: string, away: string, signal: AbortSignal): Promise<void> {
    const program = await openGit(away, signal, { movedFrom: folder });
    const inRepository = (command: string) => program.run(['worktree', command, folder], { forRepository: true });
    // Git locks one while it makes it.
    if (!(await isWhole(program))) await inRepository('unlock').catch(onlyToolError);
    await inRepository('remove');
  }

  /** The second half of a removal, which only a folder that somebody has open can hold up. */
  async function complete(saved: string, signal: AbortSignal): Promise<void> {
    // Git may have forgotten it before, or may not answer any more. What it still lists, it prunes in time.
    await forget(saved.slice(0, -removed.length), saved, signal).catch(() => undefined);
    await removeTree(saved);
  }

  async function newPatch(folder: string): Promise<string> {
    const name = path.basename(folder);
    await mkdir(path.join(dir, patchFolder), { recursive: true, mode: 0o700 });
    const taken = new Set(await readdir(path.join(dir, patchFolder)));
    let file = `${name}.patch`;
    for (let number = 2; taken.has(file); number++) file = `${name}-${number}.patch`;
    return path.join(dir, patchFolder, file);
  }

  async function discard(repository: string, folder: string, signal: AbortSignal): Promise<void> {
    await removeTree(folder);
    const { run } = await openGit(repository, signal);
    // Git locks one while it makes it.
    await run(['worktree', 'unlock', folder]).catch(onlyToolError);
    await run(['worktree', 'remove', folder]).catch(onlyToolError);
  }

  async function without(trees: Trees, tree: string, left: readonly WorktreeChange[]): Promise<string> {
    return trees.withIndex('empty', async (indexFile) => {
      await trees.git(['read-tree', tree], { indexFile });
      const lines = left.map(({ before, bytePath }) =>
        before ? `${before.mode} ${before.id}\t${bytePath}\0` : `0 ${'0'.repeat(tree.length)}\t${bytePath}\0`,
      );
      await trees.git(['update-index', '-z', '--index-info'], { indexFile, input: lines.join('') });
      return trees.writeTree(indexFile);
    });
  }

  return {
    discard,
    async uncommitted(repository, signal) {
      const trees = await treesOf(repository, signal);
      const commit = await headOf(trees);
      const secrets: string[] = [];
      const tree = await trees.workTree((name) => isSecretPath(name) && secrets.push(name) > 0);
      const files = (await trees.differences(`${commit}^{tree}`, tree)).length;
      return files === 0 ? undefined : { tree, files, secrets };
    },
    async committed(repository, signal) {
      const trees = await treesOf(repository, signal);
      return treeOf(trees, await headOf(trees));
    },
    async add({ repository, name, tree }, signal) {
      const folder = path.join(dir, name);
      const program = await openGit(repository, signal);
      const main = createTrees(program, repository, filteredChange);
      const commit = await headOf(main);
      await mkdir(path.join(program.commonDir, 'worktrees'), { recursive: true });
      await mkdir(dir, { recursive: true, mode: 0o700 });
      if (existsSync(folder)) throw new ToolError(l10n.t('{0} is there already.', folder));
      try {
        await main.git(['worktree', 'add', '--detach', '--quiet', folder, commit], { isLong: true });
        await pointToRepository(folder);
        const own = await treesOf(folder, signal);
        if (tree !== undefined) await own.git(['read-tree', '--reset', '-u', tree], { isLong: true });
        const start = tree ?? (await treeOf(own, 'HEAD'));
        await own.git(['update-ref', startRef, start]);
        // Last: one that has it is whole.
        await own.git(['update-ref', baseRef, start]);
      } catch (error) {
        await discard(repository, folder, new AbortController().signal);
        throw error;
      }
      return folder;
    },
    async inspect(folder, signal) {
      const trees = await treesOf(folder, signal);
      const tree = await trees.workTree();
      return { tree, changes: await between(trees, await treeOf(trees, baseRef), tree) };
    },
    async bytes(folder, wanted, signal) {
      const { git } = await treesOf(folder, signal);
      const end = randomUUID();
      const entries = wanted.map(({ change, side }) => {
        const entry = change[side];
        return entry && isFile(entry.mode) ? { id: entry.id, path: change.bytePath } : undefined;
      });
      const listed = entries.filter((entry) => entry !== undefined && !entry.path.includes('\n'));
      // Git tells the length from before a filter, so an unknown name, which it repeats, marks the end of each text.
      const input = listed.map((entry) => `${entry?.id} ${entry?.path}\n${end} -\n`).join('');
      const answer =
        listed.length === 0 ? '' : await git(['cat-file', '--batch', '--filters'], { input, isLong: true });
      let at = 0;
      const next = (id: string) => {
        const start = answer.indexOf('\n', at) + 1;
        const stop = answer.indexOf(`\n${end} missing\n`, start);
        if (!answer.startsWith(`${id} blob `, at) || stop < 0) throw new ToolError(`git could not answer: no ${id}`);
        at = stop + `\n${end} missing\n`.length;
        return answer.slice(start, stop);
      };
      const texts: (Uint8Array | undefined)[] = [];
      for (const entry of entries) {
        const single = entry && !listed.includes(entry);
        const text = single
          ? await git(['cat-file', '--filters', `--path=${shownText(entry.path)}`, entry.id])
          : entry && next(entry.id);
        texts.push(text === undefined ? undefined : Buffer.from(text, 'latin1'));
      }
      return texts;
    },
    async merged(folder, texts, signal) {
      const { run } = await openGit(folder, signal);
      const temporary = await makeTemporary('merge');
      try {
        const names = (['ours', 'base', 'theirs'] as const).map((side) => ({ side, file: path.join(temporary, side) }));
        for (const { side, file } of names) await writeFile(file, texts[side], { mode: 0o600 });
        const given = ['merge-file', '-p', '--quiet', ...names.map(({ file }) => file)];
        // Its exit code is the number of conflicts.
        const answer = await run(given, { encoding: 'latin1' }).catch(ignoreToolError);
        return answer && Buffer.from(answer, 'latin1').toString('utf8');
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
    async settle(folder, tree, left, signal) {
      const trees = await treesOf(folder, signal);
      await trees.git(['update-ref', baseRef, await without(trees, tree, left)]);
    },
    without: async (folder, tree, left, signal) => without(await treesOf(folder, signal), tree, left),
    async patch(folder, tree, signal) {
      const trees = await treesOf(folder, signal);
      return patchBetween(trees, await treeOf(trees, startRef), tree);
    },
    async ignored(folder, signal) {
      const { git } = await treesOf(folder, signal);
      const options = ['--others', '--ignored', '--exclude-standard', '--directory', '--no-empty-directory', '-z'];
      return namesIn(await git(['ls-files', ...options])).map(shownText);
    },
    async remove(folder, signal) {
      // Under another name, nobody who knows the old one writes into it any more.
      const [away, saved] = [`${folder}${removing}`, `${folder}${removed}`];
      await rename(folder, away);
      let patch: string | undefined;
      try {
        patch = await saveWork(folder, away, signal);
        await rename(away, saved);
        await forget(folder, saved, signal);
      } catch (error) {
        for (const place of [away, saved]) if (existsSync(place)) await rename(place, folder);
        if (patch !== undefined) await rm(patch, { force: true });
        throw error;
      }
      // What somebody still has open goes at the next recovery.
      await removeTree(saved).catch(() => undefined);
      return patch;
    },
    async erase(folder, signal) {
      const saved = `${folder}${removed}`;
      await rename(folder, saved);
      await complete(saved, signal);
    },
    async recover(signal) {
      const left: string[] = [];
      for (const name of await namesOf(dir)) {
        const place = path.join(dir, name);
        try {
          if (name.endsWith(removing)) await rename(place, place.slice(0, -removing.length));
          if (!name.endsWith(removed)) continue;
          await complete(place, signal);
        } catch {
          // Its old name is taken, or somebody has it open: the others do not depend on it.
          left.push(place);
        }
      }
      return left;
    },
    async old(olderThan) {
      const folders = (await namesOf(dir))
        .filter((name) => name !== patchFolder && !name.endsWith(removing) && !name.endsWith(removed))
        .map((name) => path.join(dir, name));
      const times = await Promise.all(folders.map(async (folder) => ({ folder, ms: (await stat(folder)).mtimeMs })));
      return times.flatMap(({ folder, ms }) => (ms < olderThan ? [folder] : []));
    },
  };
}

async function treeOf({ git }: Trees, name: string): Promise<string> {
  return (await git(['rev-parse', '--verify', '--quiet', `${name}^{tree}`])).trim();
}

/** A worktree that is not whole was never reported to anybody. */
async function isWhole({ run }: GitProgram): Promise<boolean> {
  return (await run(['for-each-ref', '--format=%(objectname)', baseRef])) !== '';
}

async function headOf({ git }: Trees): Promise<string> {
  const commit = (await git(['rev-parse', '--verify', '--quiet', 'HEAD']).catch(onlyToolError)).trim();
  if (commit === '') throw new ToolError(l10n.t('This repository has no commit yet. Commit something first.'));
  return commit;
}

/** A patch would miss what is in nested repositories. */
async function refuseRepositories(trees: Trees): Promise<void> {
  const others = namesIn(await trees.git(['ls-files', '--others', '--exclude-standard', '-z']));
  const found = others.find((name) => name.endsWith('/'));
  const [modules = ''] = await trees.pathsIn(['modules']);
  if (found === undefined && !existsSync(modules)) return;
  throw new ToolError(
    l10n.t(
      'The worktree has a Git repository of its own ({0}), which no patch can hold. Move it away first.',
      shownText(found ?? 'submodule'),
    ),
  );
}

/** `into` is a file that gets the patch; without one it is resolved with. */
function patchBetween({ git }: Trees, start: string, now: string, into?: string): Promise<string> {
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  const output = into === undefined ? [] : [`--output=${into}`];
  return git(['diff-tree', '-r', '-p', '--binary', '--full-index', ...options, ...output, start, now], {
    isLong: true,
  });
}

/** Rejects, with nothing left behind, unless the patch alone leads from one tree to the other. */
async function savePatch(trees: Trees, { start, now }: { start: string; now: string }, file: string): Promise<string> {
  await writeFile(file, '', { mode: 0o600, flag: 'wx' });
  const tree = await trees
    .withIndex('empty', async (indexFile) => {
      // Git writes it itself: it may be longer than any text can be here.
      await patchBetween(trees, start, now, file);
      await trees.git(['read-tree', start], { indexFile });
      await trees.git(['apply', '--cached', '--binary', '--whitespace=nowarn', file], { indexFile, isLong: true });
      return trees.writeTree(indexFile);
    })
    .catch(onlyToolError);
  if (tree === now) return file;
  await rm(file);
  throw new ToolError(l10n.t('The changes cannot be saved as a patch, so the worktree stays where it is.'));
}

function changeOf({ path: bytePath, before, after }: RawChange): WorktreeChange {
  return { path: shownText(bytePath), bytePath, ...(before && { before }), ...(after && { after }) };
}

export function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

async function namesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function filteredChange(name: string): ToolError {
  return new ToolError(
    l10n.t("{0} goes through a filter of this repository's configuration, which svc does not run.", name),
  );
}
