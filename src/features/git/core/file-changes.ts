import { splitDiff, type UnifiedHunk } from '../../../edits/apply/unified-hunks.ts';

export interface Entry {
  mode: string;
  id: string;
}

/**
 * Describes how one file differs between two trees. Paths and lines have one character for each byte, so that nothing
 * is lost; `shownText` makes text for people.
 */
export interface FileChange {
  path: string;
  /** Holds the earlier name of a renamed file; then `before` is the entry under that name. */
  oldPath?: string;
  before?: Entry;
  after?: Entry;
  /** The list is empty for a file that is not text, and where only the name or the mode differs. */
  hunks: readonly Hunk[];
  head: string;
}

export interface Hunk extends Pick<UnifiedHunk, 'oldStart' | 'oldCount' | 'text'> {
  /** Holds the new text of this place with its context lines; each line keeps its end. */
  newLines: readonly string[];
}

export const contextLines = 1;

/** With these options `diff-tree` gives the same output whatever the user has configured for diffs. */
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

/** Reverses `shownText`. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Takes the output of `--raw -z` and of `--patch`, both with `diffOptions` and in the same order. */
export function parseChanges(raw: string, patch: string): FileChange[] {
  const sections = patch.split(/^(?=diff --git )/m).filter((section) => section !== '');
  const changes: FileChange[] = [];
  let at = 0;
  for (const record of parseRaw(raw)) {
    // Where a file became a link, or a link a file, git shows one removal and one addition.
    const own = sections.slice(at, at + (record.status === 'T' ? 2 : 1));
    at += own.length;
    const { head, hunks } = splitDiff(own.join(''));
    const { status: _status, ...change } = record;
    changes.push({ ...change, head, hunks: record.status === 'T' ? [] : hunks.map(withNewLines) });
  }
  if (at !== sections.length) throw new Error(`git told of ${changes.length} files and showed ${sections.length}`);
  return changes;
}

export type RawChange = Omit<FileChange, 'hunks' | 'head'> & { status: string };

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

function withNewLines(hunk: UnifiedHunk): Hunk {
  const [, ...lines] = hunk.text.split('\n');
  const newLines: string[] = [];
  lines.forEach((line, at) => {
    if (line === '' || line.startsWith('-') || line.startsWith('\\')) return;
    newLines.push(`${line.slice(1)}${lines[at + 1]?.startsWith('\\') === true ? '' : '\n'}`);
  });
  return { ...hunk, newLines };
}

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
