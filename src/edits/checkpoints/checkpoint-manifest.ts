import * as z from 'zod/mini';

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
    /** On the record of a restore, these are the turns that it undid. */
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
