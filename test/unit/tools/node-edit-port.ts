import { createHash } from 'node:crypto';
import { access, constants, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../../src/agent/tool.ts';
import type { EditJournal, EditMode, EditPort, EditReviewer, FileChange } from '../../../src/edits/apply/edit-ports.ts';
import type { EditToolDeps } from '../../../src/edits/apply/plan-write.ts';
import { createReadTracker, type SeenLines } from '../../../src/edits/apply/read-tracker.ts';
import { createTextWork } from '../../../src/edits/apply/text-work.ts';
import type { Codec } from '../../../src/files/codec.ts';
import { decodeFile, encodeFile } from '../../../src/files/file-text.ts';
import type { Place } from '../../../src/files/workspace.ts';
import { createEditTools } from '../../../src/tools/all-tools.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { openFolders } from './workspace.ts';

/** `EditPort` on the disk. `applied` lists what was done, in order. */
export function createNodeEditPort(codec: Codec): EditPort & { applied: FileChange[] } {
  const applied: FileChange[] = [];
  const textAt = async (place: Place): Promise<string | undefined> => {
    const file = fileOf(place);
    if (!(await exists(file))) return undefined;
    const decoded = await decodeFile(codec, place, await readFile(file));
    return decoded.ok ? decoded.file.text : undefined;
  };
  return {
    applied,
    async isWritable(place) {
      try {
        await access(fileOf(place), constants.W_OK);
        // The tests may run as root, who may write everything.
        return ((await lstat(fileOf(place))).mode & 0o222) !== 0;
      } catch {
        return false;
      }
    },
    async apply(change) {
      const file = fileOf(change.place);
      if (change.kind !== 'rename' && (await textAt(change.place)) !== change.before)
        throw new ToolError('changed in the port');
      applied.push(change);
      if (change.kind === 'delete') await rm(file);
      if (change.kind === 'rename') {
        await mkdir(path.dirname(fileOf(change.to)), { recursive: true });
        await rename(file, fileOf(change.to));
      }
      if (change.kind === 'write') {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, await encodeFile(codec, change.after, change.format));
      }
      return {};
    },
  };
}

function fileOf({ root, path: relative }: Place): string {
  return path.join(root.fsPath ?? '', relative);
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

export const textThread = new URL('../../../src/edits/apply/text-thread.ts', import.meta.url);

export interface JournalEntry {
  when: 'will' | 'did';
  turnId: string;
  path: string;
  hash: string | undefined;
}

export interface EditBench {
  deps: EditToolDeps;
  tools: ReturnType<typeof createEditTools>;
  port: ReturnType<typeof createNodeEditPort>;
  journal: JournalEntry[];
  /** The model has read this text, or some lines of it. */
  noteRead(relative: string, seen?: SeenLines): Promise<void>;
}

/** The edit tools on a real folder. */
export function createEditBench(
  folder: string,
  options: {
    mode?: EditMode;
    unsaved?: Record<string, string>;
    reviewer?: EditReviewer;
    isProtected?: (path: string) => boolean;
    trusted?: () => boolean;
    codec?: Codec;
    /** Between the keeping of the old bytes and the write. */
    onWillChange?: () => Promise<void>;
  } = {},
): EditBench {
  const { codec = createNodeCodec(), unsaved, trusted } = options;
  const { workspace, files, search } = openFolders({ ws: folder }, { unsaved, trusted, codec });
  const port = createNodeEditPort(codec);
  const entries: JournalEntry[] = [];
  const note = (when: 'will' | 'did', turnId: string, place: Place, bytes: Uint8Array | undefined) =>
    entries.push({ when, turnId, path: place.path, hash: bytes && createHash('sha256').update(bytes).digest('hex') });
  const journal: EditJournal = {
    async willChange(turnId, place, before) {
      note('will', turnId, place, before);
      await options.onWillChange?.();
    },
    async didChange(turnId, place, after) {
      note('did', turnId, place, after);
    },
  };
  const tracker = createReadTracker();
  const deps: EditToolDeps = {
    workspace,
    files,
    search,
    port,
    policy: { mode: () => options.mode ?? 'apply', isProtected: options.isProtected ?? (() => false) },
    reviewer: options.reviewer ?? { review: async () => Promise.reject(new Error('nothing to review')) },
    journal,
    tracker,
    work: createTextWork(textThread),
  };
  return {
    deps,
    tools: createEditTools(deps),
    port,
    journal: entries,
    async noteRead(relative, seen) {
      const [root] = workspace.roots();
      if (root === undefined) throw new Error('no root');
      const place = { root, path: relative };
      const decoded = await decodeFile(codec, place, await readFile(path.join(folder, relative)));
      if (decoded.ok) tracker.noteRead(place, decoded.file.text, 'read', seen);
    },
  };
}
