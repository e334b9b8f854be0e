const minFigures = 5;

export function median(figures: readonly number[], atFirst: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted.length < minFigures ? atFirst : (sorted[Math.floor(sorted.length / 2)] ?? atFirst);
}
