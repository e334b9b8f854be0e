import { dropOldest } from '../base/drop-oldest.ts';
import type { ReplyExpectation } from '../service/contract.ts';
import { knownShape, type TokenFeatures } from '../service/token-features.ts';
import { type ClassTokens, doubtOf, sum, type TextClass, textClasses } from '../service/token-rates.ts';
import { assumedTokens, type Counted, partTokens, promptParts, textTokens } from '../service/tokens.ts';
import { imagesIn } from '../service/wire/images.ts';
import type { ImageRef } from '../shared/messages.ts';
import {
  type Calibration,
  calibrate,
  factorOf,
  learnReply,
  maxImageFactor,
  predict,
  predictReply,
  readCalibration,
} from './calibration.ts';
import { type CountedPrompts, createCountedPrompts, type Difference } from './counted-prompts.ts';
import { costMicroUsd } from './price.ts';

export const maxCalibrated = 100;

/** Reports that the service counted far fewer tokens than were sent, so it seems to have left out part of them. */
export interface CutInput {
  sentTokens: number;
  countedTokens: number;
}

interface Estimate {
  tokens: number;
  assumed?: true;
  /** Holds the tokens of the reply where the request says what it expects. */
  reply?: number;
  /** The error is relative: in 19 of 20 cases the real count differs by no more, images aside. */
  error: number;
}

/**
 * The product has only this estimate of tokens: it is shown, budgets and limits are checked against it, and it stands
 * in for missing usage.
 */
export interface Estimator {
  /** Counts history, system text and tools of a request, but not the reply, whose length nobody knows. */
  prompt(request: Counted): Estimate;
  text(model: string, text: string): Estimate;
  images(model: string, images: readonly ImageRef[]): Omit<Estimate, 'error'>;
  /**
   * Learns from what the service counted for a prompt. Returns a result when it seems to have counted only a part of
   * what was sent, twice in a row. `imagesSent` is how many images really were sent.
   */
  learn(request: Counted, countedTokens: number, imagesSent?: number): CutInput | undefined;
  longestRequest(model: string): number | undefined;
  learnReply(request: Pick<Counted, 'model' | 'expects'>, countedTokens: number): void;
  /** Returns how many tokens such a reply has usually had. */
  usual(model: string, expects: ReplyExpectation): number;
}

/** Prices a request with its reply. */
export function requestMicroUsd(estimator: Pick<Estimator, 'prompt'>, request: Counted): number {
  const { tokens, reply = request.expects?.tokens ?? 0 } = estimator.prompt(request);
  return costMicroUsd(tokens + reply);
}

const largestError = 0.15;
const newestImage = 0.5;

/**
 * Attributes to the images what the service counted above the text. It needs a text estimate that has been corrected
 * before, and returns undefined when nothing can be said.
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

const cutShare = 0.7;
const minSamples = 3;
const learnAfter = 2;

const maxGone = 0.1;

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
 * Only classes of text that have proved themselves can show a cut, because all others might count for nothing. The
 * request must also be longer than every one that this model has taken whole, because a shorter one that is counted
 * low means that the model counts differently.
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

/** `stored` may come from any version: what does not fit is dropped. At most `maxCalibrated` models are kept. */
export function createEstimator(
  stored: unknown,
  save: (calibrations: Record<string, Calibration>) => void = () => undefined,
  shape: (text: string) => TokenFeatures = knownShape,
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
      const { model, expects } = request;
      const parts = promptParts(request);
      const text = {
        ...calibrated(model, countedBy(model).nearest(parts) ?? partTokens(parts, model, shape)),
        ...(expects && { reply: predictReply(byModel.get(model), expects) }),
      };
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
      return low < learnAfter ? undefined : { sentTokens: Math.round(tokens), countedTokens: reported };
    },
    usual: (model, expects) => predictReply(byModel.get(model), expects),
    longestRequest: (model) => byModel.get(model)?.whole,
    learnReply({ model, expects }, countedTokens) {
      if (expects !== undefined) keep(model, learnReply(byModel.get(model), expects, countedTokens));
    },
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
