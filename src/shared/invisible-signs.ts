/**
 * Lists characters that a person does not see, or takes for a blank, and that a model, a shell or a file system
 * reads. There is one list for everything that is sent, shown and asked. It is made from Unicode properties, so that
 * it grows with them.
 */
const classes = [
  String.raw`\p{Default_Ignorable_Code_Point}`,
  String.raw`\p{Cf}`,
  // Letters and symbols without ink.
  String.raw`\u2800\u{1d159}`,
];

const drawn = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;

const joining = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Myanmar',
  'Nko',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
  'Tibetan',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/**
 * Lists where joiners and selectors are needed. A selector is accepted only behind a sign that has forms, and only a
 * few forms count, because more could carry a hidden message.
 */
const needed = [
  // The flags of England, Scotland and Wales.
  String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\p{Sm}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}])[\ufe00-\ufe02]`,
  String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e0102}]`,
  String.raw`(?<=(?=\p{L})\p{Script=Mongolian})[\u180b-\u180f]`,
];

const hidden = new RegExp(`(${needed.join('|')})|(?!${drawn})[${classes.join('')}]`, 'gu');
const hiddenOrControl = new RegExp(String.raw`${hidden.source}|(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}]`, 'gu');

export function replaceInvisible(text: string, write: (code: number) => string): string {
  return replace(hidden, text, write);
}

export function replaceUnseen(text: string, write: (code: number) => string): string {
  return replace(hiddenOrControl, text, write);
}

function replace(pattern: RegExp, text: string, write: (code: number) => string): string {
  return text.replace(pattern, (sign: string, kept: string | undefined) => kept ?? write(sign.codePointAt(0) ?? 0));
}

export function codeName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function writeOutInvisible(text: string): string {
  return replaceUnseen(text, writeOut).replace(/[\r\n]/g, (sign) => writeOut(sign.charCodeAt(0)));
}

function writeOut(code: number): string {
  return `⟦${codeName(code)}⟧`;
}
