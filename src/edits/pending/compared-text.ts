import type { TextFormat } from '../../files/file-text.ts';
import { cellText, isNotebookPath, parseNotebook } from '../notebook/cell-text.ts';
import { notebookJson } from '../notebook/notebook-json.ts';

export interface KeptAs {
  format?: TextFormat;
  /**
   * This is the exact text before the edits. It is kept for a notebook, and where the line ends are mixed or the file
   * is gone.
   */
  raw?: string;
  /** The edits of a notebook are compared by cell: their texts are those of `cellText`. */
  byCells?: boolean;
}

export function comparedText({ byCells }: Pick<KeptAs, 'byCells'>, text: string): string {
  return byCells ? cellText(text) : text;
}

/**
 * Returns undefined for a notebook whose file cannot be reconstructed. `now`, the present text of the file, is needed
 * only for a notebook.
 */
export function fileText({ byCells, raw }: KeptAs, compared: string, now = raw ?? ''): string | undefined {
  if (!byCells || compared === '') return compared;
  return notebookJson(compared, { now, before: raw });
}

export function isByCells(
  known: KeptAs | undefined,
  { path, before, after }: { path: string; before?: string | undefined; after?: string | undefined },
): boolean {
  if (known !== undefined) return known.byCells ?? false;
  const texts = [before, after].filter((text) => text !== undefined);
  return isNotebookPath(path) && texts.every((text) => parseNotebook(text) !== undefined);
}
