export interface PastedLines {
  startLine: number;
  endLine: number;
}

const minLines = 3;
const minLetters = 40;

/** A text equal to the selection was copied from it, unless it is one short word, which may be selected by chance. */
export function isPastedSelection(pasted: string, selected: string): boolean {
  const wanted = plain(pasted);
  if (wanted.trim() === '' || plain(selected) !== wanted) return false;
  return wanted.replace(/\n$/, '').includes('\n') || wanted.trim().length >= minLetters;
}

export function findPasted(pasted: string, text: string): PastedLines | undefined {
  const wanted = plain(pasted);
  if (wanted.trim().split('\n').length < minLines) return undefined;
  const all = plain(text);
  const at = all.indexOf(wanted);
  if (at < 0 || all.indexOf(wanted, at + 1) >= 0) return undefined;
  const startLine = all.slice(0, at).split('\n').length - 1;
  return { startLine, endLine: startLine + wanted.replace(/\n$/, '').split('\n').length - 1 };
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
