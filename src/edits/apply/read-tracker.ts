import type { Tool } from '../../agent/tool.ts';
import { decodeFile } from '../../files/file-text.ts';
import { locatePlace } from '../../files/path-guard.ts';
import { type Files, type Place, placeKey, readSmallFile, type Workspace } from '../../files/workspace.ts';
import { maxEditedBytes } from './current-file.ts';
import { diffLineHunks } from './line-diff.ts';

/** Lines count from 1, and both ends are included. */
export interface SeenLines {
  first: number;
  last: number;
}

/**
 * Keeps what the model knows of each file: the text that it last read or wrote, and for each line the call that
 * showed or wrote it. What others change in between is unknown, and so is the line beside which others took one away.
 * There is one tracker per conversation, in memory: after a reload every file counts as unread.
 */
export interface ReadTracker {
  /** `text` is the whole text of the file; without `seen`, all of it was shown. */
  noteRead(place: Place, text: string, callId: string, seen?: SeenLines): void;
  /** Records a write; the model need not know all of `before`, and knows nothing of what it has not seen afterwards. */
  noteWritten(place: Place, texts: { before: string; after: string }, callId: string): void;
  noteMoved(from: Place, to: Place): void;
  state(place: Place, text: string): 'same' | 'changed' | 'unread';
  /**
   * Returns the first line that the model has not seen as it is in `text`. A line counts only while the call that
   * showed it is in what the model is sent.
   */
  firstUnseen(place: Place, text: string, isShown: (callId: string) => boolean): number | undefined;
}

/** `calls` has an entry for each line: the call that showed or wrote it, or undefined. */
interface Known {
  lines: readonly string[];
  calls: readonly (string | undefined)[];
}

export function createReadTracker(): ReadTracker {
  const files = new Map<string, Known>();
  const knownOf = (place: Place, lines: readonly string[]) => carried(files.get(placeKey(place)), lines);
  return {
    noteRead(place, text, callId, seen) {
      const lines = linesOf(text);
      const { first, last } = seen ?? { first: 1, last: lines.length };
      const calls = knownOf(place, lines).map((call, at) => (at + 1 >= first && at < last ? callId : call));
      files.set(placeKey(place), { lines, calls });
    },
    noteWritten(place, texts, callId) {
      const [before, after] = [linesOf(texts.before), linesOf(texts.after)];
      const calls: (string | undefined)[] = [...knownOf(place, before)];
      for (const hunk of diffLineHunks(before, after).toReversed())
        calls.splice(hunk.before.start, hunk.before.count, ...Array.from({ length: hunk.after.count }, () => callId));
      files.set(placeKey(place), { lines: after, calls });
    },
    noteMoved(from, to) {
      const before = files.get(placeKey(from));
      files.delete(placeKey(from));
      if (before !== undefined) files.set(placeKey(to), before);
    },
    state(place, text) {
      const before = files.get(placeKey(place));
      if (before === undefined) return 'unread';
      return before.lines.join('\n') === linesOf(text).join('\n') ? 'same' : 'changed';
    },
    firstUnseen(place, text, isShown) {
      const lines = linesOf(text);
      const at = knownOf(place, lines).findIndex((call, line) => {
        return (call === undefined || !isShown(call)) && lines[line]?.trim() !== '';
      });
      return at < 0 ? undefined : at + 1;
    },
  };
}

/**
 * Passes on what is known of the lines before a change that was not seen: for each of `lines`, the call that showed it,
 * or undefined where it changed.
 */
function carried(known: Known | undefined, lines: readonly string[]): (string | undefined)[] {
  if (known === undefined) return lines.map(() => undefined);
  const calls: (string | undefined)[] = [...known.calls];
  const hunks = diffLineHunks(known.lines, lines);
  for (const { before, after } of hunks.toReversed())
    calls.splice(before.start, before.count, ...Array.from({ length: after.count }, () => undefined));
  for (const { after } of hunks) {
    const beside = Math.min(after.start, calls.length - 1);
    if (after.count === 0 && beside >= 0) calls[beside] = undefined;
  }
  return calls;
}

function linesOf(text: string): string[] {
  // An editor shows a file with either line end.
  return text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
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
          const seen = await inspect(plan.meant === undefined ? args : { path: plan.meant }, workspace, files);
          const output = await plan.run();
          if (seen !== undefined) tracker.noteRead(seen.place, seen.text, context.callId, shownIn(output.forModel));
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

/** Returns undefined for what cannot be edited anyway. Never rejects, because the read itself reports what is wrong. */
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
