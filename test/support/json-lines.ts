import { readFileSync } from 'node:fs';

/** Data of a test: each line of the file is one value. */
export function readJsonLines<T>(file: URL): readonly T[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}
