import type { Attachment } from '../shared/messages.ts';

/**
 * Compares an attachment with its source: a whole file must be the same, lines may have moved within it. A file that
 * was cut is compared as far as it was sent.
 */
export function isAsAttached({ text, startLine }: Pick<Attachment, 'text' | 'startLine'>, source: string): boolean {
  const sent = plain(text);
  const now = plain(source);
  if (startLine !== undefined) return now.includes(sent);
  return sent.length >= maxAttachedCharacters ? now.startsWith(sent) : now === sent;
}

/** A longer attachment is cut and its label says so, because every character is paid for. */
export const maxAttachedCharacters = 100_000;

/** Returns whether the newer attachment replaces the older: both are snapshots of one place, or of equal text. */
export function isSameSource(a: Attachment, b: Attachment): boolean {
  return sourceKey(a) === sourceKey(b);
}

function sourceKey({ kind = 'file', uri, label, startLine, endLine, text, image }: Attachment): string {
  if (uri !== undefined) return JSON.stringify([kind, uri, startLine, endLine]);
  const isPlace = kind === 'changes' || kind === 'problems' || kind === 'conversation';
  return JSON.stringify(isPlace ? [kind, label] : [kind, label, text, image?.hash]);
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
