import { codeName, replaceUnseen } from '../../../src/shared/invisible-signs.ts';

/** No script needs more combining marks, and fonts stack them over the lines above and below. */
const piled = /(?<=\p{M}{8})\p{M}/gu;
const otherBlanks = /(?! )[\p{Zs}\t]/gu;

const written = (code: number) => `␣${codeName(code)}`;

/**
 * Writes invisible characters out as `␣U+202E`, and so combining marks that would cover their surroundings. Text from
 * models, files and servers can hold direction marks, zero-width characters and tags that change what a person reads.
 */
export function visibleText(text: string): string {
  return replaceUnseen(writeOut(text, piled), written);
}

/** Formats a path or name that the user decides about: unusual blanks are written out, and the result is one line. */
export function visibleName(text: string): string {
  return visibleText(writeOut(text, otherBlanks)).replaceAll('\n', '␊').replaceAll('\r', '␍');
}

function writeOut(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => written(sign.codePointAt(0) ?? 0));
}
