import { type Round, ratioOf, typicalOf } from './statistics.ts';

/** One thing that is measured, for us and for those beside us. Less is better in all of them. */
export interface Figure {
  /** Row of the table of goals, such as `P1`. */
  id: string;
  what: string;
  unit: 'ms' | 'µs' | 'MB' | 'kB' | 'tokens' | '×' | '%' | 'replies' | 'letters' | 'nodes' | 'frames';
  /** By contender; all in a round were measured right after one another. */
  rounds: readonly Round[];
  /** Which contender is ours. */
  ours: string;
  comparisons: readonly Comparison[];
}

export interface Comparison {
  /** `ratio` and `difference` are taken within a round; `alone` has no anchor, `beside` only shows one. */
  by: 'ratio' | 'difference' | 'alone' | 'beside';
  anchor?: string;
  /** At most this, in the unit of the comparison; without one the line is for information. */
  goal?: number;
}

/** A line of the printed table, everything as text. */
export interface Line {
  id: string;
  what: string;
  ours: string;
  anchor: string;
  measured: string;
  comparison: string;
  goal: string;
  met: string;
}

/** One line for each comparison. The worst round decides whether a goal is met; its middle is shown beside it. */
export function toLines(figure: Figure): Line[] {
  return figure.comparisons.map((comparison) => {
    const { id, what, unit } = figure;
    const ours = typicalOf(figure.rounds, figure.ours);
    const anchor = comparison.anchor === undefined ? undefined : typicalOf(figure.rounds, comparison.anchor);
    const found = compare(figure, comparison);
    const suffix = comparison.by === 'ratio' ? ' ×' : ` ${unit}`;
    const format = comparison.by === 'difference' ? withSign : brief;
    return {
      id,
      what,
      ours: withUnit(ours, unit),
      anchor: comparison.anchor ?? '',
      measured: withUnit(anchor, unit),
      comparison: found ? `${format(found.worst)}${suffix} (${format(found.typical)})` : '',
      goal: comparison.goal === undefined ? '' : `≤ ${format(comparison.goal)}${suffix}`,
      met: found === undefined || comparison.goal === undefined ? '' : found.worst <= comparison.goal ? 'yes' : 'no',
    };
  });
}

function compare(
  { rounds, ours }: Figure,
  { by, anchor = '' }: Comparison,
): { worst: number; typical: number } | undefined {
  if (by === 'beside') return undefined;
  if (by === 'ratio') return ratioOf(rounds, ours, anchor);
  const differences: Round[] = rounds.flatMap((round) => {
    const [value, base] = [round[ours], by === 'alone' ? 0 : round[anchor]];
    return value === undefined || base === undefined ? [] : [{ difference: value - base }];
  });
  const typical = typicalOf(differences, 'difference');
  if (typical === undefined) return undefined;
  return { typical, worst: Math.max(...differences.map(({ difference = 0 }) => difference)) };
}

function withUnit(value: number | undefined, unit: Figure['unit']): string {
  return value === undefined ? '–' : `${brief(value)} ${unit}`;
}

function withSign(value: number): string {
  return value < 0 ? brief(value) : `+${brief(value)}`;
}

/** Three digits say all that such a measurement knows. */
function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return size >= 0.1 || size === 0 ? value.toFixed(2) : value.toFixed(3);
}
