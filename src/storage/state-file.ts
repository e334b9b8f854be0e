import * as nodeFs from 'node:fs/promises';
import type * as z from 'zod/mini';
import { createSerial } from '../base/serial.ts';
import { isMissing } from './storage-fs.ts';
import { writeWhole } from './write-whole.ts';

export interface StateFileDeps {
  file: string | undefined;
  onError(error: unknown): void;
}

/**
 * Resolves to an empty list when the file is missing or cannot be read; in the latter case it is put aside as
 * `.damaged`.
 */
export async function readStateFile<T>(
  { file, onError }: StateFileDeps,
  schema: z.ZodMiniType<T[]>,
): Promise<readonly T[]> {
  if (file === undefined) return [];
  try {
    return schema.parse(JSON.parse(await nodeFs.readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return [];
    onError(error);
    // Put aside: the next save would write over it.
    await nodeFs.rename(file, `${file}.damaged`).catch(onError);
    return [];
  }
}

export interface StateFile {
  schedule(): void;
  flush(): Promise<void>;
}

const saveDelayMs = 500;

/**
 * Writes the rows that must survive a reload to one file, which is moved into place whole. There is no file while
 * there are no rows.
 */
export function createStateFile({ file, onError }: StateFileDeps, rows: () => readonly unknown[]): StateFile {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enqueue = createSerial();

  async function save(): Promise<void> {
    if (file === undefined) return;
    const current = rows();
    if (current.length === 0) return nodeFs.rm(file, { force: true });
    await writeWhole(file, JSON.stringify(current), nodeFs);
  }

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
}
