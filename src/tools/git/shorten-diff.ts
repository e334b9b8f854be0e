import { cutText } from '../../base/cut-text.ts';
import { linesWithin, shareBudget } from '../../base/share-budget.ts';

const maxLineLength = 400;

const generated = [
  /(?:^|\/)(?:[\w.]+-lock\.(?:json|yaml)|npm-shrinkwrap\.json|bun\.lockb?|composer\.lock|[\w.-]+\.lock|go\.sum|Package\.resolved)$/,
  /(?:^|\/)(?:dist|build|out|vendor|node_modules|__snapshots__|generated|third_party)\//,
  /\.(?:min\.(?:js|css)|map|snap|lock|pb\.go|g\.dart|designer\.cs|svg|ipynb)$|(?:_pb2(?:_grpc)?\.py|\.generated\.\w+)$/i,
];

export function isGeneratedPath(path: string): boolean {
  return generated.some((pattern) => pattern.test(path));
}

/**
 * Shortens a unified diff of several files: each file stays whole where all fit, else it gets its share, so that none
 * is missing because another is long. A line below each part counts what is left out, and lines that repeat a list of
 * the files are dropped.
 */
export function shortenDiff(diff: string, maxCharacters: number): string {
  const parts = diff.split(/^(?=diff --git )/m).flatMap((part) => {
    const lines = part.split('\n').filter((line) => line !== '' && !isSaid(line));
    return lines.length === 0 ? [] : [{ path: pathOf(part), lines: lines.map((line) => cutText(line, maxLineLength)) }];
  });
  const sizes = parts.map(({ lines }) => lines.join('\n').length + 1);
  const shares = shareBudget(sizes, maxCharacters);
  return parts
    .map(({ path, lines }, at) =>
      (shares[at] ?? 0) >= (sizes[at] ?? 0) ? lines : beginning(lines, path, shares[at] ?? 0),
    )
    .map((lines) => lines.join('\n'))
    .join('\n')
    .trimEnd();
}

function isSaid(line: string): boolean {
  return /^(?:index [0-9a-f]+\.\.|diff --git |similarity index |rename (?:from|to) )/.test(line);
}

function pathOf(part: string): string {
  const [, path] = /^\+\+\+ b\/(.*)$/m.exec(part) ?? /^--- a\/(.*)$/m.exec(part) ?? [];
  return path?.replace(/\t$/, '') ?? '';
}

function beginning(lines: readonly string[], path: string, maxCharacters: number): string[] {
  const shown = lines.slice(0, linesWithin(lines, maxCharacters));
  return [...shown, `[${lines.length - shown.length} more lines of ${path}]`];
}
