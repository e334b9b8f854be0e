import type { LineHunk } from '../apply/line-diff.ts';
import { type EditOrigin, sameCall } from './edit-origin.ts';
import { isDistinctive } from './moved-lines.ts';

/**
 * Assigns each hunk of a write to the block that made it. A bracket or a blank line that old and new text have in
 * common by chance does not split a block.
 */
export function blocksOf(
  hunks: readonly LineHunk[],
  { lines, by, known }: { lines: readonly string[]; by: EditOrigin; known: readonly EditOrigin[] },
): EditOrigin[] {
  const used = known.flatMap((origin) => (sameCall(origin, by) ? [origin.block ?? 0] : []));
  let own: EditOrigin = { ...by, block: Math.max(0, ...used) + 1 };
  return hunks.map(({ after }, at) => {
    const last = hunks[at - 1]?.after;
    const isApart = last !== undefined && lines.slice(last.start + last.count, after.start).some(isDistinctive);
    if (isApart) own = { ...by, block: (own.block ?? 0) + 1 };
    return own;
  });
}
