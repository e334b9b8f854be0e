import * as nodeFs from 'node:fs/promises';
import * as z from 'zod/mini';
import { createSerial } from '../base/serial.ts';
import { isMissing } from './storage-fs.ts';
import { writeAtomically } from './write-atomically.ts';

export interface StateFileDeps {
  file: string | undefined;
  onError(error: unknown): void;
  // It is called when some rows, or the whole file, could not be read.
  onPartial?(): void;
}

/** Rows that must survive a reload, in one file that is moved into place whole. No rows, no file. */
export interface StateFile<T> extends Pick<StateFileDeps, 'onError'> {
  stored: readonly T[];
  follow(rows: () => readonly object[]): StateFileSaver;
}

export interface StateFileSaver {
  schedule(): void;
  flush(): Promise<void>;
}

const saveDelayMs = 500;
const version = 1;
const versioned = z.object({ v: z.literal(version) });

/**
 * Keeps a row of a later version, or one that came to harm, as it is in the file. A file that is no list is put aside
 * as `.damaged`.
 */
export async function openStateFile<T>(
  { file, onError, onPartial }: StateFileDeps,
  schema: z.ZodMiniType<T>,
): Promise<StateFile<T>> {
  const all = await readRows(file, onError);
  const stored: T[] = [];
  const unread: unknown[] = [];
  for (const row of all ?? []) {
    const parsed = versioned.safeParse(row).success ? schema.safeParse(row) : undefined;
    if (parsed?.success) stored.push(parsed.data);
    else unread.push(row);
  }
  if (unread.length > 0) onError(new Error(`${unread.length} rows of ${file} could not be read and stay as they are.`));
  if (all === undefined || unread.length > 0) onPartial?.();
  return {
    stored,
    onError,
    follow(rows) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const enqueue = createSerial();
      const save = async (): Promise<void> => {
        if (file === undefined) return;
        const current = [...unread, ...rows().map((row) => ({ v: version, ...row }))];
        if (current.length === 0) return nodeFs.rm(file, { force: true });
        await writeAtomically(file, JSON.stringify(current), nodeFs);
      };
      const flush = (): Promise<void> => {
        clearTimeout(timer);
        timer = undefined;
        return enqueue(save);
      };
      return {
        flush,
        schedule() {
          timer ??= setTimeout(() => flush().catch(onError), saveDelayMs);
        },
      };
    },
  };
}

async function readRows(file: string | undefined, onError: StateFileDeps['onError']): Promise<unknown[] | undefined> {
  if (file === undefined) return [];
  try {
    return z.array(z.unknown()).parse(JSON.parse(await nodeFs.readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return [];
    onError(error);
    // The next save would write over it.
    await nodeFs.rename(file, `${file}.damaged`).catch(onError);
    return undefined;
  }
}
