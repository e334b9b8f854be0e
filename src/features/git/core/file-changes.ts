/** An entry of a tree or an index: the mode as git writes it, and the object. */
export interface Entry {
  mode: string;
  id: string;
}

/**
 * How one file differs between two trees. Paths and lines have a character for each byte, so that nothing of them is lost; `shownText`
 * is for people.
 */
export interface FileChange {
  path: string;
  /** The name before, of a renamed file; then `before` is what stood there. */
  oldPath?: string;
  before?: Entry;
  after?: Entry;
  /** As git writes them; empty for a file that is no text, and where only the name or the mode differs. */
  hunks: readonly Hunk[];
  /** The lines of the diff above the hunks. */
  head: string;
}

/** Lines of one place of a file; the numbers count from 1, as git does, and a place without lines stands behind its number. */
export interface Hunk {
  oldStart: number;
  oldCount: number;
  /** With the lines around it, each with its end: what stands there in the new text. */
  newLines: readonly string[];
  /** As git writes it, with its line of numbers. */
  text: string;
}

/** Lines around a change; changes that are nearer to each other are one. */
export const contextLines = 1;

/** For `diff-tree`: the same answer whatever the user has set for diffs. */
export const diffOptions = [
  '-r',
  '-M',
  '-l2000',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--full-index',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=none',
  '--submodule=short',
  '--diff-algorithm=histogram',
  '--inter-hunk-context=0',
  `--unified=${contextLines}`,
];

export function shownText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The other way. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** `raw`: of `--raw -z`; `patch`: of `--patch`; both with `diffOptions`, in the same order. */
export function parseChanges(raw: string, patch: string): FileChange[] {
  const sections = patch.split(/^(?=diff --git )/m).filter((section) => section !== '');
  const changes: FileChange[] = [];
  let at = 0;
  for (const record of parseRaw(raw)) {
    // A file that became a link, or the other way: git tells of one that went and one that came.
    const own = sections.slice(at, at + (record.status === 'T' ? 2 : 1));
    at += own.length;
    const [head = '', ...rest] = own.join('').split(/^(?=@@ )/m);
    const { status: _status, ...change } = record;
    changes.push({ ...change, head, hunks: record.status === 'T' ? [] : rest.map(parseHunk) });
  }
  if (at !== sections.length) throw new Error(`git told of ${changes.length} files and showed ${sections.length}`);
  return changes;
}

/** `status`: git's letter. */
export type RawChange = Omit<FileChange, 'hunks' | 'head'> & { status: string };

/** Reads `diff-tree --raw -z`. */
export function parseRaw(raw: string): RawChange[] {
  const records: RawChange[] = [];
  const fields = raw.split('\0').values();
  for (const field of fields) {
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(field);
    if (match === null) continue;
    const [, oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = match;
    const first = fields.next().value ?? '';
    const second = status === 'R' || status === 'C' ? (fields.next().value ?? '') : undefined;
    const isRenamed = status === 'R';
    records.push({
      status,
      path: second ?? first,
      ...(isRenamed && { oldPath: first }),
      // A copy takes nothing from the file that it was made of.
      ...(status !== 'C' && isThere(oldMode) && { before: { mode: oldMode, id: oldId } }),
      ...(isThere(newMode) && { after: { mode: newMode, id: newId } }),
    });
  }
  return records;
}

const isThere = (mode: string) => mode !== '000000';

function parseHunk(text: string): Hunk {
  const [, oldStart = '0', oldCount = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(text) ?? [];
  const [, ...lines] = text.split('\n');
  const newLines: string[] = [];
  lines.forEach((line, at) => {
    if (line === '' || line.startsWith('-') || line.startsWith('\\')) return;
    newLines.push(`${line.slice(1)}${lines[at + 1]?.startsWith('\\') === true ? '' : '\n'}`);
  });
  return { oldStart: Number(oldStart), oldCount: Number(oldCount), newLines, text };
}

/** The old text with some of the hunks of its file. */
export function withHunks(oldText: string, hunks: readonly Hunk[]): string {
  const lines = oldText.split(/(?<=\n)/);
  const parts: string[] = [];
  let done = 0;
  for (const { oldStart, oldCount, newLines } of hunks) {
    const start = oldCount === 0 ? oldStart : oldStart - 1;
    parts.push(...lines.slice(done, start), ...newLines);
    done = start + oldCount;
  }
  return [...parts, ...lines.slice(done)].join('');
}
