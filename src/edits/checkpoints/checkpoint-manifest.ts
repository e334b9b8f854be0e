import * as z from 'zod/mini';

const hash = z.nullable(z.string());
const manifestLine = z.discriminatedUnion('type', [
  /**
   * Before a turn changed a file for the first time. `blob` names the old bytes; both null: there was no file, and
   * `madeFolders` were not there either.
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
    /** On a restoring: the turns that were undone by it. */
    of: z.optional(z.array(z.string())),
  }),
  /** After each change; null: the file is gone. */
  z.object({ type: z.literal('after'), turnId: z.string(), root: z.string(), path: z.string(), hash }),
]);
export type ManifestLine = z.infer<typeof manifestLine>;

/** Leaves out what is no line of this version. */
export function parseManifest(records: readonly unknown[]): ManifestLine[] {
  return records.flatMap((record) => {
    const parsed = manifestLine.safeParse(record);
    return parsed.success ? [parsed.data] : [];
  });
}

/** One file over several turns. */
export interface ChangedFile {
  /** The workspace folder's address and the path in it. */
  root: string;
  path: string;
  shown: string;
  /** The blob with the bytes before the first turn, and the hash of these bytes; null: there was no file. */
  before: string | null;
  beforeHash: string | null;
  /** Made for the file, as paths in the same folder of the workspace. */
  madeFolders: readonly string[];
  /** Hash after the last change; null: gone; undefined: a crash came in between, nobody knows. */
  after: string | null | undefined;
}

/** Everything that the turns touched, in the order of the first touch. */
export function changedFiles(lines: readonly ManifestLine[], turnIds: readonly string[]): ChangedFile[] {
  const wanted = new Set(turnIds);
  const files = new Map<string, ChangedFile>();
  for (const line of lines) {
    if (!wanted.has(line.turnId)) continue;
    const key = JSON.stringify([line.root, line.path]);
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
