import { codeName, replaceUnseen } from '../../../src/shared/invisible-signs.ts';

/** More than any script needs; fonts pile them up over the lines above and below. */
const piled = /(?<=\p{M}{8})\p{M}/gu;
/** Blanks that are not the usual one. */
const otherBlanks = /(?! )[\p{Zs}\t]/gu;

const written = (code: number) => `␣${codeName(code)}`;

/**
 * Text from models, files and servers can hold characters that show nothing and change what a person reads: direction
 * marks, zero-width characters, tags. They are drawn as `␣U+202E`,
 * and so are combining marks that would cover what is around them.
 */
export function visibleText(text: string): string {
  return replaceUnseen(writeOut(text, piled), written);
}

/** For a path or a name that is decided about: also two blanks that only look alike are told apart, and it has one line. */
export function visibleName(text: string): string {
  return visibleText(writeOut(text, otherBlanks)).replaceAll('\n', '␊').replaceAll('\r', '␍');
}

function writeOut(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => written(sign.codePointAt(0) ?? 0));
}
