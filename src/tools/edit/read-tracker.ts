import { createHash } from 'node:crypto';
import type { Tool } from '../../agent/tool.ts';
import { maxEditedBytes } from '../files/current-file.ts';
import { decodeFile } from '../files/file-text.ts';
import { locatePlace } from '../files/path-guard.ts';
import { type Files, type Place, readSmallFile, type Workspace } from '../files/workspace.ts';

/**
 * By file, a hash of the whole text at the time when the model last read or wrote it. One per conversation, in memory:
 * after a reload everything counts as unread.
 */
export interface ReadTracker {
  /** `text` is the whole text of the file, whatever part of it was shown. */
  note(place: Place, text: string): void;
  state(place: Place, text: string): 'same' | 'changed' | 'unread';
}

export function createReadTracker(): ReadTracker {
  const hashes = new Map<string, string>();
  return {
    note(place, text) {
      hashes.set(keyOf(place), hashOf(text));
    },
    state(place, text) {
      const known = hashes.get(keyOf(place));
      if (known === undefined) return 'unread';
      return known === hashOf(text) ? 'same' : 'changed';
    },
  };
}

function keyOf({ root, path }: Place): string {
  return JSON.stringify([root.uri, path]);
}

/** Line ends do not count: an editor shows one file with either. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
}

/**
 * `read_file` that tells the tracker. The text is looked at before the reading, so that a change in between makes the file
 * one that changed, never one that is known.
 */
export function trackReads(
  tool: Tool,
  { workspace, files, tracker }: { workspace: Workspace; files: Files; tracker: ReadTracker },
): Tool {
  return {
    ...tool,
    async plan(args, context) {
      const plan = await tool.plan(args, context);
      return {
        ...plan,
        async run() {
          const seen = await lookAt(args, workspace, files);
          const output = await plan.run();
          if (seen !== undefined) tracker.note(seen.place, seen.text);
          return output;
        },
      };
    },
  };
}

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
