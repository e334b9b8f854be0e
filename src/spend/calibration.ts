import { pieces } from '../service/text-shape.ts';
import { type ClassTokens, doubtOf, type Mix, mixOf, type TextClass, textClasses } from '../service/token-rates.ts';

/** Learned about one model from the service's counts. All figures are relative: 1.1 counts a tenth more. */
export interface Calibration {
  /** Reported ÷ plain estimate and its standard deviation, of each class of text that was sent. */
  factors: Partial<Record<TextClass, ClassFactor>>;
  samples: number;
  /** Real ÷ expected error of the last estimates, squared, a moving average: below 1 the estimates were better than they said. */
  spread: number;
  /** The largest share that each piece has had in a prompt: what goes beyond is text of a kind that was never counted. */
  seen?: Mix;
  /** Tokens of the longest prompt that was surely counted whole. */
  whole?: number;
  /** How many counts in a row were far too low to be of the whole prompt. */
  low?: number;
  /** Counted ÷ assumed tokens of an image, a moving average; absent before this model was sent one. */
  image?: number;
}

interface ClassFactor {
  factor: number;
  deviation: number;
}

interface Prediction {
  tokens: number;
  /** Relative to `tokens`: 0.05 means that 19 of 20 counts are within 5 %. */
  error: number;
}

/** A model may count this many times more or less than the plain estimate. */
const mostFactor = 5;
/** And this many times what is assumed of an image. */
export const mostImageFactor = 20;
/** Two texts of one class differ by this much when all is known about the class, relative. */
const textNoise = 0.02;
/** Possible change of a class between two counts, relative. */
const drift = 0.01;
/** Weight of the newest sample in the spread. */
const newest = 0.15;
const spreadBounds = [0.15, 9] as const;
/** How far text of a kind that was never counted may be off, relative: one standard deviation. */
const strangeDoubt = 0.2;
/** Nineteen of twenty. */
const deviationsShown = 2;
/** A count that is off by more than so many deviations is a surprise. */
const surprising = 3;

export function factorOf(calibration: Calibration | undefined, model: string, name: TextClass): ClassFactor {
  return calibration?.factors[name] ?? { factor: 1, deviation: doubtOf(model, name) };
}

/** Foretells the service's count of a prompt of these classes. */
export function predict(calibration: Calibration | undefined, model: string, classes: ClassTokens): Prediction {
  const { tokens, variance } = expected(calibration, model, classes);
  if (tokens === 0) return { tokens, error: 0 };
  const strange = strangeDoubt * strangeShare(calibration, classes) * tokens;
  const error = (deviationsShown * Math.sqrt(variance * (calibration?.spread ?? 1) + strange ** 2)) / tokens;
  return { tokens, error: Math.min(1, error) };
}

/** How much of a prompt is made of pieces beyond their largest share in what was counted before. */
function strangeShare(calibration: Calibration | undefined, classes: ClassTokens): number {
  const seen = calibration?.seen;
  if (seen === undefined) return 0;
  return mixOf(classes).reduce((total, share, index) => total + Math.max(0, share - (seen[index] ?? 0)), 0);
}

function expected(
  calibration: Calibration | undefined,
  model: string,
  classes: ClassTokens,
): { tokens: number; variance: number } {
  let [tokens, variance] = [0, 0];
  for (const [index, name] of textClasses.entries()) {
    const count = classes[index] ?? 0;
    if (count === 0) continue;
    const { factor, deviation } = factorOf(calibration, model, name);
    tokens += count * factor;
    variance += (count * deviation) ** 2;
  }
  return { tokens, variance: variance + (textNoise * tokens) ** 2 };
}

/**
 * Pure: the calibration after one more count. What was off is shared among the classes of the prompt by how much of each was
 * sent and how little is known of it (a Kalman filter without the covariances), so that a new script takes the blame for
 * itself. A count that surprises makes nothing more certain, and one that is `doubtful` teaches only as much as the largest
 * that does not. Counts that make no sense leave it as it is.
 */
export function calibrate(
  before: Calibration | undefined,
  { model, classes }: { model: string; classes: ClassTokens },
  reported: number,
  doubtful = false,
): Calibration | undefined {
  const { tokens, variance } = expected(before, model, classes);
  if (!(tokens > 0) || !(reported > 0) || !Number.isFinite(reported)) return before;
  const { factors = {}, samples = 0, spread = 1, whole = 0 } = before ?? {};
  const deviation = Math.sqrt(variance);
  const surprise = surprising * Math.sqrt(spread) * deviation;
  const missed = reported - tokens;
  const isSurprise = Math.abs(missed) > surprise;
  const off = doubtful ? Math.max(-surprise, Math.min(surprise, missed)) : missed;
  const next = { ...factors };
  for (const [index, name] of textClasses.entries()) {
    const count = classes[index] ?? 0;
    if (count === 0) continue;
    const known = factorOf(before, model, name);
    const share = known.deviation ** 2 * (count / variance);
    const left = known.deviation ** 2 * (isSurprise ? 1 : 1 - share * count) + (drift * (count / tokens)) ** 2;
    next[name] = {
      factor: Math.min(mostFactor, Math.max(1 / mostFactor, known.factor + share * off)),
      deviation: Math.min(doubtOf(model, name), Math.sqrt(left)),
    };
  }
  const strange = strangeDoubt * strangeShare(before, classes) * tokens;
  const newSpread = spread + newest * (missed ** 2 / (variance + strange ** 2) - spread);
  const mix = mixOf(classes);
  return {
    ...before,
    factors: next,
    samples: samples + 1,
    spread: Math.min(spreadBounds[1], Math.max(spreadBounds[0], newSpread)),
    seen: mix.map((share, index) => Math.max(share, before?.seen?.[index] ?? 0)),
    whole: Math.max(whole, Math.round(reported)),
  };
}

/** Reads a stored calibration, perhaps of another version: values that do not fit are dropped; undefined when nothing of use is left. */
export function readCalibration(stored: unknown): Calibration | undefined {
  const { factors, samples, spread, seen, whole, low, image } = (stored ?? {}) as Partial<
    Record<keyof Calibration, unknown>
  >;
  const read: Calibration = { factors: readFactors(factors), samples: 0, spread: 1 };
  if (isWithin(samples, 1, Number.MAX_SAFE_INTEGER) && isWithin(spread, ...spreadBounds)) {
    read.samples = samples;
    read.spread = spread;
  } else {
    // An earlier version corrected another estimate by one factor; its sizes still hold.
    read.factors = {};
  }
  const isMix = Array.isArray(seen) && seen.length === pieces.length && seen.every((share) => isWithin(share, 0, 100));
  if (isMix && read.samples > 0) read.seen = seen;
  if (isWithin(whole, 1, Number.MAX_SAFE_INTEGER)) read.whole = whole;
  if (isWithin(low, 1, Number.MAX_SAFE_INTEGER)) read.low = low;
  if (isWithin(image, 0, mostImageFactor)) read.image = image;
  return read.samples === 0 && read.whole === undefined && read.image === undefined ? undefined : read;
}

function readFactors(stored: unknown): Calibration['factors'] {
  const factors: Calibration['factors'] = {};
  for (const name of textClasses) {
    const one = ((stored ?? {}) as Partial<Record<TextClass, Partial<Record<keyof ClassFactor, unknown>>>>)[name];
    const { factor, deviation } = one ?? {};
    if (isWithin(factor, 1 / mostFactor, mostFactor) && isWithin(deviation, 0, 1))
      factors[name] = { factor, deviation };
  }
  return factors;
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}
