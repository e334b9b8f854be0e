import { existsSync, readdirSync, statSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createDiskPort } from '../../edits/apply/disk-port.ts';
import type { EditPort } from '../../edits/apply/edit-ports.ts';
import type { Files, Search, Workspace, WorkspaceRoot } from '../../files/workspace.ts';
import type { Worktree } from '../../shared/events.ts';
import { openGit } from './git-adapter.ts';
import { createSearch, type SearchDeps } from './search-adapter.ts';
import { createWorkspace } from './workspace-adapter.ts';

export interface WorktreePlace {
  worktree: Worktree;
  workspace: Workspace;
  files: Files;
  search: Search;
  port: EditPort;
}

export interface WorktreePlaces {
  of(conversationId: string): WorktreePlace | undefined;
  /** Lets commands under this id, which is of no conversation, work in a worktree until the returned function is called. */
  lend(id: string, worktree: Worktree): () => void;
  roots(): readonly WorkspaceRoot[];
  holding(root: WorkspaceRoot): Workspace | undefined;
  /**
   * Resolves with the package folders (dependencies) of the repository that the worktree lacks; empty for a
   * conversation that works in the workspace.
   */
  borrowed(conversationId: string): Promise<{ source: string; target: string }[]>;
}

export interface WorktreePlacesDeps extends Pick<SearchDeps, 'regexThread' | 'ripgrepPath' | 'log'> {
  /**
   * All worktrees are in this folder. A stored conversation may come from elsewhere, so a worktree path outside of it
   * is not accepted.
   */
  dir: string;
  worktreeOf(conversationId: string): Worktree | undefined;
  conversationIds(): Iterable<string>;
}

const maxBorrowed = 50;

export function createWorktreePlaces(deps: WorktreePlacesDeps): WorktreePlaces {
  const places = new Map<string, WorktreePlace>();
  const lent = new Map<string, Worktree>();
  const packages = new Map<string, Promise<string[]>>();
  const ours = (id: string): Worktree | undefined => {
    const worktree = lent.get(id) ?? deps.worktreeOf(id);
    return worktree && isOurs(deps.dir, worktree) ? worktree : undefined;
  };
  const of = (id: string): WorktreePlace | undefined => {
    const worktree = ours(id);
    if (worktree === undefined) {
      places.delete(id);
      return undefined;
    }
    const known = places.get(id);
    if (known?.worktree.folder === worktree.folder) return known;
    const roots = rootsOf(worktree);
    const { workspace, files } = createWorkspace(() => roots);
    const search = createSearch({ ...deps, workspace, files });
    const made = { worktree, workspace, files, search, port: createDiskPort(workspace) };
    places.set(id, made);
    return made;
  };
  const all = () => [...deps.conversationIds()].flatMap((id) => of(id)?.workspace ?? []);
  return {
    of,
    lend(id, worktree) {
      lent.set(id, worktree);
      return () => {
        lent.delete(id);
        places.delete(id);
      };
    },
    roots: () => all().flatMap((workspace) => workspace.roots()),
    holding: ({ uri }) => all().find((workspace) => workspace.roots().some((root) => root.uri === uri)),
    async borrowed(id) {
      const worktree = ours(id);
      if (worktree === undefined) return [];
      const { folder, repository } = worktree;
      const folders = packages.get(folder) ?? packageFolders(folder).catch(() => []);
      packages.set(folder, folders);
      const top = await realpath(folder).catch(() => folder);
      const real = await Promise.all(
        (await folders).map(async (name) => {
          const [source, target] = [path.join(repository, name, 'node_modules'), path.join(top, name, 'node_modules')];
          const isLent = existsSync(source) && (await isFree(target));
          return isLent ? [{ source: await realpath(source), target }] : [];
        }),
      );
      return real.flat().slice(0, maxBorrowed);
    },
  };
}

function isOurs(dir: string, { folder, roots }: Worktree): boolean {
  const isInside = (name: string) => !path.isAbsolute(name) && !name.split(/[\\/]/).includes('..');
  return path.dirname(path.normalize(folder)) === path.normalize(dir) && roots.every((root) => isInside(root.path));
}

function rootsOf({ folder, roots }: Worktree): WorkspaceRoot[] {
  return roots.map(({ name, path: inside }) => {
    const uri = vscode.Uri.file(path.join(folder, inside));
    return { name, uri: uri.toString(), fsPath: uri.fsPath };
  });
}

async function packageFolders(folder: string): Promise<string[]> {
  const { run } = await openGit(folder, new AbortController().signal);
  const listed = await run(['ls-files', '-z', '--', 'package.json', '*/package.json']);
  return listed.split('\0').flatMap((name) => (name === '' ? [] : [path.posix.dirname(name)]));
}

/**
 * Returns whether a folder may be mounted there: an empty one is free, because a mount for an earlier command leaves
 * one behind. The real path is compared, because commands may have created links that lead elsewhere.
 */
async function isFree(target: string): Promise<boolean> {
  const parent = path.dirname(target);
  if ((await realpath(parent).catch(() => undefined)) !== parent) return false;
  const found = await lstat(target).catch(() => undefined);
  return found === undefined ? statSync(parent).isDirectory() : found.isDirectory() && readdirSync(target).length === 0;
}
