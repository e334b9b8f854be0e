import { diffLineHunks } from '../apply/line-diff.ts';

const lineEnd = /\r\n|\n|\r/g;

/**
 * Gives the lines of `text`, which have `\n` ends, the ends that they have in the sources, the first source first.
 * Other lines get the end of the line above them.
 */
export function withLineEndsOf(text: string, sources: readonly string[]): string {
  const lines = text.split('\n');
  const ends: (string | undefined)[] = lines.map(() => undefined);
  for (const source of sources) {
    const own = source.split(lineEnd);
    const ownEnds = source.match(lineEnd) ?? [];
    let [at, ownAt] = [0, 0];
    const take = (until: number) => {
      for (; at < until; at++, ownAt++) ends[at] ??= ownEnds[ownAt];
    };
    for (const { before, after } of diffLineHunks(lines, own)) {
      take(before.start);
      [at, ownAt] = [before.start + before.count, after.start + after.count];
    }
    take(lines.length);
  }
  let last = ends.find((end) => end !== undefined) ?? '\n';
  return lines.reduce((all, line, at) => {
    if (at === 0) return line;
    last = ends[at - 1] ?? last;
    return `${all}${last}${line}`;
  }, '');
}
