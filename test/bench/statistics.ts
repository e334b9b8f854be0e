/** Middle value; the mean of the two middle ones of an even count. NaN when empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** One figure of each contender in one round: the median of that round's samples. */
export type Round = Record<string, number>;

export interface Ratio {
  /** Median over the rounds. */
  typical: number;
  /** The round that speaks most against us, where more is worse. */
  worst: number;
}

/** How `a` compares with `b`: a ratio within each round, never across rounds, because machines drift. */
export function ratioOf(rounds: readonly Round[], a: string, b: string): Ratio | undefined {
  const ratios = rounds.flatMap((round) => {
    const [above, below] = [round[a], round[b]];
    return above === undefined || below === undefined ? [] : [above / below];
  });
  return ratios.length === 0 ? undefined : { typical: median(ratios), worst: Math.max(...ratios) };
}

/** Median over the rounds of one contender's figure; undefined when it took no part. */
export function typicalOf(rounds: readonly Round[], name: string): number | undefined {
  const values = rounds.flatMap((round) => round[name] ?? []);
  return values.length === 0 ? undefined : median(values);
}
