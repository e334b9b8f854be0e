import type { Token, Tokens } from 'marked';
import { decodeEntities } from './entities.ts';
import { lex } from './markdown.ts';

export function plainText(markdown: string): string {
  const text = lex(markdown).tokens.map(blockText).join('');
  return text.replace(/\n{3,}/g, '\n\n').trim();
}

export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? textOf(token.tokens) : decodeEntities(ownText(token))))
    .join('');
}

export function ownText(token: Token): string {
  return 'text' in token ? String(token.text) : token.raw;
}

function blockText(token: Token): string {
  switch (token.type) {
    case 'list':
      return `${(token as Tokens.List).items.map(({ tokens }) => tokens.map(blockText).join('')).join('\n')}\n`;
    case 'paragraph':
    case 'heading':
    case 'text':
      // The lexer takes the blank lines below some blocks for a part of them.
      return textOf([token]) + (/\n+$/.exec(token.raw)?.[0] ?? '');
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.map(blockText).join('');
    case 'code':
      return `${String(token.text)}\n`;
    default:
      return token.raw;
  }
}
