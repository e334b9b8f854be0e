// What the stand-in sees in code, and how it quotes it: numbered lines of a result, declarations, the comment above one.

const declaration =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|pub(?:\(\w+\))?\s+)*(function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace)\s+([A-Za-z_$][\w$]*)/;

export interface CodeLine {
  /** From 1; undefined where the text has no numbers. */
  number?: number;
  text: string;
}

/** The lines of a `read_file` result or of attached code, without their numbers. */
export function readLines(result: string): CodeLine[] {
  const rows = result.split('\n').map((row): CodeLine => {
    const [, number, text] = row.match(/^\s*(\d+)(?:\t|\s*[:|]\s?)(.*)$/) ?? [];
    return number === undefined ? { text: row } : { number: Number(number), text: text ?? '' };
  });
  // The line above the numbers tells which ones they are.
  return rows.some(({ number }) => number !== undefined) ? rows.filter(({ number }) => number !== undefined) : rows;
}

export function declarationIn(line: string): { kind: string; name: string } | undefined {
  const [, kind, name] = line.match(declaration) ?? [];
  return kind && name ? { kind, name } : undefined;
}

/** The text of the comment that ends right above `lines[at]`; empty where there is none. */
export function commentAbove(lines: readonly CodeLine[], at: number): string {
  const found: string[] = [];
  for (let row = at - 1; row >= 0; row -= 1) {
    const text = lines[row]?.text.trim() ?? '';
    if (!/^(\/\*|\*|\/\/|#)/.test(text)) break;
    const inner = text.endsWith('*/') ? text.slice(0, -2).trimEnd() : text;
    found.unshift(inner.replace(/^(\/\*\*?|\*\/|\*|\/\/+|#+)\s*/, ''));
  }
  return found.join(' ').trim();
}

/** A fence longer than any in the text, so that a quoted file cannot end it. */
export function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((max, run) => Math.max(max, run.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/** The path in the arguments of a call. */
export function pathOf(json: string): string | undefined {
  return json.match(/"(?:path|file|file_?path|filename|uri)":"([^"]+)"/i)?.[1];
}
