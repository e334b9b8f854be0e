import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EditJournal } from '../edit/edit-ports.ts';
import { isSecretPath } from '../files/file-class.ts';
import { ignoreRulesUnder } from '../files/ignore-rules.ts';
import type { Files, Place, Workspace } from '../files/workspace.ts';
import { walk } from '../search/walk-search.ts';

export interface SnapshotDeps {
  workspace: Workspace;
  files: Files;
  /** For copies of this window; emptied at the start and removed at the end. */
  dir: string;
  maxFileBytes?: number;
  maxBytes?: number;
  maxFiles?: number;
}

/** What stands in the files of the workspace around commands that run unasked, so that their turn can be taken back. */
export interface CommandSnapshots {
  /** Keeps what has changed since the last look. */
  before(signal: AbortSignal): Promise<void>;
  /** Tells the journal of all that has changed since `before`. */
  after(turnId: string, journal: EditJournal): Promise<void>;
  dispose(): Promise<void>;
}

interface KnownFile {
  place: Place;
  /** The same for as long as nobody has written it. */
  signature: string;
  /** The name of its copy; absent for what is too large to be kept. */
  copy?: string;
}

/** Files that are looked at side by side. */
const atOnce = 64;

const defaults = { maxFileBytes: 1024 * 1024, maxBytes: 64 * 1024 * 1024, maxFiles: 20_000 };

/**
 * Copies of the files that are not ignored, small ones up to a bound. Git's objects would cost less room, but then git would
 * have to be run, and to be there; and what was never added is just what nobody else has.
 */
export function createCommandSnapshots(deps: SnapshotDeps): CommandSnapshots {
  const { maxFileBytes, maxBytes, maxFiles } = { ...defaults, ...deps };
  let known = new Map<string, KnownFile>();
  let keptBytes = 0;
  let nextCopy = 0;
  let made: Promise<unknown> | undefined;

  const look = async (signal: AbortSignal, visit: (place: Place, file: string, key: string) => Promise<void>) => {
    let count = 0;
    let batch: Promise<void>[] = [];
    for (const root of deps.workspace.roots()) {
      if (root.fsPath === undefined) continue;
      const top: Place = { root, path: '' };
      const rules = await ignoreRulesUnder(deps.files, top, []);
      for await (const place of walk(deps.files, rules, top, signal)) {
        // Commands see none of what is in these.
        if (isSecretPath(place.path)) continue;
        if (count++ >= maxFiles) break;
        batch.push(visit(place, path.join(root.fsPath, place.path), `${root.uri}\0${place.path}`));
        if (batch.length < atOnce) continue;
        await Promise.all(batch);
        batch = [];
      }
    }
    await Promise.all(batch);
  };
  const keep = async (file: string, sizeBytes: number): Promise<string | undefined> => {
    if (sizeBytes > maxFileBytes || keptBytes + sizeBytes > maxBytes) return undefined;
    keptBytes += sizeBytes;
    const copy = path.join(deps.dir, String(nextCopy++));
    const isKept = await copyFile(file, copy, constants.COPYFILE_FICLONE).then(
      () => true,
      () => false,
    );
    if (!isKept) keptBytes -= sizeBytes;
    return isKept ? copy : undefined;
  };
  const forget = async ({ copy }: KnownFile) => {
    if (copy === undefined) return;
    keptBytes -= (await lstat(copy).catch(() => undefined))?.size ?? 0;
    await rm(copy, { force: true });
  };

  return {
    async before(signal) {
      made ??= rm(deps.dir, { recursive: true, force: true }).then(() =>
        mkdir(deps.dir, { recursive: true, mode: 0o700 }),
      );
      await made;
      const next = new Map<string, KnownFile>();
      await look(signal, async (place, file, key) => {
        const found = await signatureOf(file);
        if (found === undefined) return;
        const last = known.get(key);
        if (last?.signature === found.signature) {
          next.set(key, last);
          return;
        }
        if (last !== undefined) await forget(last);
        const copy = await keep(file, found.sizeBytes);
        next.set(key, { place, signature: found.signature, ...(copy && { copy }) });
      });
      for (const [key, file] of known) if (!next.has(key)) await forget(file);
      known = next;
    },
    async after(turnId, journal) {
      const seen = new Set<string>();
      const tell = async (place: Place, before: Uint8Array | undefined, after: Uint8Array | undefined) => {
        await journal.willChange(turnId, place, before);
        await journal.didChange(turnId, place, after);
      };
      const changes: Parameters<typeof tell>[] = [];
      await look(new AbortController().signal, async (place, file, key) => {
        seen.add(key);
        const last = known.get(key);
        const found = await signatureOf(file);
        if (found === undefined || found.signature === last?.signature) return;
        if (last !== undefined && last.copy === undefined) return;
        const before = last?.copy === undefined ? undefined : await readFile(last.copy);
        const after = found.sizeBytes > maxFileBytes ? undefined : await readFile(file).catch(() => undefined);
        // A file that is too large to be compared later is left alone by restoring, as one that somebody changed.
        if (after === undefined || (before !== undefined && Buffer.compare(before, after) === 0)) return;
        changes.push([place, before, after]);
      });
      for (const change of changes) await tell(...change);
      for (const [key, { place, copy }] of known) {
        if (!seen.has(key) && copy !== undefined) await tell(place, await readFile(copy), undefined);
      }
    },
    async dispose() {
      await rm(deps.dir, { recursive: true, force: true });
    },
  };
}

async function signatureOf(file: string): Promise<{ signature: string; sizeBytes: number } | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { ino, size, mtimeNs, ctimeNs } = found;
  return { signature: [ino, size, mtimeNs, ctimeNs].join(' '), sizeBytes: Number(size) };
}
