/** What costs a reader most when it comes again and again: of checkers of regular expressions, and found by hand. */
export const signs = [
  '\t',
  ' ',
  '\r',
  '\n',
  '\r\n',
  'a\b',
  '\b',
  '/',
  '-',
  ':',
  '`',
  '*',
  '_ab__cd',
  '*a**_',
  '[',
  '[a](',
  '\u001b[',
  '\u001b]',
  '\u009d',
  '\ufe00',
  '\u200d',
  '\u{e0041}',
  '|',
  '\\',
  "'",
  '(',
  '#',
  'a.',
  '---\n',
  '@a ',
];

/** With what readers look for the end of, which never comes. */
export const begun = [...signs, '[', '{', '"', '<', '{"a":', '<think>', 'data: ', '<tool_call>', '```json'];

/** The text again and again, in so many code units. */
export function fillTo(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
