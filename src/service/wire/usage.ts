import type { Usage } from '../../shared/messages.ts';
import type { Reply } from '../contract.ts';
import { replyTokens } from '../tokens.ts';
import type { ReportedUsage } from './chunk-schema.ts';

/** The last report of a stream counts, but a report of zero never replaces one that counts something. */
export function newerUsage(
  before: ReportedUsage | undefined,
  next: ReportedUsage | undefined,
): ReportedUsage | undefined {
  return next === undefined || (before !== undefined && sizeOf(next) === 0) ? before : next;
}

/**
 * Cost is total tokens: the larger of the total and the sum of its parts, marked as estimated when the two differ. A
 * total that agrees with the parts is believed, even where thinking was counted beside the completion. A missing part
 * is derived from the rest or estimated. Returns undefined when the report counts nothing.
 */
export function readReport(report: ReportedUsage, reply: Omit<Reply, 'usage'>): Usage | undefined {
  if (sizeOf(report) === 0) return undefined;
  const { promptTokens: prompt = 0, completionTokens: completion, totalTokens: total = 0 } = report;
  const written = replyTokens(reply);
  // No request has an empty prompt, so a zero says as little as nothing.
  if (prompt === 0) {
    if (total === 0) return undefined;
    const completionTokens = Math.min(total, completion ?? written);
    return { promptTokens: total - completionTokens, completionTokens, totalTokens: total, estimated: true };
  }
  const isRest = completion === undefined || (completion === 0 && written > 0);
  const rest = total > prompt ? total - prompt : undefined;
  const thoughtBeside = !isRest && total > 0 && total === prompt + completion + (report.reasoningTokens ?? 0);
  const counted = isRest ? (rest ?? written) : thoughtBeside ? total - prompt : completion;
  const isDistinct = total > 0 && total === prompt + counted;
  const beside = isDistinct ? 0 : outside(report.reasoningTokens, counted) + outside(report.cachedTokens, prompt);
  const sum = prompt + counted + beside;
  const totalTokens = Math.max(total, sum);
  const isWhole = !isRest || rest !== undefined;
  return {
    promptTokens: prompt,
    completionTokens: counted,
    totalTokens,
    estimated: !isWhole || totalTokens !== prompt + counted || (total > 0 && total !== totalTokens),
  };
}

/** A part that is larger than its whole was counted beside it. */
function outside(part: number | undefined, whole: number): number {
  return part !== undefined && part > whole ? part : 0;
}

function sizeOf({ promptTokens = 0, completionTokens = 0, totalTokens = 0 }: ReportedUsage): number {
  return Math.max(promptTokens, completionTokens, totalTokens);
}

/**
 * Reported counts are believed up to this factor of the estimates, because tokenizers and images differ, plus
 * `maxAdded` for a template and `maxHidden` for thinking that is not shown.
 */
const maxTimes = 8;
const maxAdded = 8192;
const maxHidden = 131_072;

/**
 * Believes the report as far as it is plausible and uses the estimates otherwise, because one absurd count must not
 * use up a day's limit. `countedPrompt` is set when the reported prompt is plausible.
 */
export function settleUsage(
  { usage, countedPrompt }: Pick<Reply, 'usage' | 'countedPrompt'>,
  sentTokens: number,
  writtenTokens: number,
): { usage: Usage; countedPrompt?: number } {
  if (usage === undefined) return { usage: estimated(sentTokens, writtenTokens) };
  const maxPrompt = maxTimes * sentTokens + maxAdded;
  const maxCompletion = maxTimes * writtenTokens + maxHidden;
  const counted = countedPrompt !== undefined && countedPrompt <= maxPrompt ? { countedPrompt } : {};
  const { promptTokens, completionTokens, totalTokens } = usage;
  const [prompt, completion] = [promptTokens <= maxPrompt, completionTokens <= maxCompletion];
  if (prompt && completion && totalTokens <= maxPrompt + maxCompletion) return { usage, ...counted };
  const left = estimated(prompt ? promptTokens : sentTokens, completion ? completionTokens : writtenTokens);
  return { usage: left, ...counted };
}

function estimated(promptTokens: number, completionTokens: number): Usage {
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, estimated: true };
}
