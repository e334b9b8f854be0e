/** A `place` begins a hunk; a `note` is about the diff, not part of the file. */
export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'place' | 'note';
  /** The sign is removed; the text of a `place` is the number of its first line in the new text. */
  text: string;
}

const place = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const fileHeader = /^(?:diff |index |--- |\+\+\+ )/;

/** Reads a unified diff of one file, with or without headers. Only headers before the first hunk are left out. */
export function parseDiff(diff: string): DiffLine[] {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const start = lines.findIndex((line) => place.test(line));
  const header = lines.slice(0, Math.max(0, start)).filter((line) => !fileHeader.test(line));
  const parsed = [
    ...header.map((text): DiffLine => ({ kind: 'note', text })),
    ...lines.slice(Math.max(0, start)).map(parseDiffLine),
  ];
  // CR is shown only where line ends are mixed; a line without an end has none.
  const written = parsed.filter(
    ({ kind }, at) => (kind === 'added' || kind === 'removed' || kind === 'same') && parsed[at + 1]?.text !== noEnd,
  );
  const allCrlf = written.length > 0 && written.every(({ text }) => text.endsWith('\r'));
  return allCrlf ? parsed.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') })) : parsed;
}

const noEnd = 'No newline at end of file';

function parseDiffLine(line: string): DiffLine {
  const found = place.exec(line);
  if (found) return { kind: 'place', text: found[1] ?? '' };
  switch (line.charAt(0)) {
    case '+':
      return { kind: 'added', text: line.slice(1) };
    case '-':
      return { kind: 'removed', text: line.slice(1) };
    case ' ':
      return { kind: 'same', text: line.slice(1) };
    case '':
      return { kind: 'same', text: '' };
    default:
      return { kind: 'note', text: line.startsWith('\\ ') ? line.slice(2) : line };
  }
}
