/** Finds the word where no letter, digit, `_` or `$` is beside it. */
export function hasWord(text: string, word: string): boolean {
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  }
  return false;
}
