/** Fewer say nothing. */
const fewest = 5;

/** The median, the higher one of two; `atFirst` where there are too few to tell. */
export function usual(figures: readonly number[], atFirst: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted.length < fewest ? atFirst : (sorted[Math.floor(sorted.length / 2)] ?? atFirst);
}
