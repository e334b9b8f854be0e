import { withoutEnd } from './line-tolerance.ts';

/** `info` is the text behind an opening fence, usually a language. */
export interface CodeFence {
  indent: number;
  mark: string;
  info: string;
}

export function fenceOf(line: string): CodeFence | undefined {
  const [, indent = '', mark, info = ''] = /^(\s*)(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line) ?? [];
  return mark === undefined ? undefined : { indent: indent.length, mark, info: info.trim() };
}

const openingFence = /^\s*(?:`{3,}|~{3})[^`\n]*\n/;

/** Returns what a fence around all of the text holds; its end may stand behind the last line. */
export function fenced(text: string): string | undefined {
  const opening = openingFence.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const rest = text.slice(opening.length).trimEnd();
  const sign = rest.at(-1);
  if (sign !== '`' && sign !== '~') return undefined;
  const inner = withoutEnd(rest, sign);
  return rest.length - inner.length < 3 ? undefined : withoutEnd(inner, ' \t').replace(/\n$/, '');
}

/** In these documents fenced blocks are part of the text. */
export function holdsFences(languageId: string): boolean {
  return /markdown|mdx|restructuredtext|asciidoc|latex|quarto/.test(languageId);
}
