import { bracketBalance } from '../../../edits/apply/repeated-lines.ts';
import type { CaretContext } from './completion-request.ts';

/** Measures how far the brackets of the file and the quotes of the line are from balanced with an answer in place. */
export function createUnevenness({ before, after }: CaretContext): (lines: readonly string[]) => number {
  const around = bracketBalance([before, after]);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const rest = after.split('\n', 1)[0] ?? '';
  return (lines) => {
    const own = bracketBalance(lines);
    const brackets = around.reduce((sum, count, at) => sum + Math.abs(count + (own[at] ?? 0)), 0);
    const written = lines.length === 1 ? line + lines[0] + rest : `${lines.at(-1) ?? ''}${rest}`;
    return brackets + ['"', "'", '`'].filter((sign) => written.split(sign).length % 2 === 0).length;
  };
}
