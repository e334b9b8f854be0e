import type { Token } from 'marked';

/** These signs open bold or slanted text, code, or a link, but neither behind a letter, as in `a[0]`, nor before a blank. */
const opening = /(?<![\p{L}\p{N}\\!])(\*\*|\*|`+|\[)(?!\s)/u;
const linkName = /^([^\]]*)(?:\](?:\([^)]*)?)?$/;

/** Closes what is open at the end of a text that still grows, so that its signs are never seen. */
export function closed(tokens: readonly Token[]): Token[] {
  for (const [at, token] of tokens.entries()) {
    const open = token.type === 'text' && !('tokens' in token && token.tokens) ? opening.exec(token.raw) : null;
    if (open === null) continue;
    const behind = [text(token.raw.slice(open.index + open[0].length)), ...tokens.slice(at + 1)];
    const inside = wrapped(open[0], behind);
    if (inside !== undefined) return [...tokens.slice(0, at), text(token.raw.slice(0, open.index)), ...inside];
  }
  const last = tokens.at(-1);
  return last?.type === 'text' ? [...tokens.slice(0, -1), text(last.raw.replace(/(?<![*`])[*`]+$/, ''))] : [...tokens];
}

function wrapped(sign: string, behind: readonly Token[]): Token[] | undefined {
  const raw = behind.map((token) => token.raw).join('');
  if (sign === '[') {
    const name = linkName.exec(raw)?.[1];
    return name === undefined ? undefined : [text(name)];
  }
  if (sign.startsWith('`')) return [{ type: 'codespan', raw, text: raw.replace(/(?<!`)`+$/, '') }];
  return [{ type: sign === '*' ? 'em' : 'strong', raw, tokens: closed(behind) }];
}

const text = (raw: string): Token => ({ type: 'text', raw, text: raw });
