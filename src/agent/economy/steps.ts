import { estimateTokens } from '../../service/tokens.ts';
import type { HistoryMessage, ToolCall } from '../../shared/messages.ts';
import type { ToolKind } from '../tool.ts';
import { type TextLine, toLines } from './lines.ts';

export type AssistantMessage = Extract<HistoryMessage, { role: 'assistant' }>;

type ToolMessage = Extract<HistoryMessage, { role: 'tool' }>;

/** A call with what came of it. */
export interface StepCall {
  call: ToolCall;
  kind: ToolKind;
  /** Empty when what the model wrote is no JSON object. */
  args: Readonly<Record<string, unknown>>;
  path?: string;
  /** Undefined when the call was never answered (a crash, Stop). */
  result?: string;
  /** The lines of the result. */
  lines(): readonly TextLine[];
}

/** The history cut into what is always sent as it is and into steps: an answer with calls, and their results. */
export type Item =
  | { type: 'message'; message: HistoryMessage }
  | { type: 'step'; message: AssistantMessage; calls: StepCall[]; tokens: number };

export type Step = Extract<Item, { type: 'step' }>;

/** Steps that are told in short from one request on. */
export interface Fold {
  /** Indexes of items, rising; all are steps. */
  steps: number[];
  /** Items that the request held which folded them; what came later must not change the text any more. */
  seen: number;
}

export interface FoldLimits {
  /** Steps at the end that are always sent whole. */
  keepRecentSteps: number;
  /** Whole steps are folded when they hold more tokens than this, until they hold `lowShare` of it. */
  recentTokens: number;
}

/** Texts shorter than this are not worth a rule, and the record of a rule is no shorter. */
export const shortText = 240;
/** What had to be asked for a second time was folded too early: for a while more is kept. */
const growth = 1.5;
/** After so many folds of which nothing was asked for again, less is kept again. */
const calmFolds = 3;
/** Several steps at once, so that what a service keeps of the last request stays of use for a while. */
const lowShare = 0.4;
const mostGrowth = 2;

export function toItems(messages: readonly HistoryMessage[], toolKind: (name: string) => ToolKind): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined) continue;
    if (message.role !== 'assistant' || message.toolCalls.length === 0) {
      items.push({ type: 'message', message });
      continue;
    }
    const results = new Map<string, ToolMessage>();
    for (let next = messages[at + 1]; next?.role === 'tool'; next = messages[at + 1]) {
      if (!results.has(next.callId)) results.set(next.callId, next);
      at++;
    }
    items.push(toStep(message, results, toolKind));
  }
  return items;
}

function toStep(
  message: AssistantMessage,
  results: Map<string, ToolMessage>,
  toolKind: (name: string) => ToolKind,
): Step {
  const calls = message.toolCalls.map((call): StepCall => {
    const args = readArgs(call.arguments);
    const path = typeof args.path === 'string' ? args.path.replace(/^\.\//, '') : undefined;
    const result = results.get(call.id);
    results.delete(call.id);
    return { call, kind: toolKind(call.name), args, path, result: result?.text, lines: () => linesOf(result) };
  });
  const parts = [message.text, ...calls.flatMap(({ call, result }) => [call.arguments, result ?? ''])];
  return { type: 'step', message, calls, tokens: parts.reduce((sum, part) => sum + estimateTokens(part), 0) };
}

const linesByMessage = new WeakMap<ToolMessage, TextLine[]>();

/** The same messages come again with every request of a turn. */
function linesOf(message: ToolMessage | undefined): readonly TextLine[] {
  if (message === undefined) return [];
  const known = linesByMessage.get(message) ?? toLines(message.text);
  linesByMessage.set(message, known);
  return known;
}

function readArgs(raw: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    // Kept as the text it is; the normaliser tells the model.
    return {};
  }
}

/**
 * Which steps were folded when, found by living through the requests again. A fold depends only on what came before it, so
 * a longer history has the same folds and then some: between two folds every request begins with the one before it.
 */
export function planFolds(items: readonly Item[], { keepRecentSteps, recentTokens }: FoldLimits): Fold[] {
  const folds: Fold[] = [];
  const folded = new Set<string>();
  const whole: number[] = [];
  let wholeTokens = 0;
  let factor = 1;
  let quietFolds = 0;
  for (const [index, item] of items.entries()) {
    if (item.type === 'step') {
      whole.push(index);
      wholeTokens += item.tokens;
      const again = item.calls.some(({ result }) => result !== undefined && folded.delete(result));
      if (again) {
        factor = Math.min(mostGrowth, factor * growth);
        quietFolds = 0;
      }
    }
    const high = recentTokens * factor;
    if (wholeTokens <= high || !isAsked(item)) continue;
    const steps: number[] = [];
    while (whole.length > keepRecentSteps && wholeTokens > high * lowShare) {
      const first = whole.shift();
      const step = first === undefined ? undefined : items[first];
      if (first === undefined || step?.type !== 'step') break;
      steps.push(first);
      wholeTokens -= step.tokens;
      for (const { result = '' } of step.calls) if (result.length > shortText) folded.add(result);
    }
    if (steps.length === 0) continue;
    folds.push({ steps, seen: index + 1 });
    if (++quietFolds < calmFolds) continue;
    factor = Math.max(1, factor / growth);
    quietFolds = 0;
  }
  return folds;
}

/** A request ends with a result or with the user's words. */
function isAsked(item: Item): boolean {
  return item.type === 'step' || item.message.role === 'user';
}
