import { isBlank } from '../match/line-tolerance.ts';
import { diffLineHunks } from './line-diff.ts';

const mostGone = 10;
const commentSign = /^(?:\/[/*]|#|\*|<!--|\{[/-]|--|\(\*|[;%'"]|REM\b)/i;

/**
 * Describes a line that may stand for others which are not written out, in whatever language: a comment, new to the
 * file (`known`), where more than ten lines would go.
 */
export function findStandIn(
  old: readonly string[],
  fresh: readonly string[],
  known: readonly string[],
): string | undefined {
  if (old.length - mostGone <= 0) return undefined;
  const bodies = new Set(known.map((line) => line.trim()));
  for (const { before, after } of diffLineHunks(old, fresh)) {
    const coming = fresh.slice(after.start, after.start + after.count).filter((line) => !isBlank(line));
    const going = old.slice(before.start, before.start + before.count).filter((line) => !isBlank(line));
    const gone = going.length - coming.length;
    const line = coming.find(
      (text) => commentSign.test(text.trim()) && !bodies.has(text.trim()) && !isReworded(text, going),
    );
    if (gone > mostGone && line !== undefined) return `\`${line.trim()}\` comes where ${going.length} lines go`;
  }
  return undefined;
}

/** Returns whether most words of the comment are in the lines that go: then it is one of theirs in other words. */
function isReworded(comment: string, going: readonly string[]): boolean {
  const words = comment.match(/\p{L}{3,}/gu) ?? [];
  const text = going.join('\n');
  return words.filter((word) => text.includes(word)).length * 2 > words.length;
}
