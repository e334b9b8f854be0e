import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const prefix = 'svc-';

/**
 * Makes a folder that this process alone uses. Its name holds the process, so that a later start recognizes what a
 * killed one left behind.
 */
export function makeTemporary(kind: string): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `${prefix}${kind}-${process.pid}-`));
}
