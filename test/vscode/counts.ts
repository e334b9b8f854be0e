/** What a part of the tests came to. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The closing line of every test command. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are control characters.
const colours = /\u001b\[[\d;]*m/g;

/**
 * Reads the counts out of what a test command printed: the last line of `formatCounts`, else mocha's own summary. Undefined
 * when there is neither, which means that the command died before its end.
 */
export function parseCounts(output: string): Counts | undefined {
  const plain = output.replace(colours, '');
  const closing = [...plain.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped\s*$/gm)].at(-1);
  if (closing) return { passed: Number(closing[1]), failed: Number(closing[2]), skipped: Number(closing[3]) };
  const passing = [...plain.matchAll(/^ {2}(\d+) passing \(/gm)].at(-1);
  if (!passing) return undefined;
  const summary = plain.slice(passing.index);
  const number = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? 0);
  return { passed: Number(passing[1]), failed: number(/^ {2}(\d+) failing/m), skipped: number(/^ {2}(\d+) pending/m) };
}
