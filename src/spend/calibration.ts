import { median } from '../base/median.ts';
import type { ReplyExpectation } from '../service/contract.ts';
import { pieces } from '../service/token-features.ts';
import { type ClassTokens, doubtOf, type Mix, mixOf, type TextClass, textClasses } from '../service/token-rates.ts';
import type { Difference } from './counted-prompts.ts';

/** All figures are relative: 1.1 means that the service counts a tenth more. */
export interface Calibration {
  factors: Partial<Record<TextClass, ClassFactor>>;
  samples: number;
  spread: number;
  seen?: readonly Mix[];
  whole?: number;
  low?: number;
  image?: number;
  /** Holds by how many tokens the latest replies of each kind, thinking included, differed from what was expected. */
  replies?: Readonly<Record<string, readonly number[]>>;
}

interface ClassFactor {
  factor: number;
  deviation: number;
}

interface Prediction {
  tokens: number;
  /** The error is relative to `tokens`: 0.05 means that 19 of 20 counts are within 5 %. */
  error: number;
}

const maxFactor = 5;
export const maxImageFactor = 20;
const textNoise = 0.025;
const drift = 0.01;
const newest = 0.15;
const spreadBounds = [0.15, 9] as const;
/**
 * Text that is unlike all that was counted may be off by this much, multiplied by its distance to the nearest and
 * limited to `maxStrangeDoubt`. Both are one relative standard deviation, measured on 26 kinds of text with two
 * vocabularies.
 */
const strangeDoubt = 0.5;
const maxStrangeDoubt = 0.25;
const sameKind = 0.1;
const maxKinds = 12;
const deviationsShown = 2;
const surprising = 3;

export function factorOf(calibration: Calibration | undefined, model: string, name: TextClass): ClassFactor {
  return calibration?.factors[name] ?? { factor: 1, deviation: doubtOf(model, name) };
}

/** Predicts the service's count of a text or, from its difference to a counted prompt, of a prompt. */
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

function strangeness(calibration: Calibration | undefined, mix: Mix): number {
  const distance = distanceTo(calibration?.seen ?? [], mix);
  return Number.isFinite(distance) ? Math.min(maxStrangeDoubt, strangeDoubt * distance) : 0;
}

function distanceTo(kinds: readonly Mix[], mix: Mix): number {
  const distances = kinds.map((kind) => mix.reduce((all, share, at) => all + Math.abs(share - (kind[at] ?? 0)), 0) / 2);
  return Math.min(...distances);
}

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
 * Returns the calibration after one more count, without side effects. The error is shared among the classes of the
 * prompt by how much of each was sent and how little is known of it (a Kalman filter without the covariances), so
 * that a new script takes the blame for itself. A surprising count makes nothing more certain, and a `doubtful` one
 * teaches at most as much as the largest count that is no surprise. Counts that make no sense change nothing.
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

/** Reads a stored calibration. Values that do not fit are dropped. Returns undefined when nothing useful is left. */
export function readCalibration(stored: unknown): Calibration | undefined {
  const { factors, samples, spread, seen, whole, low, image, replies } = (stored ?? {}) as Partial<
    Record<keyof Calibration, unknown>
  >;
  const read: Calibration = { factors: readFactors(factors), samples: 0, spread: 1 };
  if (isWithin(samples, 1, Number.MAX_SAFE_INTEGER) && isWithin(spread, ...spreadBounds)) {
    read.samples = samples;
    read.spread = spread;
  } else read.factors = {};
  if (Array.isArray(seen) && read.samples > 0) read.seen = seen.filter(isMix).slice(-maxKinds);
  if (isWithin(whole, 1, Number.MAX_SAFE_INTEGER)) read.whole = whole;
  if (isWithin(low, 1, Number.MAX_SAFE_INTEGER)) read.low = low;
  if (isWithin(image, 0, maxImageFactor)) read.image = image;
  const known = Object.entries(typeof replies === 'object' && replies !== null ? replies : {});
  const kept = known.slice(0, maxReplyKinds).flatMap(([of, differences]) => {
    const read = Array.isArray(differences) ? differences.filter(Number.isSafeInteger).slice(-maxReplies) : [];
    return read.length === 0 ? [] : [[of.slice(0, 40), read] as const];
  });
  if (kept.length > 0) read.replies = Object.fromEntries(kept);
  const isEmpty = read.whole === undefined && read.image === undefined && read.replies === undefined;
  return read.samples === 0 && isEmpty ? undefined : read;
}

const maxReplyKinds = 20;
const maxReplies = 7;

/** Returns the tokens of the reply: what is expected, put right by the median of the latest differences. */
export function predictReply(calibration: Calibration | undefined, { of, tokens }: ReplyExpectation): number {
  return Math.max(1, tokens + Math.round(median(calibration?.replies?.[of] ?? []) ?? 0));
}

export function learnReply(
  before: Calibration | undefined,
  { of, tokens }: ReplyExpectation,
  counted: number,
): Calibration {
  const known = before?.replies ?? {};
  const differences = [...(known[of] ?? []), Math.round(counted - tokens)].slice(-maxReplies);
  return { factors: {}, samples: 0, spread: 1, ...before, replies: { ...known, [of]: differences } };
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
