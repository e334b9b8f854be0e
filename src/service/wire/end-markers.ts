import { parseJson } from '../../base/parse-json.ts';

const marker = /^\[?(?:done|end|eos|eof)\]?$/i;
const endNames = /^(?:done|end|complete|completed|finish|finished|close)$/i;

export function isEndMarker(data: string): boolean {
  return data.length < 20 && marker.test(data.trim());
}

export function isEndName(event: string | undefined): boolean {
  return event !== undefined && endNames.test(event);
}

/**
 * Splits data that is no JSON by itself into the events that were glued together in it. Returns undefined when none
 * of them is understood.
 */
export function splitGlued(data: string): string[] | undefined {
  const pieces = data.split('\n').flatMap((line) => (isUnderstood(line) ? [line] : unglued(line)));
  const said = pieces.filter((piece) => piece.trim() !== '');
  return said.length > 1 && said.some(isUnderstood) ? said : undefined;
}

function unglued(line: string): string[] {
  const end = /\}\s*(?:data: ?)?(\[?DONE\]?)\s*$/.exec(line.slice(-40));
  const beforeEnd = end === null ? line : line.slice(0, line.lastIndexOf('}') + 1);
  return [...beforeEnd.split(/(?<=\})\s*data: ?/), ...(end === null ? [] : [end[1] ?? ''])];
}

function isUnderstood(piece: string): boolean {
  if (isEndMarker(piece)) return true;
  const json = piece.trimStart().startsWith('{') ? parseJson(piece) : undefined;
  return typeof json === 'object' && json !== null;
}
