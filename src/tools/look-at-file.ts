import { decodeFile } from './file-text.ts';
import { locatePlace } from './path-guard.ts';
import type { Files, Place, Workspace } from './workspace.ts';

const maxTrackedBytes = 1024 * 1024;

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
    const stat = await files.stat(place);
    if (stat?.kind !== 'file' || stat.sizeBytes > maxTrackedBytes) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of files.read(place)) chunks.push(chunk);
    const decoded = decodeFile(Buffer.concat(chunks));
    return decoded.ok ? { place, text: decoded.file.text } : undefined;
  } catch {
    // Outside the workspace, unreadable or gone: there is nothing to know, and `read_file` gives the reason.
    return undefined;
  }
}
