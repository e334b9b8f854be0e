/** A search/replace pair as a model would send it. */
export interface Block {
  search: string;
  replace: string;
}

/** One question put to an applier. */
export interface Case {
  kind: string;
  /** Where it comes from, for people. */
  source: string;
  text: string;
  blocks: Block[];
  /** The only right result; undefined: the blocks must be refused. */
  expected: string | undefined;
}

/** Numbers in [0, 1). */
export type Random = () => number;

export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('Nothing to pick from.');
  return value;
}

/** A whole number in [first, last]. */
export function between(random: Random, first: number, last: number): number {
  return first + Math.floor(random() * (last - first + 1));
}

export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
