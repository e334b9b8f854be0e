import { splitDiff } from '../../../edits/apply/unified-hunks.ts';
import type { ChangedFile, Changes } from '../../../tools/git/git.ts';

/**
 * Returns the text that a one-file diff leads from, given the text that it leads to. Lines that stay are those of
 * `after`, and removed ones get its line ends where Git has stored others. Returns undefined when the diff does not lead
 * to this text.
 */
export function textBefore(after: string, diff: string): string | undefined {
  const lines = after === '' ? [] : after.split(/(?<=\n)/);
  const isCrlf = lines.length > 0 && lines.every((line) => /\r\n$|[^\n]$/.test(line));
  const before: string[] = [];
  let next = 0;
  for (const { newStart, newCount, text } of splitDiff(diff).hunks) {
    const start = newCount === 0 ? newStart : newStart - 1;
    before.push(...lines.slice(next, start));
    next = start;
    const [, ...rows] = text.replace(/\n$/, '').split('\n');
    for (const [at, row] of rows.entries()) {
      if (row.startsWith('\\')) continue;
      // Where a file became a link, the diff goes on with another one.
      if (/^[^ +-]/.test(row)) return undefined;
      if (row.startsWith('-')) {
        const isLast = rows[at + 1]?.startsWith('\\') === true;
        const body = row.slice(1).replace(/^\ufeff/, '');
        const end = isLast ? '' : isCrlf && !body.endsWith('\r') ? '\r\n' : '\n';
        before.push(`${body}${end}`);
        continue;
      }
      const own = lines[next++];
      if (own === undefined || bare(own) !== bare(row.slice(1))) return undefined;
      if (!row.startsWith('+')) before.push(own);
    }
  }
  return [...before, ...lines.slice(next)].join('');
}

function bare(line: string): string {
  return line.replace(/^\ufeff/, '').replace(/\r?\n?$/, '');
}

/** Asks Git once for all files, and once more for each only where a file became a link or a link a file. */
export async function diffsOf({ files, diff }: Changes): Promise<Map<string, string>> {
  const pathsOf = ({ path, oldPath }: ChangedFile) => [path, ...(oldPath === undefined ? [] : [oldPath])];
  const all = (await diff(files.flatMap(pathsOf))).split(/^(?=diff --git )/m).filter((section) => section !== '');
  const isEach = all.length === files.length;
  const pairs = files.map(
    async (file, at) => [file.path, isEach ? (all[at] ?? '') : await diff(pathsOf(file))] as const,
  );
  return new Map(await Promise.all(pairs));
}
