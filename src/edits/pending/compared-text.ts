import type { TextFormat } from '../../files/file-text.ts';
import { cellText, isNotebookPath, parseNotebook } from '../notebook/cell-text.ts';
import { notebookJson } from '../notebook/notebook-json.ts';

/** How the text of a file is kept on disk. */
export interface KeptAs {
  format?: TextFormat;
  /** The text before the edits as it was: of a notebook, and where its lines end in different ways or the file is there no more. */
  raw?: string;
  /** A notebook, whose edits are compared by cell: their texts are those of `cellText`. */
  byCells?: boolean;
}

/** The text of a file as its edits compare it. */
export function comparedText({ byCells }: Pick<KeptAs, 'byCells'>, text: string): string {
  return byCells ? cellText(text) : text;
}

/** Undefined for a notebook when nobody can tell its file. `now`: the text that the file has; only a notebook needs it. */
export function fileText({ byCells, raw }: KeptAs, compared: string, now = raw ?? ''): string | undefined {
  if (!byCells || compared === '') return compared;
  return notebookJson(compared, { now, before: raw });
}

/** The first edit of a file decides how all of them are compared. `before`, `after`: absent where there is no file. */
export function isByCells(
  known: KeptAs | undefined,
  { path, before, after }: { path: string; before?: string | undefined; after?: string | undefined },
): boolean {
  if (known !== undefined) return known.byCells ?? false;
  const texts = [before, after].filter((text) => text !== undefined);
  return isNotebookPath(path) && texts.every((text) => parseNotebook(text) !== undefined);
}
