/** A smaller step would have more digits than displayed amounts. */
const minStep = 100;

/**
 * Returns axis marks in micro-dollars, from 0 to at least `highest`: at most six, in steps of 1, 2 or 5 times a power
 * of ten.
 */
export function axisValues(highest: number): number[] {
  const rough = Math.max(highest / 4, minStep);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((times) => times * power >= rough) ?? 10) * power;
  const steps = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}
