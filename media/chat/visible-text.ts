/**
 * Text from models, files and servers can hold characters that show nothing and change what a person reads: direction
 * marks, zero-width characters, tags. They are drawn as `␣U+202E`. Joiners stay where a script or an emoji needs them.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
/** The only flags that are written with tags, which are hidden everywhere else: of England, Scotland and Wales. */
const taggedFlag =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})/u;
const joiningBefore =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Malayalam}|\p{Script=Kannada}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Sinhala})$/u;

export function visibleText(text: string): string {
  hidden.lastIndex = 0;
  if (!hidden.test(text)) return text;
  // Split at such flags, which are themselves at the odd places.
  return text
    .split(taggedFlag)
    .map((part, at) => (at % 2 === 1 ? part : withSigns(part)))
    .join('');
}

function withSigns(text: string): string {
  return text.replace(hidden, (character: string, offset: number) => {
    const joiner = character === '\u200d' || character === '\u200c';
    if (joiner && joiningBefore.test(text.slice(Math.max(0, offset - 2), offset))) return character;
    return `␣U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
