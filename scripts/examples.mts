import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../test/examples');

/** Replaces each block of code behind `<!-- example: FILE -->` by this file of `test/examples/`, which is compiled and tested. */
export function withExamples(markdown: string): string {
  return markdown.replace(
    /(<!-- example: (\S+) -->\n```ts\n)[\s\S]*?(```)/g,
    (_, begin: string, file: string, end: string) => {
      return `${begin}${readFileSync(path.join(folder, file), 'utf8')}${end}`;
    },
  );
}
