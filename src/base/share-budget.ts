export function shareBudget(sizes: readonly number[], budget: number): number[] {
  const shares = sizes.map(() => 0);
  let left = budget;
  const smallestFirst = [...sizes.keys()].sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
  smallestFirst.forEach((at, done) => {
    const share = Math.min(sizes[at] ?? 0, Math.floor(left / (sizes.length - done)));
    shares[at] = share;
    left -= share;
  });
  return shares;
}

export function linesWithin(lines: readonly string[], characters: number): number {
  let used = 0;
  const tooMany = lines.findIndex((line) => {
    used += line.length + 1;
    return used > characters;
  });
  return tooMany < 0 ? lines.length : tooMany;
}
