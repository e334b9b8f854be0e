import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError } from '../../../agent/tool.ts';
import { type CommitPart, commitPartsOf, wantedEntries } from './commit-parts.ts';
import { shownText } from './file-changes.ts';
import type { Group } from './groups.ts';
import { changedIndex, type IndexFlags, type SplitRange, type SplitRepository } from './split-repository.ts';

const paths = z.array(z.string());
const plan = z.object({
  commit: z.string(),
  base: z.string(),
  target: z.string(),
  isStaged: z.boolean(),
  hidden: paths,
  groups: z.array(z.object({ message: z.string(), units: z.array(z.number()) })),
  flags: z.object({ skipped: paths, assumed: paths, intended: paths }),
  committed: z.array(z.number()),
  staged: z.optional(z.number()),
});

/** Describes a split in progress in its stored form. `commit` is the last commit that it knows of. */
export type SplitPlan = z.infer<typeof plan>;

export function readPlan(stored: unknown): SplitPlan | undefined {
  return plan.safeParse(stored).data;
}

export interface SplitMaterial {
  range: SplitRange;
  units: readonly CommitPart[];
  hidden: readonly string[];
}

/** `isHidden` says whether no model may see the lines of a path. Throws `ToolError` where nothing can be divided. */
export async function collectSplit(
  repository: SplitRepository,
  isHidden: (path: string) => Promise<boolean>,
): Promise<SplitMaterial> {
  const range = await repository.range();
  const changes = await repository.changes(range.base, range.target);
  const names = new Set(changes.flatMap(({ path, oldPath = path }) => [shownText(path), shownText(oldPath)]));
  const hidden: string[] = [];
  for (const name of names) if (await isHidden(name)) hidden.push(name);
  const units = commitPartsOf(changes, (name) => hidden.includes(name));
  if (units.length === 0) throw new ToolError(l10n.t('There are no changes to split.'));
  if (units.length === 1) throw new ToolError(l10n.t('There is only one change, so there is nothing to split.'));
  return { range, units, hidden };
}

export function beginPlan({ range, hidden }: SplitMaterial, groups: readonly Group[], flags: IndexFlags): SplitPlan {
  return {
    ...range,
    hidden: [...hidden],
    groups: groups.map(({ message, units }) => ({ message, units: [...units] })),
    flags: { skipped: [...flags.skipped], assumed: [...flags.assumed], intended: [...flags.intended] },
    committed: [],
  };
}

/** Every function throws `ToolError` and changes nothing where something else has changed meanwhile. */
export interface OpenSplit {
  units: readonly CommitPart[];
  unitsIn(group: number): CommitPart[];
  read(): Promise<SplitPlan>;
  /** Makes the index hold the committed groups and this group, and nothing else. */
  stage(group: number): Promise<SplitPlan>;
  /** Restores the index from before the first group, without what has been committed since. */
  undo(): Promise<SplitPlan>;
}

export async function openSplit(repository: SplitRepository, stored: SplitPlan): Promise<OpenSplit> {
  let current = stored;
  const changes = await repository.changes(stored.base, stored.target);
  const units = commitPartsOf(changes, (name) => stored.hidden.includes(name));
  const unitsIn = (group: number) => (stored.groups[group]?.units ?? []).flatMap((unit) => units[unit] ?? []);
  const wantedOf = (groups: readonly number[]) => wantedEntries(units, new Set(groups.flatMap(unitsIn)));
  const treeOf = async (groups: readonly number[]) =>
    groups.length === 0 ? stored.base : repository.treeWith(stored.base, wantedOf(groups));
  const withStaged = ({ committed, staged }: SplitPlan) => (staged === undefined ? committed : [...committed, staged]);

  async function read(): Promise<SplitPlan> {
    const head = await repository.head();
    const all = await treeOf(withStaged(current));
    if (head.commit !== current.commit) {
      const follows = head.parents.length < 2 && (head.parents[0] ?? '') === current.commit;
      if (current.staged === undefined || !follows || head.tree !== all) throw movedHead(current);
      const { staged, ...rest } = current;
      current = { ...rest, commit: head.commit, committed: [...current.committed, staged] };
    }
    const index = await repository.indexTree();
    if (index === all || (current.isStaged && index === current.target)) return current;
    const { staged: _staged, ...rest } = current;
    const trees = index === head.tree ? [] : stored.groups.map((_group, at) => treeOf([...rest.committed, at]));
    const staged = (await Promise.all(trees)).indexOf(index);
    // Unstaged by hand, or staged by a window that ended before it stored that.
    if (index !== head.tree && staged < 0) throw changedIndex();
    current = staged < 0 ? rest : { ...rest, staged };
    return current;
  }

  async function set(groups: readonly number[], next: SplitPlan): Promise<SplitPlan> {
    await repository.setIndex(wantedOf(groups), await treeOf(groups), current.flags);
    current = next;
    return current;
  }

  /** Refuses to stage files that the user has changed since the split. */
  async function refuseChanged(group: number): Promise<void> {
    if (current.isStaged) return;
    const own = new Set(
      unitsIn(group).flatMap(({ files }) => files.flatMap(({ path, oldPath = path }) => [path, oldPath])),
    );
    const changed = (await repository.differences(current.target, await repository.workTree())).find((path) =>
      own.has(path),
    );
    if (changed === undefined) return;
    throw new ToolError(
      l10n.t('{0} has changed since the changes were split, so svc staged nothing. Split again.', shownText(changed)),
    );
  }

  return {
    units,
    unitsIn,
    read,
    async stage(group) {
      const { committed } = await read();
      if (committed.includes(group)) throw new ToolError(l10n.t('This group has been committed already.'));
      await refuseChanged(group);
      return set([...committed, group], { ...current, staged: group });
    },
    async undo() {
      const { committed, staged: _staged, ...rest } = await read();
      const everything = stored.groups.map((_group, at) => at);
      return set(current.isStaged ? everything : committed, { ...rest, committed });
    },
  };
}

function movedHead({ isStaged, target }: SplitPlan): ToolError {
  const words = l10n.t(
    'The last commit is not the staged group, so svc staged nothing. Commit or unstage what is staged, then split again.',
  );
  // Of what was staged and is in no file any more, this is the only name.
  const lost = l10n.t('Everything that was staged before the split is in Git tree {0}.', target.slice(0, 12));
  return new ToolError(isStaged ? `${words} ${lost}` : words);
}
