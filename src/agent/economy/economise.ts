import type { ModelFacts } from '../../service/step/learned.ts';
import { isOfUser } from '../../service/step/step-continuation.ts';
import { estimatePromptTokens, estimateTokens } from '../../service/tokens.ts';
import { imageNote, imagesIn } from '../../service/wire/images.ts';
import { normaliseHistory } from '../../service/wire/normalise-history.ts';
import { assumedImageTokens } from '../../shared/image.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import type { ToolKind } from '../tool.ts';
import { createRecall, type Recall } from './recall.ts';
import { type Recorder, type Rule, recordSteps } from './records.ts';
import { type Fold, planFolds, shortText, toItems } from './steps.ts';
import { wholeStep } from './whole-steps.ts';

export interface EconomyOptions {
  model: string;
  /** What is known of the model; without it only its family says whether it demands its reasoning back. */
  facts?: ModelFacts;
  toolKind(name: string): ToolKind;
  /** Steps at the end that are always sent whole. */
  keepRecentSteps?: number;
  /** Whole steps are folded into a record when they hold more tokens than this. */
  recentTokens?: number;
  /** False where there is no room for what a message may be about; true without it. */
  recall?: boolean;
}

export interface Economised {
  messages: readonly HistoryMessage[];
  /** Estimated, before calibration. `tokens` is the sum of `byRule`; what was brought back is below zero. */
  saved: { tokens: number; byRule: Record<Rule, number> };
  /** What would have been brought back if the last message of the user had been another. */
  recall: Recall;
}

const defaults = { keepRecentSteps: 2, recentTokens: 6000 };
const joinedRuns = 4;
/** An image is sent again until so many messages of the user followed its own. */
export const imageMessages = 3;

/**
 * The stored history as it is sent: the last steps whole; older ones as records that keep everything that was said,
 * what was used of their results and what cannot be guessed. System text, the user's words and the model's words are
 * never changed, and every call that is sent has its result. Pure. A longer history gives the same messages and
 * then more, so that a cache of the service can work, except when steps are folded, which happens to several at once,
 * when a file is read again, and when the user writes again: what that may be about is brought back from folded steps.
 */
export function economise(messages: readonly HistoryMessage[], options: EconomyOptions): Economised {
  const items = toItems(messages, options.toolKind);
  const { keepRecentSteps = defaults.keepRecentSteps, recentTokens = defaults.recentTokens } = options;
  const folds = planFolds(items, { keepRecentSteps, recentTokens });
  const keepReasoning = demandsReasoning(options.model, options.facts ?? { parameters: {} });
  const cut: Recorder['cut'] = { superseded: 0, repeated: 0, failed: 0, spent: 0, calls: 0, reasoning: 0 };
  const recorder: Recorder = { items, told: new Set(), records: 0, cut, keepReasoning };
  const records = new Map<number, HistoryMessage[]>();
  const folded = new Set<number>();
  for (const { steps, seen } of joinRuns(folds.flatMap(runsOf))) {
    for (const index of steps) folded.add(index);
    records.set(steps[0] ?? 0, recordSteps(recorder, steps, seen));
  }
  const whole = items.flatMap((item, index) => (item.type === 'step' && !folded.has(index) ? [{ item, index }] : []));
  const sent = items.flatMap((item, index) => {
    if (folded.has(index)) return records.get(index) ?? [];
    if (item.type === 'message') return [item.message];
    const later = whole.filter((other) => other.index > index).map((other) => other.item);
    const { messages: told, superseded } = wholeStep(item, later);
    cut.superseded += superseded;
    return told;
  });
  const asked = items.findLastIndex((item) => item.type === 'message' && isOfUser(item.message));
  const recall = createRecall(items, folded, asked, sent);
  // As long as what was done since is sent whole: then what was of use stands in the model's own words.
  const isFresh = !items.some((_, index) => index > asked && folded.has(index));
  const question = options.recall !== false && isFresh ? items[asked] : undefined;
  const recalled = question?.type === 'message' ? recall(question.message.text) : undefined;
  const once = referRepeats(nameOldImages(addToLastRecord(sent, records, asked, recalled)), cut);
  const result = keepReasoning ? once : once.map((message) => withoutReasoning(message, cut));
  return { messages: result, saved: savings(messages, result, cut, estimateTokens(recalled ?? '')), recall };
}

/** Stays in the role of a tool, as all that tools returned, and near the question, so that most of the request stays as it was. */
function addToLastRecord(
  sent: readonly HistoryMessage[],
  records: ReadonlyMap<number, readonly HistoryMessage[]>,
  asked: number,
  text: string | undefined,
): readonly HistoryMessage[] {
  const last = Math.max(...[...records.keys()].filter((index) => index < asked));
  const result = records.get(last)?.at(-1);
  if (text === undefined || result === undefined) return sent;
  return sent.map((message) => (message === result ? { ...message, text: `${message.text}\n${text}` } : message));
}

/** Asked of the one place that knows: the form in which this model's history is sent. */
function demandsReasoning(model: string, facts: ModelFacts): boolean {
  const probe: HistoryMessage[] = [{ role: 'assistant', text: 'a', reasoning: 'b', model, toolCalls: [] }];
  return normaliseHistory(probe, model, facts, 'normal').some((message) => 'reasoning_content' in message);
}

/** A record stands where its steps stood, so only neighbours share one. */
function runsOf({ steps, seen }: Fold): Fold[] {
  const runs: Fold[] = [];
  for (const index of steps) {
    const last = runs.at(-1);
    if (last?.steps.at(-1) === index - 1) last.steps.push(index);
    else runs.push({ steps: [index], seen });
  }
  return runs;
}

/**
 * Every few neighbouring records become one, with what was known when the last of them was made: what has been replaced
 * since is told once, and the form of their calls is paid for once. They then stay as they are.
 */
function joinRuns(runs: readonly Fold[]): Fold[] {
  const joined: Fold[] = [];
  let chain: Fold[] = [];
  for (const run of runs) {
    const isNext = chain.at(-1)?.steps.at(-1) === (run.steps[0] ?? 0) - 1;
    if (!isNext) {
      joined.push(...chain);
      chain = [];
    }
    chain.push(run);
    if (chain.length === joinedRuns) {
      joined.push({ steps: chain.flatMap(({ steps }) => steps), seen: run.seen });
      chain = [];
    }
  }
  return [...joined, ...chain];
}

/** A result that stands above, word for word, is referred to. */
function referRepeats(messages: readonly HistoryMessage[], cut: Recorder['cut']): HistoryMessage[] {
  const sent = new Map<string, string>();
  return messages.map((message) => {
    if (message.role !== 'tool' || message.text.length <= shortText) return message;
    const known = sent.get(message.text);
    if (known === undefined) {
      sent.set(message.text, message.callId);
      return message;
    }
    const text = `[The same result as that of call ${known} above, word for word.]`;
    cut.repeated += message.text.length - text.length;
    return { ...message, text };
  });
}

/** An old image has been looked at: what was said of it stays, and it is named so that it can be asked for again. */
function nameOldImages(messages: readonly HistoryMessage[]): HistoryMessage[] {
  let later = messages.filter(({ role }) => role === 'user').length;
  return messages.map((message) => {
    if (message.role !== 'user') return message;
    later -= 1;
    if (message.images === undefined || later < imageMessages) return message;
    const { images, ...rest } = message;
    return { ...rest, text: [...images.map((image) => imageNote(image, 'earlier')), message.text].join('\n\n') };
  });
}

function withoutReasoning(message: HistoryMessage, cut: Recorder['cut']): HistoryMessage {
  if (message.role !== 'assistant' || message.reasoning === undefined) return message;
  const { reasoning, ...rest } = message;
  cut.reasoning += reasoning.length;
  return rest;
}

function imageTokens(messages: readonly HistoryMessage[]): number {
  return imagesIn(messages).reduce((sum, image) => sum + assumedImageTokens(image), 0);
}

function charactersOf(messages: readonly HistoryMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.role !== 'assistant') return sum + message.text.length;
    const calls = message.toolCalls.map((call) => call.name.length + call.arguments.length);
    return calls.reduce((all, length) => all + length, sum + message.text.length + (message.reasoning?.length ?? 0));
  }, 0);
}

/** What no rule of its own accounts for is the form of the calls that records do without. */
function savings(
  before: readonly HistoryMessage[],
  after: readonly HistoryMessage[],
  cut: Recorder['cut'],
  recalled: number,
): Economised['saved'] {
  const tokens = estimatePromptTokens({ messages: before }) - estimatePromptTokens({ messages: after });
  const images = imageTokens(before) - imageTokens(after);
  const byRule = { ...cut, images, recalled: 0 - recalled };
  let named = images - recalled;
  const characters = charactersOf(before) - charactersOf(after);
  const perCharacter = characters > 0 ? Math.max(0, tokens - named) / characters : 0;
  for (const rule of ['superseded', 'repeated', 'failed', 'spent', 'reasoning'] as const) {
    byRule[rule] = Math.round(Math.max(0, cut[rule]) * perCharacter);
    named += byRule[rule];
  }
  byRule.calls = tokens - named;
  return { tokens, byRule };
}
