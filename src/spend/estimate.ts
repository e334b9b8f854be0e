import type { ChatRequest } from '../service/contract.ts';
import { imagesIn } from '../service/images.ts';
import { tokensIn } from '../service/tokens.ts';
import { dropOldest } from '../shared/drop-oldest.ts';
import { assumedImageTokens } from '../shared/image.ts';
import type { HistoryMessage, ImageRef, Usage } from '../shared/messages.ts';

/** Role, separators and the like that every message adds. */
const tokensPerMessage = 4;
/** Weight of the newest sample: about the last ten requests count. */
const newest = 0.2;
const most = 5;
/** Models. */
export const mostCalibrated = 100;

/** How far the plain estimate is off for one model (U2). */
export interface Calibration {
  /** Reported ÷ plain estimate, a moving average. */
  factor: number;
  /** Relative error of the calibrated estimate, a moving average; 0.05 is shown as ±5 %. */
  error: number;
  samples: number;
  /** Tokens of the longest prompt that was surely counted whole. */
  whole?: number;
  /** S24: what an image counted for ÷ what is assumed of it, a moving average; absent before this model was sent one. */
  image?: number;
}

/** H17: the service counted far fewer tokens than were sent, so it seems to have left out part of them. */
export interface CutInput {
  sentTokens: number;
  countedTokens: number;
}

interface Estimate {
  tokens: number;
  /** It holds images, and nobody knows yet what this model counts for them. */
  assumed?: true;
  /** Relative, as in `Calibration`; undefined before the model was used. */
  error?: number;
}

export interface Estimator {
  /** Prompt tokens of a request: history, system text and tools. The reply's length is anyone's guess. */
  prompt(request: Pick<ChatRequest, 'model' | 'messages' | 'tools'>): Estimate;
  text(model: string, text: string): Estimate;
  images(model: string, images: readonly ImageRef[]): Estimate;
  /**
   * Learns from a reply's usage; one that is an estimate itself teaches nothing, and neither does one that seems to have
   * been counted for a part of the request only, which is returned. `imagesSent`: how many of its images really went out.
   */
  learn(
    request: Pick<ChatRequest, 'model' | 'messages' | 'tools'>,
    usage: Usage,
    imagesSent?: number,
  ): CutInput | undefined;
  /** Tokens of the longest prompt that this model has taken; undefined before there was one. */
  longest(model: string): number | undefined;
}

/** Characters to tokens, without calibration. */
export function estimateTokens(text: string): number {
  return tokensIn(text.length);
}

/** The whole prompt of a request, without calibration. */
export function estimatePromptTokens(request: Pick<ChatRequest, 'messages' | 'tools'>): number {
  return textTokens(request) + assumedTokens(imagesIn(request.messages));
}

function assumedTokens(images: readonly ImageRef[]): number {
  return images.reduce((sum, image) => sum + assumedImageTokens(image), 0);
}

function textTokens(request: Pick<ChatRequest, 'messages' | 'tools'>): number {
  let characters = request.tools === undefined ? 0 : JSON.stringify(request.tools).length;
  for (const message of request.messages) characters += charactersOf(message);
  return tokensIn(characters) + request.messages.length * tokensPerMessage;
}

function charactersOf(message: HistoryMessage): number {
  if (message.role !== 'assistant') return message.text.length;
  const calls = message.toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  return message.text.length + (message.reasoning?.length ?? 0) + calls;
}

/** Pure: the calibration after one more sample. Counts that make no sense leave it as it is. */
export function calibrate(
  before: Calibration | undefined,
  estimated: number,
  reported: number,
): Calibration | undefined {
  if (!(estimated > 0) || !(reported > 0) || !Number.isFinite(estimated) || !Number.isFinite(reported)) return before;
  const ratio = Math.min(most, Math.max(1 / most, reported / estimated));
  const whole = Math.max(before?.whole ?? 0, Math.round(reported));
  if (before === undefined)
    return { factor: ratio, error: Math.min(1, Math.abs(ratio - 1) / ratio), samples: 1, whole };
  const miss = Math.min(1, Math.abs(estimated * before.factor - reported) / reported);
  return {
    ...before,
    factor: before.factor + newest * (ratio - before.factor),
    error: before.error + newest * (miss - before.error),
    samples: before.samples + 1,
    whole,
  };
}

/** Weight of the newest image: what one counts for is the same each time, but the text around it is estimated. */
const newestImage = 0.5;
const mostImageFactor = 20;

/**
 * S24: what the service counted above the text is what the images counted for. Only with a text estimate that has been
 * corrected before; undefined when nothing can be said.
 */
function learnImages(
  before: Calibration | undefined,
  { text, images }: { text: number; images: number },
  reported: number,
): Calibration | undefined {
  if (before === undefined || before.error > largestError || !(images > 0) || !(reported > 0)) return undefined;
  const ratio = Math.min(mostImageFactor, Math.max(0, reported - text * before.factor) / images);
  return { ...before, image: before.image === undefined ? ratio : before.image + newestImage * (ratio - before.image) };
}

/** A service that counts this share of what was expected, or less, did not count all of it. */
const cutShare = 0.7;
const fewestSamples = 3;
/** An estimate that is off by more says nothing about the service. */
const largestError = 0.15;

/**
 * H17. Only an estimate that has proved itself can tell, and only of a request that is longer than every one that this model
 * has taken whole: a shorter one that is counted low means that the model counts differently now.
 */
export function findCutInput(
  calibration: Calibration | undefined,
  estimated: number,
  reported: number,
): CutInput | undefined {
  if (calibration === undefined || calibration.samples < fewestSamples || calibration.error > largestError) return;
  const sentTokens = Math.round(estimated * calibration.factor);
  if (!(reported > 0) || reported >= cutShare * sentTokens || sentTokens <= (calibration.whole ?? 0)) return undefined;
  return { sentTokens, countedTokens: reported };
}

/** `stored` is whatever an earlier `save` left; what does not fit is dropped. At most 100 models are kept (E06). */
export function createEstimator(
  stored: unknown,
  save: (calibrations: Record<string, Calibration>) => void = () => undefined,
): Estimator {
  const byModel = readStored(stored);

  const calibrated = (model: string, tokens: number): Estimate => {
    const calibration = byModel.get(model);
    if (calibration === undefined) return { tokens };
    return { tokens: Math.ceil(tokens * calibration.factor), error: calibration.error };
  };

  const ofImages = (model: string, images: readonly ImageRef[]): Estimate => {
    const factor = byModel.get(model)?.image;
    const tokens = assumedTokens(images);
    if (factor !== undefined) return { tokens: Math.ceil(tokens * factor) };
    return { tokens, ...(images.length > 0 && { assumed: true }) };
  };
  const keep = (model: string, next: Calibration): void => {
    // Deleting first keeps the map in order of use, so that the one dropped is the one unused for longest.
    byModel.delete(model);
    byModel.set(model, next);
    dropOldest(byModel, mostCalibrated);
    save(Object.fromEntries(byModel));
  };

  return {
    prompt(request) {
      const text = calibrated(request.model, textTokens(request));
      const images = imagesIn(request.messages);
      if (images.length === 0) return text;
      const { tokens, assumed } = ofImages(request.model, images);
      return { ...text, tokens: text.tokens + tokens, ...(assumed && { assumed }) };
    },
    text: (model, text) => calibrated(model, estimateTokens(text)),
    images: ofImages,
    learn(request, usage, imagesSent = 0) {
      if (usage.estimated) return undefined;
      const before = byModel.get(request.model);
      const estimated = textTokens(request);
      const images = imagesIn(request.messages);
      // Images that were named only are a few words of text, and some of each say nothing about either.
      if (imagesSent > 0) {
        const sizes = { text: estimated, images: assumedTokens(images) };
        const learned = imagesSent === images.length ? learnImages(before, sizes, usage.promptTokens) : undefined;
        if (learned !== undefined) keep(request.model, learned);
        return undefined;
      }
      const cut = findCutInput(before, estimated, usage.promptTokens);
      if (cut !== undefined) return cut;
      const next = calibrate(before, estimated, usage.promptTokens);
      if (next === undefined) return undefined;
      keep(request.model, next);
      return undefined;
    },
    longest: (model) => byModel.get(model)?.whole,
  };
}

function readStored(stored: unknown): Map<string, Calibration> {
  const byModel = new Map<string, Calibration>();
  if (typeof stored !== 'object' || stored === null) return byModel;
  for (const [model, value] of Object.entries(stored).slice(0, mostCalibrated)) {
    const { factor, error, samples, whole, image } = (value ?? {}) as Partial<Record<keyof Calibration, unknown>>;
    if (typeof factor !== 'number' || typeof error !== 'number' || typeof samples !== 'number') continue;
    if (!(factor >= 1 / most && factor <= most && error >= 0 && error <= 1 && samples >= 1)) continue;
    byModel.set(model, {
      factor,
      error,
      samples,
      ...(typeof whole === 'number' && whole > 0 && { whole }),
      ...(typeof image === 'number' && image >= 0 && image <= mostImageFactor && { image }),
    });
  }
  return byModel;
}
