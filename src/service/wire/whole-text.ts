import type { ReplyCall } from '../contract.ts';
import { isJsonObject } from './fold-calls.ts';

/** Nobody ends an answer with these: the sentence goes on behind them. */
const goesOn = /[,:;([{<–—/\\&|=+]$/;
const fence = /^ {0,3}(?:```|~~~)/;

/**
 * Whether a text looks as if its writer had come to its end: no open fence, and in the last line nothing that was opened
 * and not closed. Nothing proves it; this only rules out what is surely cut.
 */
export function looksWhole(text: string): boolean {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  if (last.trim() === '') return false;
  const fences = lines.filter((line) => fence.test(line)).length;
  if (fences % 2 === 1) return false;
  if (fence.test(last)) return true;
  return !goesOn.test(last) && isBalanced(last);
}

/** Closers alone are no sign: `:)` and `1)` are written as they are. */
function isBalanced(line: string): boolean {
  const prose = line.replace(/`[^`]*`/g, '');
  const count = (sign: string): number => prose.split(sign).length - 1;
  return count('`') === 0 && count('(') <= count(')') && count('[') <= count(']') && count('{') <= count('}');
}

export function isWholeCall({ name, arguments: written }: ReplyCall): boolean {
  return name !== '' && (written.trim() === '' || isJsonObject(written));
}
