import * as z from 'zod/mini';
import { createSerial } from '../../base/serial.ts';
import { type AppendLog, openAppendLog } from '../../storage/append-log.ts';
import { readLog } from '../../storage/read-log.ts';
import type { StorageFs } from '../../storage/storage-fs.ts';

const hash = z.nullable(z.string());
const manifestLine = z.discriminatedUnion('type', [
  /**
   * This line is written before a turn changes a file for the first time. `blob` names the old bytes; when both
   * hashes are null, there was no file, and `madeFolders` did not exist either.
   */
  z.object({
    type: z.literal('before'),
    turnId: z.string(),
    root: z.string(),
    path: z.string(),
    shown: z.string(),
    blob: hash,
    hash,
    at: z.number(),
    madeFolders: z.optional(z.array(z.string())),
    /** The record of a restore lists here the turns that it undid. */
    of: z.optional(z.array(z.string())),
  }),
  z.object({ type: z.literal('after'), turnId: z.string(), root: z.string(), path: z.string(), hash }),
]);
export type ManifestLine = z.infer<typeof manifestLine>;

export function parseManifest(records: readonly unknown[]): ManifestLine[] {
  return records.flatMap((record) => {
    const parsed = manifestLine.safeParse(record);
    return parsed.success ? [parsed.data] : [];
  });
}

export interface Manifest extends Pick<AppendLog, 'append' | 'close'> {
  all(): Promise<readonly ManifestLine[]>;
  inTurns(turnIds: readonly string[]): Promise<readonly ManifestLine[]>;
  last(root: string, path: string): Promise<ManifestLine | undefined>;
}

/**
 * Opens the list of all changes in all conversations. It grows for years and is needed with every Keep, so it is read
 * once and from then on only where it has grown, here or in another window.
 */
export function openManifest(file: string, fs?: StorageFs): Manifest {
  const log = openAppendLog(file, { fs });
  const oneByOne = createSerial();
  const lines: ManifestLine[] = [];
  const byTurn = new Map<string, number[]>();
  const lastOf = new Map<string, ManifestLine>();
  let readTo = 0;
  const add = (line: ManifestLine) => {
    const at = lines.push(line) - 1;
    const ofTurn = byTurn.get(line.turnId);
    if (ofTurn) ofTurn.push(at);
    else byTurn.set(line.turnId, [at]);
    lastOf.set(fileKey(line.root, line.path), line);
  };
  const read = <T>(find: () => T) =>
    oneByOne(async () => {
      const onRecord = (record: unknown) => parseManifest([record]).forEach(add);
      ({ nextOffset: readTo } = await readLog(file, { fs, from: readTo, onRecord }));
      return find();
    });
  return {
    append: log.append,
    close: log.close,
    all: () => read(() => lines),
    inTurns: (turnIds) =>
      read(() => {
        const places = [...new Set(turnIds)].flatMap((id) => byTurn.get(id) ?? []);
        return places.sort((one, other) => one - other).flatMap((at) => lines[at] ?? []);
      }),
    last: (root, path) => read(() => lastOf.get(fileKey(root, path))),
  };
}

function fileKey(root: string, relative: string): string {
  return JSON.stringify([root, relative]);
}

/**
 * One file over several turns; a null `before` means that there was no file, and a null `after` that it is gone.
 * `after` is undefined when a crash came in between, so that nobody knows.
 */
export interface ChangedFile {
  root: string;
  path: string;
  shown: string;
  before: string | null;
  beforeHash: string | null;
  madeFolders: readonly string[];
  after: string | null | undefined;
}

export function changedFiles(lines: readonly ManifestLine[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const line of lines) {
    const key = fileKey(line.root, line.path);
    const known = files.get(key);
    if (line.type === 'after') {
      if (known !== undefined) known.after = line.hash;
    } else if (known === undefined) {
      const { root, path, shown, blob, hash: beforeHash, madeFolders = [] } = line;
      files.set(key, { root, path, shown, before: blob, beforeHash, madeFolders, after: undefined });
    } else {
      known.after = undefined;
    }
  }
  return [...files.values()];
}
