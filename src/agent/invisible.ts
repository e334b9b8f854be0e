import { replaceInvisible } from '../shared/invisible-signs.ts';

/** Makes a name one line, because a file may have any name and a second line could pass for a text of somebody else. */
export function inOneLine(name: string): string {
  return stripInvisible(name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).text;
}

/** Removes what a person does not see and a model reads. `removed` counts characters. */
export function stripInvisible(text: string): { text: string; removed: number } {
  let removed = 0;
  const stripped = replaceInvisible(text, () => {
    removed++;
    return '';
  });
  return { text: stripped, removed };
}
