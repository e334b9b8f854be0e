import { createHash } from 'node:crypto';
import { decodeFile, encodeFile } from '../../files/file-text.ts';
import { displayPath, type Files, gather, type Place, placeKey, type Workspace } from '../../files/workspace.ts';
import type { ChangesSinceTurn } from '../../shared/events.ts';
import { maxDeletedBytes } from './current-file.ts';
import type { EditJournal } from './edit-ports.ts';

export interface WrittenFiles {
  follow(journal: EditJournal): EditJournal;
  /** Returns files that differ from how the tools left them, whoever changed them: Undo, Restore, typing, a program. */
  peek(): Promise<ChangesSinceTurn | undefined>;
  take(): Promise<ChangesSinceTurn | undefined>;
}

interface Written {
  place: Place;
  turnId: string;
  before: string | undefined;
  after: string | undefined;
  /** Holds the `after` that was reported as taken back; from then on only its return is reported. */
  takenBack?: string | undefined;
}

export function createWrittenFiles({ workspace, files }: { workspace: Workspace; files: Files }): WrittenFiles {
  const written = new Map<string, Written>();
  const beforeWrite = new Map<string, string | undefined>();
  const changesNow = async (found: (one: Written, now: string | undefined) => void) => {
    const undone: string[] = [];
    const changed: string[] = [];
    // All at once: in a virtual workspace each read takes time, and the message waits for them.
    const looks = [...written.values()].map(async (one) => ({ one, now: await hashNow(one.place, workspace, files) }));
    for (const { one, now } of await Promise.all(looks)) {
      if (now === 'unknown' || now === one.after || ('takenBack' in one && now !== one.takenBack)) continue;
      (now === one.before ? undone : changed).push(displayPath(workspace, one.place));
      found(one, now);
    }
    return undone.length + changed.length === 0 ? undefined : { undone, changed };
  };
  return {
    follow: (journal) => ({
      async willChange(turnId, place, before) {
        await journal.willChange(turnId, place, before);
        beforeWrite.set(placeKey(place), hashOf(before));
      },
      async didChange(turnId, place, after) {
        await journal.didChange(turnId, place, after);
        const key = placeKey(place);
        const known = written.get(key);
        // A turn is what is taken back, whatever was kept of those before it.
        const before = known?.turnId === turnId ? known.before : beforeWrite.get(key);
        written.set(key, { place, turnId, before, after: hashOf(after) });
      },
    }),
    peek: () => changesNow(() => undefined),
    take: () =>
      changesNow((one, now) => {
        if (now === one.before) one.takenBack = one.after;
        else delete one.takenBack;
        one.after = now;
      }),
  };
}

function hashOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && createHash('sha256').update(bytes).digest('base64');
}

/** Hashes what would be on disk, with unsaved changes. Never rejects: what cannot be read is not reported. */
async function hashNow(place: Place, workspace: Workspace, files: Files): Promise<string | undefined> {
  try {
    const stat = await files.stat(place);
    if (stat === undefined) return undefined;
    // No tool wrote that.
    if (stat.kind !== 'file' || stat.sizeBytes > maxDeletedBytes) return 'other';
    const bytes = await gather(files.read(place), maxDeletedBytes);
    if (bytes === undefined) return 'other';
    const unsaved = workspace.unsavedText(place);
    const decoded = unsaved === undefined ? undefined : await decodeFile(workspace.codec, place, bytes);
    return hashOf(decoded?.ok ? await encodeFile(workspace.codec, unsaved ?? '', decoded.file) : bytes);
  } catch {
    return 'unknown';
  }
}
