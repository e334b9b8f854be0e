import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { readRegular } from '../../base/read-regular.ts';
import { removeTree } from '../../base/remove-tree.ts';
import type { ChangedFile, EditJournal } from '../../edits/apply/edit-ports.ts';
import { isSecretPath } from '../../files/file-class.ts';
import { type IgnoreRules, ignoreRulesUnder } from '../../files/ignore-rules.ts';
import { walk } from '../../files/search/walk-search.ts';
import type { Files, Place, Workspace, WorkspaceRoot } from '../../files/workspace.ts';

export interface SnapshotDeps {
  workspace: Workspace;
  files: Files;
  /** Holds the copies of this window. The folder is emptied at the start and removed at the end. */
  dir: string;
  maxFileBytes?: number;
  maxBytes?: number;
  maxFiles?: number;
  epochMs?(): number;
}

export interface WorkspaceSnapshot {
  files: ReadonlyMap<string, KnownFile>;
  /**
   * These are the rules from before the command, so that nothing a command writes into an ignore file hides its
   * changes.
   */
  rules: ReadonlyMap<WorkspaceRoot, IgnoreRules>;
  /**
   * Holds the time when the scan began, where there were too many files: a file that is older may have been missed by
   * it.
   */
  partialSinceMs?: number;
}

export interface CommandSnapshots {
  /**
   * Keeps what has changed since the last scan; rejects when the signal aborts. Commands may run side by side, each
   * between its own `before` and `after`.
   */
  before(signal: AbortSignal): Promise<WorkspaceSnapshot>;
  /**
   * Records in the journal everything that has changed since `before`, and resolves with it. It must be called once
   * for each `before`.
   */
  after(look: WorkspaceSnapshot, turnId: string, journal: EditJournal): Promise<ChangedFile[]>;
  dispose(): Promise<void>;
}

interface FoundFile {
  signature: string;
  identity: string;
  sizeBytes: number;
  bornMs: number;
}

interface KnownFile extends FoundFile {
  place: Place;
  file: string;
  copy?: string;
  uses: number;
}

const atOnce = 64;

const defaults = { maxFileBytes: 1024 * 1024, maxBytes: 64 * 1024 * 1024, maxFiles: 20_000, epochMs: Date.now };

/**
 * Copies the files that are not ignored, small ones up to a bound. Git's objects would need less room, but git would
 * have to be there and run; and files that were never added to git are the ones that nobody else has.
 */
export function createCommandSnapshots(deps: SnapshotDeps): CommandSnapshots {
  const { maxFileBytes, maxBytes, maxFiles, epochMs } = { ...defaults, ...deps };
  let known = new Map<string, KnownFile>();
  let keptBytes = 0;
  let nextCopy = 0;
  let made: Promise<unknown> | undefined;

  const visitAll = async (
    rulesOf: ReadonlyMap<WorkspaceRoot, IgnoreRules>,
    max: number,
    visit: (place: Place, file: string, key: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> => {
    let count = 0;
    const visiting = createBatch();
    for (const [root, rules] of rulesOf) {
      for await (const place of walk(deps.files, rules, { root, path: '' }, signal)) {
        // Commands see none of what is in these.
        if (isSecretPath(place.path)) continue;
        if (count++ >= max) break;
        await visiting.add(visit(place, path.join(root.fsPath ?? '', place.path), `${root.uri}\0${place.path}`));
      }
    }
    await visiting.end();
    return count <= max;
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
  const drop = async ({ copy }: KnownFile) => {
    if (copy === undefined) return;
    keptBytes -= (await lstat(copy).catch(() => undefined))?.size ?? 0;
    await rm(copy, { force: true });
  };
  const release = async (file: KnownFile) => {
    file.uses--;
    if (file.uses === 0) await drop(file);
  };

  return {
    async before(signal) {
      made ??= removeTree(deps.dir).then(() => mkdir(deps.dir, { recursive: true, mode: 0o700 }));
      await made;
      const startedMs = epochMs();
      const rules = new Map<WorkspaceRoot, IgnoreRules>();
      for (const root of deps.workspace.roots()) {
        if (root.fsPath !== undefined) rules.set(root, await ignoreRulesUnder(deps.files, { root, path: '' }, []));
      }
      const next = new Map<string, KnownFile>();
      const isWhole = await visitAll(
        rules,
        maxFiles,
        async (place, file, key) => {
          const found = await readFound(file);
          if (found === undefined) return;
          const last = known.get(key);
          if (last?.signature === found.signature) {
            next.set(key, last);
            return;
          }
          const copy = await keep(file, found.sizeBytes);
          next.set(key, { ...found, place, file, uses: 0, ...(copy && { copy }) });
        },
        signal,
      );
      if (signal.aborted) {
        // Everything that was not read would count as new afterwards.
        for (const [key, file] of next) if (known.get(key) !== file) await drop(file);
        throw signal.reason;
      }
      // One use is for the next scan, the other for the caller of this one.
      for (const file of next.values()) file.uses += 2;
      const last = known;
      known = next;
      for (const file of last.values()) await release(file);
      return { files: next, rules, ...(!isWhole && { partialSinceMs: startedMs }) };
    },
    async after({ files, rules, partialSinceMs }, turnId, journal) {
      const changes: ChangedFile[] = [];
      const looking = createBatch();
      const folderOf = createRealFolders();
      for (const { place, file, signature, copy } of files.values()) {
        if (copy === undefined) continue;
        const look = async () => {
          // What is behind a link by now is another file.
          const found = (await folderOf(place)) ? await readFound(file) : undefined;
          if (found?.signature === signature) return;
          const before = await readFile(copy);
          const after = found && (await readRegular(file, maxBytes).catch(() => undefined));
          if (after === undefined || Buffer.compare(before, after) !== 0) changes.push([place, before, after]);
        };
        await looking.add(look());
      }
      await looking.end();
      const unkept = new Set([...files.values()].flatMap(({ copy, identity }) => (copy === undefined ? identity : [])));
      const isNew = (found: FoundFile) =>
        // Nobody could give back what it was called before.
        !unkept.has(found.identity) &&
        (partialSinceMs === undefined || found.bornMs === 0 || found.bornMs >= partialSinceMs);
      await visitAll(
        rules,
        2 * maxFiles,
        async (place, file, key) => {
          if (files.has(key)) return;
          const found = await readFound(file);
          // A file that is too large to be compared later is left alone by restoring.
          const after = found && isNew(found) && (await readRegular(file, maxFileBytes).catch(() => undefined));
          if (after) changes.push([place, undefined, after]);
        },
        new AbortController().signal,
      );
      for (const [place, before, after] of changes) {
        await journal.willChange(turnId, place, before);
        await journal.didChange(turnId, place, after);
      }
      for (const file of files.values()) await release(file);
      return changes;
    },
    dispose: () => removeTree(deps.dir),
  };
}

function createBatch() {
  let batch: Promise<void>[] = [];
  const end = async () => {
    await Promise.all(batch);
    batch = [];
  };
  return {
    async add(work: Promise<void>) {
      batch.push(work);
      if (batch.length >= atOnce) await end();
    },
    end,
  };
}

function createRealFolders(): (place: Place) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async ({ root, path: relative }) => {
    const folder = path.posix.dirname(relative);
    const key = `${root.uri}\0${folder}`;
    const top = root.fsPath ?? '';
    const look = async () => {
      try {
        return (await realpath(path.join(top, folder))) === path.join(await realpath(top), folder);
      } catch {
        return false;
      }
    };
    const found = known.get(key) ?? look();
    known.set(key, found);
    return found;
  };
}

async function readFound(file: string): Promise<FoundFile | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs, birthtimeMs } = found;
  const identity = [dev, ino, size, mtimeNs].join(' ');
  return { signature: `${identity} ${ctimeNs}`, identity, sizeBytes: Number(size), bornMs: Number(birthtimeMs) };
}
