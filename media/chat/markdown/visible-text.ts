import { codeName, replaceUnseen } from '../../../src/shared/invisible-signs.ts';

/**
 * Text from models, files and servers can hold characters that show nothing and change what a person reads: direction
 * marks, zero-width characters, tags. They are drawn as `␣U+202E`.
 */
export function visibleText(text: string): string {
  return replaceUnseen(text, (code) => `␣${codeName(code)}`);
}
