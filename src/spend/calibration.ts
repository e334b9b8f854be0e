import { pieces } from '../service/text-shape.ts';
import { type ClassTokens, doubtOf, type Mix, mixOf, type TextClass, textClasses } from '../service/token-rates.ts';
import type { Difference } from './counted-prompts.ts';

/** Learned about one model from the service's counts. All figures are relative: 1.1 counts a tenth more. */
export interface Calibration {
  /** Reported ÷ plain estimate and its standard deviation, of each class of text that was sent. */
  factors: Partial<Record<TextClass, ClassFactor>>;
  samples: number;
  /** Real ÷ expected error of the last estimates, squared, a moving average: below 1 the estimates were better than they said. */
  spread: number;
  /** Mixes of pieces, unlike each other, of what was counted last: text that is like none of them is of a new kind. */
  seen?: readonly Mix[];
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
const maxFactor = 5;
/** And this many times what is assumed of an image. */
export const maxImageFactor = 20;
/** Two texts of one class differ by this much when all is known about the class, relative. */
const textNoise = 0.025;
/** Possible change of a class between two counts, relative. */
const drift = 0.01;
/** Weight of the newest sample in the spread. */
const newest = 0.15;
const spreadBounds = [0.15, 9] as const;
/**
 * How far text may be off that is unlike all that was counted, relative: one standard deviation, by its distance to the
 * nearest and at most. Measured on 26 kinds of text with two vocabularies.
 */
const strangeDoubt = 0.5;
const maxStrangeDoubt = 0.25;
/** Mixes that are nearer to each other are one kind. */
const sameKind = 0.1;
const maxKinds = 12;
/** Nineteen of twenty. */
const deviationsShown = 2;
/** A count that is off by more than so many deviations is a surprise. */
const surprising = 3;

export function factorOf(calibration: Calibration | undefined, model: string, name: TextClass): ClassFactor {
  return calibration?.factors[name] ?? { factor: 1, deviation: doubtOf(model, name) };
}

/** Foretells the service's count of a text, or of a prompt by its difference to one that was counted. */
export function predict(
  calibration: Calibration | undefined,
  model: string,
  text: ClassTokens | Difference,
): Prediction {
  const { counted, added, gone } = 'counted' in text ? text : { counted: 0, added: text, gone: undefined };
  const more = expected(calibration, model, added);
  const less = gone === undefined ? { tokens: 0, variance: 0 } : expected(calibration, model, gone);
  const tokens = Math.max(0, counted + more.tokens - less.tokens);
  if (tokens === 0) return { tokens, error: 0 };
  const strange = strangeness(calibration, mixOf(added)) * more.tokens;
  const variance = (more.variance + less.variance) * (calibration?.spread ?? 1);
  const error = (deviationsShown * Math.sqrt(variance + strange ** 2)) / tokens;
  return { tokens, error: Math.min(1, error) };
}

/** One standard deviation, relative, of text with this mix; nothing before anything was counted, when all is doubtful. */
function strangeness(calibration: Calibration | undefined, mix: Mix): number {
  const distance = distanceTo(calibration?.seen ?? [], mix);
  return Number.isFinite(distance) ? Math.min(maxStrangeDoubt, strangeDoubt * distance) : 0;
}

function distanceTo(kinds: readonly Mix[], mix: Mix): number {
  const distances = kinds.map((kind) => mix.reduce((all, share, at) => all + Math.abs(share - (kind[at] ?? 0)), 0) / 2);
  return Math.min(...distances);
}

/** The newest last; of one kind only the first that was met. */
function remember(kinds: readonly Mix[], mix: Mix): readonly Mix[] {
  if (distanceTo(kinds, mix) < sameKind) return kinds;
  return [...kinds, mix.map((share) => Math.round(share * 1000) / 1000)].slice(-maxKinds);
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
  const { factors = {}, samples = 0, spread = 1 } = before ?? {};
  const mix = mixOf(classes);
  const strange = strangeness(before, mix) * tokens;
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
      factor: Math.min(maxFactor, Math.max(1 / maxFactor, known.factor + share * off)),
      deviation: Math.min(doubtOf(model, name), Math.sqrt(left)),
    };
  }
  const newSpread = spread + newest * (missed ** 2 / (variance + strange ** 2) - spread);
  return {
    ...before,
    factors: next,
    samples: samples + 1,
    spread: Math.min(spreadBounds[1], Math.max(spreadBounds[0], newSpread)),
    seen: remember(before?.seen ?? [], mix),
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
  if (Array.isArray(seen) && read.samples > 0) read.seen = seen.filter(isMix).slice(-maxKinds);
  if (isWithin(whole, 1, Number.MAX_SAFE_INTEGER)) read.whole = whole;
  if (isWithin(low, 1, Number.MAX_SAFE_INTEGER)) read.low = low;
  if (isWithin(image, 0, maxImageFactor)) read.image = image;
  return read.samples === 0 && read.whole === undefined && read.image === undefined ? undefined : read;
}

function readFactors(stored: unknown): Calibration['factors'] {
  const factors: Calibration['factors'] = {};
  for (const name of textClasses) {
    const one = ((stored ?? {}) as Partial<Record<TextClass, Partial<Record<keyof ClassFactor, unknown>>>>)[name];
    const { factor, deviation } = one ?? {};
    if (isWithin(factor, 1 / maxFactor, maxFactor) && isWithin(deviation, 0, 1)) factors[name] = { factor, deviation };
  }
  return factors;
}

function isMix(stored: unknown): stored is Mix {
  return Array.isArray(stored) && stored.length === pieces.length && stored.every((share) => isWithin(share, 0, 100));
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}
