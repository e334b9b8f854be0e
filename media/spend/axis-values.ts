/** Below this a step would have more digits than amounts are shown with. */
const minStep = 100;

/**
 * Values to mark on an axis, micro-dollars, from 0 to what holds `highest`: at most six, in steps of 1, 2 or 5 times a
 * power of ten.
 */
export function axisValues(highest: number): number[] {
  const rough = Math.max(highest / 4, minStep);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((times) => times * power >= rough) ?? 10) * power;
  const steps = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}
