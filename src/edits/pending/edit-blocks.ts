import type { LineHunk } from '../apply/line-diff.ts';
import { type EditOrigin, sameCall } from './edit-origin.ts';
import { isTelling } from './moved-lines.ts';

/**
 * To which block of a write each of its hunks belongs. What a comparison leaves standing between two hunks may be there by
 * chance: a bracket or a blank line that old and new have in common makes no two blocks of one.
 */
export function blocksOf(
  hunks: readonly LineHunk[],
  { lines, by, known }: { lines: readonly string[]; by: EditOrigin; known: readonly EditOrigin[] },
): EditOrigin[] {
  const used = known.flatMap((origin) => (sameCall(origin, by) ? [origin.block ?? 0] : []));
  let own: EditOrigin = { ...by, block: Math.max(0, ...used) + 1 };
  return hunks.map(({ after }, at) => {
    const last = hunks[at - 1]?.after;
    const isApart = last !== undefined && lines.slice(last.start + last.count, after.start).some(isTelling);
    if (isApart) own = { ...by, block: (own.block ?? 0) + 1 };
    return own;
  });
}
