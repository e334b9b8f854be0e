import { type Place, placeKey, type Workspace } from '../workspace.ts';

const around = 40;
const latest = new WeakMap<Workspace, { turnId: string; lines: Map<string, number[]> }>();

export function noteHits(workspace: Workspace, turnId: string, found: readonly { place: Place; line: number }[]): void {
  const lines = new Map<string, number[]>();
  for (const { place, line } of found) {
    const key = placeKey(place);
    lines.set(key, [...(lines.get(key) ?? []), line]);
  }
  latest.set(workspace, { turnId, lines });
}

/** Returns the part of the file in which the last search of this turn found something, where it is no longer than `max`. */
export function partWithHits(workspace: Workspace, turnId: string, place: Place, max: number) {
  const known = latest.get(workspace);
  const lines = (known?.turnId === turnId && known.lines.get(placeKey(place))) || [];
  const [first, last] = [Math.max(1, Math.min(...lines) - around), Math.max(...lines) + around];
  return last - first < max && lines.length > 0 ? { first, last } : undefined;
}
