import { dropOldest } from '../base/drop-oldest.ts';
import { knownShape, type Shape } from '../service/text-shape.ts';
import { type ClassTokens, doubtOf, sum, type TextClass, textClasses } from '../service/token-rates.ts';
import { assumedTokens, type Counted, partTokens, promptParts, textTokens } from '../service/tokens.ts';
import { imagesIn } from '../service/wire/images.ts';
import type { ImageRef } from '../shared/messages.ts';
import { type Calibration, calibrate, factorOf, maxImageFactor, predict, readCalibration } from './calibration.ts';
import { type CountedPrompts, createCountedPrompts, type Difference } from './counted-prompts.ts';

/** Models. */
export const maxCalibrated = 100;

/** The service counted far fewer tokens than were sent, so it seems to have left out part of them. */
export interface CutInput {
  sentTokens: number;
  countedTokens: number;
}

interface Estimate {
  tokens: number;
  /** It holds images, and nobody knows yet what this model counts for them. */
  assumed?: true;
  /** Relative: in 19 of 20 cases what is counted differs by no more, images aside. */
  error: number;
}

/** The one estimate of tokens: what is shown, what budgets and limits are held against, what stands in for missing usage. */
export interface Estimator {
  /** Prompt tokens of a request: history, system text and tools. The reply's length is anyone's guess. */
  prompt(request: Counted): Estimate;
  text(model: string, text: string): Estimate;
  images(model: string, images: readonly ImageRef[]): Omit<Estimate, 'error'>;
  /**
   * Learns from what the service counted for a prompt. Answers when it seems to have counted only a part of what was sent,
   * twice in a row. `imagesSent`: how many of its images really went out.
   */
  learn(request: Counted, countedTokens: number, imagesSent?: number): CutInput | undefined;
  /** Tokens of the longest prompt that this model has taken; undefined before there was one. */
  longestRequest(model: string): number | undefined;
}

/** An estimate that may be off by more says nothing about images. */
const largestError = 0.15;
/** Weight of the newest image: what one counts for is the same each time, but the text around it is estimated. */
const newestImage = 0.5;

/**
 * Takes the service's count above that of the text as the images'. Only with a text estimate that has been corrected
 * before; undefined when nothing can be said.
 */
function learnImages(
  before: Calibration | undefined,
  { text, error, images }: { text: number; error: number; images: number },
  reported: number,
): Calibration | undefined {
  if (before === undefined || error > largestError || !(images > 0) || !(reported > 0)) return undefined;
  const ratio = Math.min(maxImageFactor, Math.max(0, reported - text) / images);
  return { ...before, image: before.image === undefined ? ratio : before.image + newestImage * (ratio - before.image) };
}

/** A service that counts this share of what was surely sent, or less, did not count all of it. */
const cutShare = 0.7;
const minSamples = 3;
/** So often in a row before anything is said: a single count may be wrong for any reason. */
const tellAfter = 2;

/** Relative to what was added. */
const maxGone = 0.1;

/** Classes of one script and much one language: a count that is low for another language says nothing about the service. */
const telling: ReadonlySet<TextClass> = new Set([
  'words',
  'marks',
  'cyrillic',
  'greek',
  'arabic',
  'hebrew',
  'han',
  'japanese',
  'hangul',
]);

/**
 * Only classes of text that have proved themselves can tell, all others might count for nothing; and only a request that
 * is longer than every one that this model has taken whole: a shorter one that is counted low means that it counts differently.
 */
function seemsCut(before: Calibration | undefined, model: string, classes: ClassTokens, reported: number): boolean {
  if (before === undefined || before.samples < minSamples || !(reported > 0)) return false;
  let proved = 0;
  for (const [index, name] of textClasses.entries()) {
    const { factor, deviation } = factorOf(before, model, name);
    if (telling.has(name) && deviation <= doubtOf(model, name) / 2) proved += (classes[index] ?? 0) * factor;
  }
  return proved > (before.whole ?? 0) && reported < cutShare * proved;
}

/** Where a prompt mostly adds to one that was counted, what it adds teaches more than the whole; else undefined. */
function lessonOf(
  difference: Difference | undefined,
  reported: number,
): { classes: ClassTokens; counted: number } | undefined {
  if (difference === undefined) return undefined;
  const { counted, added, gone } = difference;
  const left = sum(gone);
  if (left > maxGone * sum(added)) return undefined;
  return { classes: added, counted: reported - counted + left };
}

/** `stored` is whatever an earlier `save` left; what does not fit is dropped. At most 100 models are kept. */
export function createEstimator(
  stored: unknown,
  save: (calibrations: Record<string, Calibration>) => void = () => undefined,
  shape: (text: string) => Shape = knownShape,
): Estimator {
  const byModel = readStored(stored);

  const counted = new Map<string, CountedPrompts>();
  const countedBy = (model: string): CountedPrompts => {
    const known = counted.get(model) ?? createCountedPrompts(model, shape);
    counted.set(model, known);
    return known;
  };
  const calibrated = (model: string, text: ClassTokens | Difference): Estimate => {
    const { tokens, error } = predict(byModel.get(model), model, text);
    return { tokens: Math.ceil(tokens), error };
  };

  const ofImages = (model: string, images: readonly ImageRef[]): Omit<Estimate, 'error'> => {
    const factor = byModel.get(model)?.image;
    const tokens = assumedTokens(images);
    if (factor !== undefined) return { tokens: Math.ceil(tokens * factor) };
    return { tokens, ...(images.length > 0 && { assumed: true }) };
  };
  const keep = (model: string, next: Calibration | undefined): void => {
    if (next === undefined) return;
    // Deleting first keeps the map in order of use, so that the one dropped is the one unused for longest.
    byModel.delete(model);
    byModel.set(model, next);
    dropOldest(byModel, maxCalibrated);
    save(Object.fromEntries(byModel));
  };

  return {
    prompt(request) {
      const { model } = request;
      const parts = promptParts(request);
      const text = calibrated(model, countedBy(model).nearest(parts) ?? partTokens(parts, model, shape));
      const images = imagesIn(request.messages);
      if (images.length === 0) return text;
      const { tokens, assumed } = ofImages(request.model, images);
      return { ...text, tokens: text.tokens + tokens, ...(assumed && { assumed }) };
    },
    text: (model, text) => calibrated(model, textTokens(text, model, shape)),
    images: ofImages,
    learn(request, reported, imagesSent = 0) {
      const { model } = request;
      const before = byModel.get(model);
      const parts = promptParts(request);
      const classes = partTokens(parts, model, shape);
      const difference = countedBy(model).nearest(parts);
      const { tokens, error } = predict(before, model, difference ?? classes);
      const images = imagesIn(request.messages);
      if (!(reported > 0) || !Number.isFinite(reported)) return undefined;
      // Images that were named only are a few words of text, and some of each say nothing about either.
      if (imagesSent > 0) {
        const sizes = { text: tokens, error, images: assumedTokens(images) };
        if (imagesSent === images.length) keep(model, learnImages(before, sizes, reported));
        return undefined;
      }
      const isLow = seemsCut(before, model, classes, reported);
      const lesson = (isLow ? undefined : lessonOf(difference, reported)) ?? { classes, counted: reported };
      const next = calibrate(before, { model, classes: lesson.classes }, lesson.counted, isLow);
      const low = isLow ? (before?.low ?? 0) + 1 : 0;
      if (next === undefined || (next === before && low === (before?.low ?? 0))) return undefined;
      const whole = isLow ? before?.whole : Math.max(before?.whole ?? 0, Math.round(reported));
      keep(model, { ...next, low, whole });
      if (!isLow) countedBy(model).add(parts, reported);
      return low < tellAfter ? undefined : { sentTokens: Math.round(tokens), countedTokens: reported };
    },
    longestRequest: (model) => byModel.get(model)?.whole,
  };
}

function readStored(stored: unknown): Map<string, Calibration> {
  const byModel = new Map<string, Calibration>();
  if (typeof stored !== 'object' || stored === null) return byModel;
  for (const [model, value] of Object.entries(stored).slice(0, maxCalibrated)) {
    const calibration = readCalibration(value);
    if (calibration !== undefined) byModel.set(model, calibration);
  }
  return byModel;
}
