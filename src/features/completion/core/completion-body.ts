import { fenceOf } from '../../../edits/match/code-fence.ts';

export type CompletionProblem = 'empty' | 'prose' | 'elided' | 'whole';

export type CompletionBody = { lines: readonly string[]; isFenced: boolean } | { problem: CompletionProblem };

const fencedLine = /^(`{3,})([^`\n]+)\1$/;

/**
 * `isText` means that prose is to be completed, as in a comment or a document. In a `holdsFences` document only a fence
 * around everything, of no other language, is around the answer.
 */
export function completionBody(answer: string, isText: boolean, holdsFences = false): CompletionBody {
  const lines = answer.replaceAll('\r\n', '\n').split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length === 0) return { problem: 'empty' };
  const [only] = filled;
  const inner = filled.length === 1 ? fencedLine.exec((only ?? '').trim())?.[2] : undefined;
  if (inner !== undefined) return { lines: [inner], isFenced: true };
  const open = lines.findIndex((line) => fenceOf(line));
  if (open < 0 || (holdsFences && !isAround(lines))) return bare(lines, isText);
  if (holdsFences)
    return within(
      lines.slice(
        open + 1,
        lines.findLastIndex((line) => line.trim() !== ''),
      ),
    );
  const mark = fenceOf(lines[open] ?? '')?.mark;
  const close = lines.findIndex((line, at) => {
    const other = at > open ? fenceOf(line) : undefined;
    return other?.mark === mark && other?.info === '';
  });
  // The service cut it, or the model forgot it.
  if (close < 0) return within(lines.slice(open + 1));
  if (lines.slice(close + 1).some((line) => fenceOf(line))) return { problem: 'prose' };
  return within(lines.slice(open + 1, close));
}

function isAround(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const [begin, end] = [filled[0], filled.at(-1)].map((line) => fenceOf(line ?? ''));
  const isSame = begin !== undefined && begin.mark === end?.mark && end.info === '' && filled.length > 1;
  return isSame && /^(?:|md|markdown|text)$/.test(begin.info);
}

function within(lines: readonly string[]): CompletionBody {
  return lines.every((line) => line.trim() === '') ? { problem: 'empty' } : { lines, isFenced: true };
}

/** Without a fence an introducing line is dropped, and any other prose makes the answer unusable. */
function bare(lines: readonly string[], isText: boolean): CompletionBody {
  if (isText) return { lines, isFenced: false };
  const filled = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
  const [first = 0, last = 0] = [filled[0], filled.at(-1)];
  const leadsIn = isProse(lines[first] ?? '') && /:\s*$/.test(lines[first] ?? '') && filled.length > 1;
  const rest = leadsIn ? lines.slice(first + 1) : lines;
  const isAbout = rest.some((line) => isProse(line)) || (!leadsIn && isProse(lines[last] ?? ''));
  return isAbout ? { problem: 'prose' } : { lines: rest, isFenced: false };
}

const opening =
  /^(?:Sure|Okay|Certainly|Of course|Here(?:'s|’s| is| are)|This (?:is|will|completes?|adds?|code)|The (?:completion|code|text|answer|missing)|I(?:'ll|'ve| have| will| can|’ll|’ve)|Let me|To complete|You can|Note)\b/i;

function isProse(line: string): boolean {
  const body = line.trim();
  if (/^(?:\/\/|#|\*|\/\*|--|<!--|"""|''')/.test(body) || /[;{}]$/.test(body)) return false;
  return opening.test(body) ? /\s\S+\s/.test(body) : isSentence(body);
}

function isSentence(body: string): boolean {
  const words = body.split(/\s+/);
  const isWord = (word: string) => /^[\p{L}\p{N}'’()"/`.,:!?…-]+$/u.test(word);
  return words.length > 2 && /^\p{Lu}.*[.:!?…]$/u.test(body) && words.every(isWord);
}

export function isInText(line: string, languageId: string): boolean {
  if (/^(?:markdown|mdx|plaintext|restructuredtext|asciidoc|latex|git-commit)$/.test(languageId)) return true;
  return (
    /^\s*(?:\/\/|#(?!\s*(?:include|define|if|endif|pragma))|\*|\/\*|--\s|<!--|;;)/.test(line) ||
    /\s(?:\/\/|#)\s/.test(line)
  );
}
