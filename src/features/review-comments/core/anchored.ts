import type { LineChange } from '../../../edits/pending/row-changes.ts';
import { type Anchor, foundAnchor, isUnchanged, movedAnchor } from './anchor.ts';

export interface Anchored {
  id: string;
  uri: string;
  anchor: Anchor;
}

/** Keeps a list at its lines. An entry is outdated when even its quote is no longer found. */
export interface AnchoredList<One extends Anchored> {
  follow(all: readonly One[], uri: string, before: readonly string[], change: LineChange): readonly One[];
  find(all: readonly One[], uri: string, text: readonly string[]): readonly One[];
  isOutdated(id: string): boolean;
}

/** Both methods return the list itself where nothing moved. */
export function createAnchoredList<One extends Anchored>(): AnchoredList<One> {
  const outdated = new Set<string>();
  const moved = (all: readonly One[], uri: string, move: (one: One) => Anchor): readonly One[] => {
    const next = all.map((one) => {
      const anchor = one.uri === uri ? move(one) : one.anchor;
      return anchor === one.anchor ? one : { ...one, anchor };
    });
    return next.every((one, at) => one === all[at]) ? all : next;
  };
  return {
    follow: (all, uri, before, change) => moved(all, uri, ({ anchor }) => movedAnchor(anchor, before, change)),
    find: (all, uri, text) =>
      moved(all, uri, ({ id, anchor }) => {
        const found = isUnchanged(anchor, text) ? anchor : foundAnchor(anchor, text);
        if (found === undefined) outdated.add(id);
        else outdated.delete(id);
        return found ?? anchor;
      }),
    isOutdated: (id) => outdated.has(id),
  };
}
