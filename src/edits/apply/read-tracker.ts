import { createHash } from 'node:crypto';
import type { Tool } from '../../agent/tool.ts';
import { decodeFile } from '../../files/file-text.ts';
import { locatePlace } from '../../files/path-guard.ts';
import { type Files, type Place, readSmallFile, type Workspace } from '../../files/workspace.ts';
import { maxEditedBytes } from './current-file.ts';
import { lineCountOf } from './whole-text.ts';

/** Lines count from 1, and both ends are included. */
export interface SeenLines {
  first: number;
  last: number;
}

/**
 * Keeps for each file a hash of the text that the model last read or wrote, and the lines that it has seen. There is
 * one tracker per conversation, in memory: after a reload every file counts as unread.
 */
export interface ReadTracker {
  /** `text` is the whole text of the file; without `seen`, all of it was shown. */
  note(place: Place, text: string, seen?: SeenLines): void;
  /** Records an edit of a known text: what the model had not seen stays unseen. */
  noteEdited(place: Place, text: string): void;
  noteMoved(from: Place, to: Place): void;
  state(place: Place, text: string): 'same' | 'changed' | 'unread';
  firstUnseen(place: Place): number | undefined;
}

interface Known {
  hash: string;
  seen: readonly SeenLines[];
  unseen: number | undefined;
}

export function createReadTracker(): ReadTracker {
  const files = new Map<string, Known>();
  const learn = (place: Place, text: string, seen: readonly SeenLines[]) => {
    const [top] = seen;
    const next = top?.first === 1 ? top.last + 1 : 1;
    const unseen = next > lineCountOf(text) ? undefined : next;
    files.set(keyOf(place), { hash: hashOf(text), seen, unseen });
  };
  const all = (text: string): SeenLines => ({ first: 1, last: lineCountOf(text) });
  return {
    note(place, text, seen = all(text)) {
      const before = files.get(keyOf(place));
      learn(place, text, joined([...(before?.hash === hashOf(text) ? before.seen : []), seen]));
    },
    noteEdited(place, text) {
      const before = files.get(keyOf(place));
      learn(place, text, before !== undefined && before.unseen === undefined ? [all(text)] : []);
    },
    noteMoved(from, to) {
      const before = files.get(keyOf(from));
      if (before === undefined) return;
      files.delete(keyOf(from));
      files.set(keyOf(to), before);
    },
    state(place, text) {
      const before = files.get(keyOf(place));
      if (before === undefined) return 'unread';
      return before.hash === hashOf(text) ? 'same' : 'changed';
    },
    firstUnseen: (place) => files.get(keyOf(place))?.unseen,
  };
}

function joined(seen: readonly SeenLines[]): SeenLines[] {
  const result: SeenLines[] = [];
  for (const { first, last } of seen.toSorted((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else result.push({ first, last });
  }
  return result;
}

function keyOf({ root, path }: Place): string {
  return JSON.stringify([root.uri, path]);
}

/** Line ends do not count, because an editor shows a file with either. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
}

/**
 * Wraps `read_file` so that it reports to the tracker. The text is hashed before the read, so that a change in
 * between makes the file count as changed and never as known.
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
          const seen = await inspect(args, workspace, files);
          const output = await plan.run();
          if (seen !== undefined) tracker.note(seen.place, seen.text, shownIn(output.forModel));
          return output;
        },
      };
    },
  };
}

function shownIn(forModel: string): SeenLines | undefined {
  const numbers = Array.from(forModel.matchAll(/^(\d+)\t/gm), ([, number]) => Number(number));
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/**
 * Returns undefined for what cannot be edited anyway. Never rejects, because the read itself reports what is wrong.
 */
export async function inspect(
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
