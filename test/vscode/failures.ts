import { stripVTControlCharacters } from 'node:util';

/** A test that failed: its full title and the first line of its error. */
export interface Failure {
  title: string;
  error: string;
}

const heading = '== failed';

/** A list that `parseFailures` reads. */
export function formatFailures(failures: readonly Failure[]): string {
  if (failures.length === 0) return `${heading}: none`;
  return [heading, ...failures.flatMap(({ title, error }) => [`  ✗ ${title}`, `      ${error}`])].join('\n');
}

/**
 * The failures in what a test command printed, each once: its closing list when there is one, else what mocha and the host
 * suite printed along the way.
 */
export function parseFailures(output: string): Failure[] {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const listAt = lines.findLastIndex((line) => line.startsWith(heading));
  const failures = listAt >= 0 ? marked(lines.slice(listAt)) : [...marked(lines), ...ofMocha(lines)];
  return [...new Map(failures.map((failure) => [failure.title, failure])).values()];
}

/** `  ✗ title` and the error on the next line. */
function marked(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const title = /^ {2}✗ (.+)/.exec(line)?.[1];
    return title === undefined ? [] : [{ title, error: (lines[at + 1] ?? '').trim() }];
  });
}

/** `  1) suite`, further parts of the title below it, the last one with a colon, and then the error. */
function ofMocha(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const first = /^ {2}\d+\) (.+)/.exec(line)?.[1];
    if (first === undefined) return [];
    const length = lines.slice(at, at + 12).findIndex((each) => each.endsWith(':'));
    // Along the way mocha prints one line, the title without its suites.
    if (length < 0) return [];
    const parts = [first, ...lines.slice(at + 1, at + length + 1)];
    const error = lines.slice(at + length + 1).find((each) => each.trim() !== '') ?? '';
    return [
      {
        title: parts
          .map((part) => part.trim())
          .join(' ')
          .slice(0, -1),
        error: error.trim(),
      },
    ];
  });
}
