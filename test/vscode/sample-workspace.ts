import { cp } from 'node:fs/promises';
import path from 'node:path';

/** Copies the sample project to `folder`, so that nothing done to it reaches the repository. Returns `folder`. */
export async function copySampleWorkspace(folder: string): Promise<string> {
  await cp(path.join(import.meta.dirname, 'sample-workspace'), folder, { recursive: true });
  return folder;
}
