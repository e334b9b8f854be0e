import { replaceInvisible } from '../shared/invisible-signs.ts';

/** A name as one line: a file may be called anything, and what a second line of it says is nobody's. */
export function inOneLine(name: string): string {
  return stripInvisible(name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).text;
}

/** The text without what a person does not see and a model reads, and how many characters that were. */
export function stripInvisible(text: string): { text: string; removed: number } {
  let removed = 0;
  const stripped = replaceInvisible(text, () => {
    removed++;
    return '';
  });
  return { text: stripped, removed };
}
