import type { ReplyCall } from '../contract.ts';
import { isJsonObject } from './fold-calls.ts';

const fence = /^ {0,3}(?:```|~~~)/;
const row = /^\s*\|.*\|$/;
/** Quotes, brackets and marks of Markdown may stand behind the sign that ends a sentence; so may a picture. */
const sentenceEnd = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_~`\s]{0,8}$|\p{Extended_Pictographic}\uFE0F?$/u;

/** Returns whether the text ends a sentence, a block of code or a row of a table, with nothing left open in its last line. */
export function endsSentence(text: string): boolean {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  if (last.trim() === '') return false;
  const fences = lines.filter((line) => fence.test(line)).length;
  if (fences % 2 === 1) return false;
  if (fence.test(last)) return true;
  return (row.test(last) || sentenceEnd.test(last)) && isBalanced(last);
}

function isBalanced(line: string): boolean {
  const prose = line.replace(/`[^`]*`/g, '');
  const count = (sign: string): number => prose.split(sign).length - 1;
  return count('`') === 0 && count('(') <= count(')') && count('[') <= count(']') && count('{') <= count('}');
}

export function isWholeCall({ name, arguments: written }: ReplyCall): boolean {
  return name !== '' && isJsonObject(written);
}
