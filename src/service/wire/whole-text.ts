import type { ReplyCall } from '../contract.ts';
import { isJsonObject } from './fold-calls.ts';

const goesOn = /[,:;([{<–—/\\&|=+]$/;
const fence = /^ {0,3}(?:```|~~~)/;

/** Rules out only what is surely cut: an open fence, or something in the last line that was opened and not closed. */
export function looksWhole(text: string): boolean {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  if (last.trim() === '') return false;
  const fences = lines.filter((line) => fence.test(line)).length;
  if (fences % 2 === 1) return false;
  if (fence.test(last)) return true;
  return !goesOn.test(last) && isBalanced(last);
}

/** Unmatched closers are allowed, as in `:)` and `1)`. */
function isBalanced(line: string): boolean {
  const prose = line.replace(/`[^`]*`/g, '');
  const count = (sign: string): number => prose.split(sign).length - 1;
  return count('`') === 0 && count('(') <= count(')') && count('[') <= count(']') && count('{') <= count('}');
}

export function isWholeCall({ name, arguments: written }: ReplyCall): boolean {
  return name !== '' && (written.trim() === '' || isJsonObject(written));
}
