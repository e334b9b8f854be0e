import { maxEditedBytes } from './current-file.ts';
import { decodeFile } from './file-text.ts';
import { locatePlace } from './path-guard.ts';
import { type Files, type Place, readSmallFile, type Workspace } from './workspace.ts';

/** Undefined for what could not be edited anyway. Never rejects: the reading itself says what is wrong. */
export async function lookAt(
  args: unknown,
  workspace: Workspace,
  files: Files,
): Promise<{ place: Place; text: string } | undefined> {
  if (typeof args !== 'object' || args === null || !('path' in args) || typeof args.path !== 'string') return undefined;
  try {
    const { real: place } = await locatePlace(workspace, args.path);
    const unsaved = workspace.unsavedText(place);
    if (unsaved !== undefined) return { place, text: unsaved };
    const bytes = await readSmallFile(files, place, maxEditedBytes);
    const decoded = bytes && (await decodeFile(workspace.codec, place, bytes));
    return decoded?.ok ? { place, text: decoded.file.text } : undefined;
  } catch {
    // Outside the workspace, unreadable or gone: there is nothing to know, and `read_file` gives the reason.
    return undefined;
  }
}
