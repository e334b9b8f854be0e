import { createHash } from 'node:crypto';
import path from 'node:path';
import { classifyFile } from '../../files/file-class.ts';
import { realPlaceOf } from '../../files/path-guard.ts';
import type { Place, Workspace } from '../../files/workspace.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { writeOutInvisible } from '../../shared/invisible-signs.ts';
import { createBlobStore } from '../../storage/blob-store.ts';
import type { StorageFs } from '../../storage/storage-fs.ts';
import type { EditJournal } from '../apply/edit-ports.ts';
import { type ChangedFile, changedFiles, type Manifest, openManifest } from './checkpoint-manifest.ts';
import { dropOldBlobs } from './checkpoint-space.ts';
import { joinTwins, type TwinFile } from './checkpoint-twins.ts';

/** Reads and writes the editor and the disk together: bytes of any kind, unsaved changes included. */
export interface CheckpointFiles {
  read(place: Place): Promise<Uint8Array | undefined>;
  named(place: Place): Promise<Place | undefined>;
  missingFolders(place: Place): Promise<readonly string[]>;
  /** Writes all files, as one step for Undo where the editor can. Resolves with those that could not be written. */
  put(changes: readonly PutBack[]): Promise<readonly Place[]>;
}

export interface PutBack {
  place: Place;
  bytes: Uint8Array | undefined;
  /** These folders were made for this file, as paths in its root, and are removed with it when they are empty. */
  madeFolders: readonly string[];
  renamedFrom?: Place;
}

/**
 * `ready` means as the turn left it, `same` as it was before the turn already, and `changed` that somebody changed it
 * since. `lost` means that its old bytes were dropped for space, that what was written about it can't be read, that its folder
 * is not open, or that something other than a file is there. A new file with the content of a lost one is lost too, because it may be the only copy.
 */
export interface CheckpointFile {
  path: string;
  state: 'ready' | 'same' | 'changed' | 'lost';
  wasAbsent: boolean;
}

export type RestoreChoice = 'all' | 'unchanged' | 'cancel' | readonly CheckpointFile[];

export interface RestoreResult {
  restored: readonly string[];
  left: readonly string[];
  /** This is a turn id like any other, and restoring it undoes this restore. It is absent when nothing was restored. */
  undoId?: string;
}

export interface Checkpoints {
  /**
   * Returns the journal for the edit tools of one conversation. `onTaken` is called for each newly touched file of a
   * turn, with all files so far.
   */
  journal(onTaken: (event: Extract<DurableEvent, { type: 'checkpointTaken' }>) => void): EditJournal;
  /**
   * Puts files back as they were before the first of the turns, which must be given with all later ones of its conversation, in
   * order. It asks first, with every file and what would happen; changed files are touched only on `all` or when they were
   * chosen. Files that no turn touched are never read. `told` are the paths that the conversation names.
   */
  restore(
    turnIds: readonly string[],
    confirm: (files: readonly CheckpointFile[]) => Promise<RestoreChoice>,
    told?: readonly string[],
  ): Promise<RestoreResult>;
  /**
   * Runs a change by which the user decides on edits (Undo). Files that were as a turn left them count as left like
   * that afterwards too, so that restoring does not take our own write for the user's.
   */
  follow<T>(places: readonly Place[], change: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface CheckpointDeps {
  dir: string;
  workspace: Workspace;
  shown(place: Place): string;
  files: CheckpointFiles;
  clock: { epochMs(): number };
  newId(): string;
  fs?: StorageFs;
  maxBytes?: number;
}

export const defaultMaxBytes = 200 * 1024 * 1024;

export function createCheckpoints(deps: CheckpointDeps): Checkpoints {
  const log = openManifest(path.join(deps.dir, 'manifest.jsonl'), deps.fs);
  const keeper = createKeeper(deps, log);
  const inTurns = async (turnIds: readonly string[]) => {
    const entries = changedFiles(await log.inTurns(turnIds));
    return joinTwins(entries, (entry) => {
      const place = rootedPlace(deps.workspace, entry);
      return place && deps.files.named(place).catch(() => undefined);
    });
  };

  async function inspectFile(entry: TwinFile): Promise<Inspection> {
    const wasAbsent = entry.before === null;
    const place = entry.name === undefined ? await placeOf(deps.workspace, entry) : rootedPlace(deps.workspace, entry);
    const isRenamed = entry.name !== undefined && entry.name.path !== entry.path;
    const state = (value: CheckpointFile['state']): CheckpointFile => ({
      path: writeOutInvisible(entry.shown),
      state: value,
      wasAbsent,
    });
    const isKept = wasAbsent || (await keeper.has(entry.before ?? ''));
    if (place === undefined || !isKept) return { file: state('lost') };
    let current: Uint8Array | undefined;
    try {
      current = await deps.files.read(place);
    } catch {
      // A folder by now, or closed to us: the others can be restored nevertheless.
      return { file: state('lost') };
    }
    const hash = current === undefined ? null : hashOf(current);
    const found = {
      place,
      ...(current !== undefined && { current }),
      ...(isRenamed && { renamedFrom: entry.name }),
    };
    if (hash === entry.beforeHash && !isRenamed) return { file: state('same'), ...found };
    return { file: state(hash === entry.after ? 'ready' : 'changed'), ...found };
  }

  async function inspect(entries: readonly TwinFile[]) {
    const inspections = await Promise.all(entries.map(async (entry) => ({ entry, ...(await inspectFile(entry)) })));
    const lost = new Set(inspections.flatMap(({ entry, file }) => (file.state === 'lost' ? [entry.beforeHash] : [])));
    return inspections.map((one): Inspection & { entry: TwinFile } =>
      one.file.wasAbsent && one.current !== undefined && lost.has(hashOf(one.current))
        ? { entry: one.entry, file: { ...one.file, state: 'lost' } }
        : one,
    );
  }

  return {
    journal: (onTaken) => keeper.journal(onTaken),
    async restore(turnIds, confirm, told = []) {
      const entries = await inTurns(turnIds);
      const known = new Set(entries.map((entry) => entry.shown));
      const unknown = [...new Set(told)].filter((name) => !known.has(name));
      const shown = [
        ...(await inspect(entries)).map(({ file }) => file),
        ...unknown.map((name): CheckpointFile => ({ path: writeOutInvisible(name), state: 'lost', wasAbsent: false })),
      ];
      if (shown.length === 0) return { restored: [], left: [] };
      const answer = await confirm(shown);
      if (answer === 'cancel') return { restored: [], left: [] };
      // The question took time: read again, because what changed meanwhile was not agreed to.
      const inspections = await inspect(entries);
      const changes = inspections.flatMap(({ entry, file, place, current, renamedFrom }, at) => {
        const was = shown[at];
        const chosen = answer === 'all' || (answer !== 'unchanged' && was !== undefined && answer.includes(was));
        const agreed =
          file.state === 'ready'
            ? chosen || answer === 'unchanged'
            : file.state === 'changed' && chosen && was?.state === 'changed';
        return place !== undefined && agreed ? [{ entry, file, place, current, renamedFrom }] : [];
      });
      const undoing = changes.length === 0 ? undefined : await keeper.putBack(changes, turnIds);
      const done = changes.filter(({ place }) => undoing?.failed.includes(place) === false);
      const left = inspections.filter(
        ({ entry, file }) => file.state !== 'same' && !done.some((one) => one.entry === entry),
      );
      return {
        restored: done.map(({ file }) => file.path),
        left: [...left.map(({ file }) => file.path), ...unknown.map(writeOutInvisible)],
        ...(undoing === undefined || done.length === 0 ? {} : { undoId: undoing.undoId }),
      };
    },
    async follow(places, change) {
      const ours = await keeper.asLeft(places);
      const result = await change();
      await keeper.left(ours);
      return result;
    },
    close: () => log.close(),
  };
}

interface Inspection {
  file: CheckpointFile;
  place?: Place;
  current?: Uint8Array;
  renamedFrom?: Place | undefined;
}

function rootedPlace(workspace: Workspace, { root: uri, path: relative }: ChangedFile): Place | undefined {
  const root = workspace.roots().find((candidate) => candidate.uri === uri);
  return root === undefined || classifyFile(relative).kind === 'denied' ? undefined : { root, path: relative };
}

async function placeOf(workspace: Workspace, entry: ChangedFile): Promise<Place | undefined> {
  const place = rootedPlace(workspace, entry);
  if (place === undefined) return undefined;
  // Behind a link by now, or not resolvable: not the file that was changed then.
  const real = await realPlaceOf(place).catch(() => undefined);
  return real?.path === place.path ? place : undefined;
}

function createKeeper(deps: CheckpointDeps, log: Manifest) {
  const blobsDir = path.join(deps.dir, 'blobs');
  const blobs = createBlobStore(blobsDir, deps.fs);
  const maxBytes = deps.maxBytes ?? defaultMaxBytes;
  let unswept = Number.POSITIVE_INFINITY;
  const touched = new Map<string, Set<string>>();

  async function keep(bytes: Uint8Array): Promise<string> {
    unswept += bytes.length;
    if (unswept > maxBytes / 16) {
      unswept = 0;
      await dropOldBlobs(blobsDir, await log.all(), maxBytes, deps.clock.epochMs());
    }
    return blobs.put(toBlob(bytes));
  }

  async function bytesOf(blob: string): Promise<Uint8Array> {
    const text = await blobs.get(blob);
    if (text === undefined) throw new Error('The old bytes of a file are gone.');
    return fromBlob(text);
  }

  function journal(
    onTaken: (event: Extract<DurableEvent, { type: 'checkpointTaken' }>) => void,
    of?: readonly string[],
  ): EditJournal {
    return {
      async willChange(turnId, place, before) {
        const paths = touched.get(turnId) ?? new Set();
        touched.set(turnId, paths);
        const shown = deps.shown(place);
        if (paths.has(shown)) return;
        const blob = before === undefined ? null : await keep(before);
        const beforeHash = before === undefined ? null : hashOf(before);
        const at = deps.clock.epochMs();
        const madeFolders = before === undefined ? await deps.files.missingFolders(place) : [];
        const line = {
          type: 'before',
          turnId,
          root: place.root.uri,
          path: place.path,
          shown,
          blob,
          hash: beforeHash,
          at,
          ...(madeFolders.length > 0 && { madeFolders }),
          ...(of && { of }),
        };
        // On the disk before anything is written: a crash in between must find the old bytes.
        await log.append(line, { sync: true });
        paths.add(shown);
        onTaken({ type: 'checkpointTaken', turnId, checkpointId: turnId, paths: [...paths] });
      },
      async didChange(turnId, place, after) {
        const hash = after === undefined ? null : hashOf(after);
        await log.append({ type: 'after', turnId, root: place.root.uri, path: place.path, hash });
      },
    };
  }

  async function putBack(
    changes: readonly (Omit<Inspection, 'file' | 'place'> & { entry: ChangedFile; place: Place })[],
    turnIds: readonly string[],
  ): Promise<{ undoId: string; failed: readonly Place[] }> {
    const undoId = `restore-${deps.newId()}`;
    const own = journal(() => undefined, turnIds);
    const wanted = await Promise.all(
      changes.map(async ({ entry, place, renamedFrom }) => ({
        place,
        bytes: entry.before === null ? undefined : await bytesOf(entry.before),
        madeFolders: entry.madeFolders,
        renamedFrom,
      })),
    );
    for (const { place, current, renamedFrom } of changes) {
      if (renamedFrom) await own.willChange(undoId, renamedFrom, current);
      await own.willChange(undoId, place, renamedFrom ? undefined : current);
    }
    const failed = await deps.files.put(wanted);
    const done = wanted.filter(({ place }) => !failed.includes(place));
    for (const { place, bytes, renamedFrom } of done) {
      if (renamedFrom) await own.didChange(undoId, renamedFrom, undefined);
      await own.didChange(undoId, place, bytes);
    }
    return { undoId, failed };
  }

  async function asLeft(places: readonly Place[]): Promise<LeftFile[]> {
    const found = places.map(async (place): Promise<LeftFile[]> => {
      const line = await log.last(place.root.uri, place.path);
      if (line?.type !== 'after' || (await hashAt(place)) !== line.hash) return [];
      return [{ place, turnId: line.turnId }];
    });
    return (await Promise.all(found)).flat();
  }

  async function left(files: readonly LeftFile[]): Promise<void> {
    for (const { place, turnId } of files) {
      const hash = await hashAt(place);
      await log.append({ type: 'after', turnId, root: place.root.uri, path: place.path, hash });
    }
  }

  async function hashAt(place: Place): Promise<string | null> {
    const bytes = await deps.files.read(place);
    return bytes === undefined ? null : hashOf(bytes);
  }

  return { journal, putBack, asLeft, left, has: async (blob: string) => (await blobs.get(blob)) !== undefined };
}

interface LeftFile {
  place: Place;
  turnId: string;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function toBlob(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer) ? `u${text}` : `b${buffer.toString('base64')}`;
}

function fromBlob(blob: string): Uint8Array {
  return Buffer.from(blob.slice(1), blob.startsWith('u') ? 'utf8' : 'base64');
}
