/**
 * Characters that a person does not see and a model reads (X22): tag characters, zero-width characters, bidi controls and
 * variation selectors in numbers that only make sense as a code. Joiners inside words of scripts that need them and
 * inside emoji stay, and so does one variation selector after a visible character.
 */
const invisible = new RegExp(
  [
    '[\\u{E0000}-\\u{E007F}]',
    '[\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB]',
    '(?<![^\\x00-\\x7F])[\\u200C\\u200D]',
    '[\\u200C\\u200D](?![^\\x00-\\x7F\\u200C\\u200D])',
    '(?<=[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
    '(?<![\\p{Script=Han}\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}])[\\u{E0100}-\\u{E01EF}]',
  ].join('|'),
  'gu',
);

/** A name as one line: a file may be called anything, and what a second line of it says is nobody's. */
export function inOneLine(name: string): string {
  return stripInvisible(name).text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** The text without what cannot be seen, and how many characters that were. */
export function stripInvisible(text: string): { text: string; removed: number } {
  let removed = 0;
  const stripped = text.replace(invisible, () => {
    removed++;
    return '';
  });
  return { text: stripped, removed };
}
