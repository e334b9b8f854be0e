/** Splits a text so that it can be joined again byte for byte. */
export interface TextLines {
  bom: string;
  lines: readonly string[];
  /** Each is `\n`, `\r\n`, or empty for a last line without an end. */
  ends: readonly string[];
  commonEnd: string;
}

/** `lines` replace the lines from `start` up to but not including `end`. */
export interface LineChange {
  start: number;
  end: number;
  lines: readonly string[];
}

export function toTextLines(text: string): TextLines {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines: string[] = [];
  const ends: string[] = [];
  let crlf = 0;
  let from = bom.length;
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', from)) {
    const isCrlf = at > from && text.charCodeAt(at - 1) === 13;
    lines.push(text.slice(from, isCrlf ? at - 1 : at));
    ends.push(isCrlf ? '\r\n' : '\n');
    if (isCrlf) crlf++;
    from = at + 1;
  }
  if (from < text.length) {
    lines.push(text.slice(from));
    ends.push('');
  }
  return { bom, lines, ends, commonEnd: crlf * 2 > ends.filter((end) => end !== '').length ? '\r\n' : '\n' };
}

/**
 * Applies the changes, which are in order and do not overlap. A line keeps its end, and a new one takes that of the
 * line it replaces or of those around it; whether the file ends in a line end stays as it is.
 */
export function withChanges({ bom, lines, ends, commonEnd }: TextLines, changes: readonly LineChange[]): string {
  const out: string[] = [];
  const outEnds: string[] = [];
  let next = 0;
  const keepUntil = (until: number) => {
    for (; next < until; next++) {
      out.push(lines[next] ?? '');
      outEnds.push(ends[next] ?? '');
    }
  };
  const endBetween = (at: number) => (ends[at] === undefined || ends[at - 1] === ends[at] ? ends[at - 1] : commonEnd);
  for (const change of changes) {
    keepUntil(change.start);
    change.lines.forEach((line, index) => {
      const model = Math.min(change.start + index, change.end - 1);
      out.push(line);
      outEnds.push((model >= change.start ? ends[model] : endBetween(change.start)) || commonEnd);
    });
    next = change.end;
  }
  keepUntil(lines.length);
  const endsInNewline = lines.length === 0 || ends.at(-1) !== '';
  let text = bom;
  out.forEach((line, index) => {
    const isLast = index === out.length - 1;
    text += line + (isLast ? (endsInNewline ? outEnds[index] || commonEnd : '') : outEnds[index] || commonEnd);
  });
  return text;
}
