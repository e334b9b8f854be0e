import { ToolError } from '../agent/tool.ts';
import { readableText } from './decode-text.ts';
import { type Files, gather, type Place, type Workspace } from './workspace.ts';

/**
 * `text` means that it is no text, `small` that it is larger than `max`, and `readable` that the system or the editor
 * refuses.
 */
export type TextRead =
  | { text: string; unsaved: boolean }
  | { text?: undefined; not: 'there' | 'a-file' | 'small' | 'text' | 'readable' };

export interface TextReader {
  workspace: Pick<Workspace, 'unsavedText' | 'codec'>;
  files: Pick<Files, 'stat' | 'read'>;
}

/**
 * Reads a file as the user sees it: with the unsaved changes of its document, else at most `max` bytes from disk. It
 * must not be written back; `current-file.ts` knows every byte. `checked` is the path that was judged to be readable:
 * nothing is read when the place leads to another one by now.
 */
export async function readText(
  { workspace, files }: TextReader,
  place: Place,
  { max, checked }: { max: number; checked: string | undefined },
): Promise<TextRead> {
  const unsaved = workspace.unsavedText(place);
  if (unsaved !== undefined) return { text: unsaved, unsaved: true };
  try {
    const stat = await files.stat(place);
    if (stat === undefined) return { not: 'there' };
    if (stat.kind !== 'file') return { not: 'a-file' };
    if (stat.sizeBytes > max) return { not: 'small' };
    const bytes = await gather(files.read(place, checked), max);
    if (bytes === undefined) return { not: 'small' };
    const text = await readableText(workspace.codec, place, bytes);
    return text === undefined || text.includes('\0') ? { not: 'text' } : { text, unsaved: false };
  } catch (error) {
    if (error instanceof ToolError) return { not: 'readable' };
    throw error;
  }
}
