import type * as nodeFs from 'node:fs/promises';

/** The part of `node:fs/promises` that storage needs; tests pass one that fails. */
export type StorageFs = Pick<
  typeof nodeFs,
  'open' | 'mkdir' | 'readFile' | 'writeFile' | 'rename' | 'link' | 'rm' | 'readdir' | 'stat'
>;

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

/** For `catch`: a file or folder that is not there is undefined, anything else goes on. */
export function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
