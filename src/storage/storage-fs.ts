import type * as nodeFs from 'node:fs/promises';

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

export function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
