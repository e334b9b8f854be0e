import { readJsonLines } from '../support/json-lines.ts';

/** A fault that somebody could make, and the unit tests that have to see it. */
export interface Mutant {
  /** What the fault means for a user. */
  fault: string;
  /** The requirements it breaks (docs/requirements.md). */
  breaks: string;
  /** Relative to the project. */
  file: string;
  /** Stands exactly once in the file. */
  from: string;
  to: string;
  /** Below `test/unit`, without `.test.ts`; `panel/…` is of the pages, and runs in a browser. */
  seenBy: readonly string[];
}

/** Where the tests of `seenBy` are, relative to the project. */
export function testFile(name: string): string {
  return name.startsWith('panel/') ? `test/${name}.test.ts` : `test/unit/${name}.test.ts`;
}

/** One line of the file is one fault. */
export const mutants = readJsonLines<Mutant>(new URL('mutants.jsonl', import.meta.url));
