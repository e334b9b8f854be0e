import { createHash } from 'node:crypto';
import type { Tool } from '../../agent/tool.ts';
import { decodeFile } from '../../files/file-text.ts';
import { locatePlace } from '../../files/path-guard.ts';
import { type Files, type Place, readSmallFile, type Workspace } from '../../files/workspace.ts';
import { maxEditedBytes } from './current-file.ts';
import { lineCountOf } from './whole-text.ts';

/** Lines from 1, both included. */
export interface SeenLines {
  first: number;
  last: number;
}

/**
 * By file, a hash of the whole text at the time when the model last read or wrote it, and the lines of it that the model has seen. One per
 * conversation, in memory: after a reload everything counts as unread.
 */
export interface ReadTracker {
  /** `text` is the whole text of the file; `seen`: the lines that were shown, all when it is not given. */
  note(place: Place, text: string, seen?: SeenLines): void;
  /** An edit made `text` out of a text that was known: what was not seen of it is not seen now. */
  noteEdited(place: Place, text: string): void;
  /** As much is known of `to` as was of `from`. */
  noteMoved(from: Place, to: Place): void;
  state(place: Place, text: string): 'same' | 'changed' | 'unread';
  /** The first line that the model has not seen of a file that it knows; undefined when it has seen all. */
  firstUnseen(place: Place): number | undefined;
}

interface Known {
  hash: string;
  /** Ascending, apart from each other. */
  seen: readonly SeenLines[];
  /** The first line that was not seen; undefined when all were. */
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
          const seen = await inspect(args, workspace, files);
          const output = await plan.run();
          if (seen !== undefined) tracker.note(seen.place, seen.text, shownIn(output.forModel));
          return output;
        },
      };
    },
  };
}

/** By the numbers that `read_file` puts before the lines; all where it shows none, as of an empty file. */
function shownIn(forModel: string): SeenLines | undefined {
  const numbers = Array.from(forModel.matchAll(/^(\d+)\t/gm), ([, number]) => Number(number));
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Undefined for what could not be edited anyway. Never rejects: the reading itself says what is wrong. */
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
