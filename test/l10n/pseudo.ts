import { type Bundle, extractBundle } from './extract.ts';

const letters: Record<string, string> = {
  ...pairs('abcdefghijklmnopqrstuvwxyz', 'àƀçđéƒĝĥíĵķļḿñöþǫŕšţûṽŵẋýž'),
  ...pairs('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'ÀƁÇĐÉƑĜĤÍĴĶĻḾÑÖÞǪŔŠŢÛṼŴẊÝŽ'),
};

/** Placeholders, icons, code, targets of links and escapes stay as they are. */
const untouched = /\{\w+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)|\[(?=[^\]]*\]\()|https?:\/\/\S+/g;

/** A text as the pseudo-locale has it: every letter accented, in brackets, 40 % longer. */
export function pseudoText(text: string): string {
  let from = 0;
  let result = '';
  for (const match of text.matchAll(untouched)) {
    result += accent(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  result += accent(text.slice(from));
  return `⟦${result}${padding(Math.ceil(text.length * 0.4) - 2)}⟧`;
}

/** What VS Code would load for the language `qps-ploc`. */
export function pseudoBundle(): Record<string, string> {
  made ??= pseudo(extractBundle());
  return made;
}

/** Made once: it takes reading all sources. */
let made: Record<string, string> | undefined;

/** The texts of `package.nls.json` in the same way. */
export function pseudo(texts: Bundle): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, pseudoText(typeof text === 'string' ? text : text.message)]),
  );
}

function accent(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => letters[letter] ?? letter);
}

/** In words, so that a longer text wraps as a translated one does. */
function padding(length: number): string {
  return length > 0
    ? ' öñé ţŵö ţĥŕéé ƒöûŕ'
        .repeat(Math.ceil(length / 19))
        .slice(0, length)
        .trimEnd()
    : '';
}

function pairs(from: string, to: string): Record<string, string> {
  const targets = [...to];
  return Object.fromEntries([...from].map((letter, index) => [letter, targets[index] ?? letter]));
}
