import { isAnswerOf } from '../../agent/side-answer.ts';
import type { ChatRequest, ServiceClient, StreamEvent } from '../../service/contract.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Attempt, HistoryMessage } from '../../shared/messages.ts';
import type { Estimator } from '../../spend/estimate.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Compaction } from '../conversation.ts';
import { compactAtShare } from './context-window.ts';
import {
  assembleSummary,
  compactionMessages,
  instructions,
  type Keep,
  shortened,
  summaryMessage,
} from './summary-text.ts';

const maxSummaryTokens = 4000;
const expectedSummary = { of: 'summary', tokens: 1200 };
const expectedShare = 0.1;

/**
 * Returns the first turn that is kept word for word: as many of the last ones as fit into `maxTokens`, but never all,
 * because then nothing would be shortened. Returns undefined when not even the last one fits. `turns` must be in
 * order.
 */
export function keptFromTurn(
  turns: readonly { turnId: string; tokens: number }[],
  maxTokens: number,
): string | undefined {
  let tokens = 0;
  let kept: string | undefined;
  for (const [index, turn] of [...turns.entries()].reverse()) {
    tokens += turn.tokens;
    if (tokens > maxTokens || index === 0) return kept;
    kept = turn.turnId;
  }
  return kept;
}

export interface CompactionEstimate {
  tokens: number;
  priceMicroUsd: number;
  savedTokens: number;
  savedMicroUsd: number;
  paysAfterRequests: number;
}

/**
 * Estimates what a compaction costs and saves. `history` is what would be shortened, as it is sent now, without the
 * rules, which every request carries word for word in its system text.
 */
export function estimateCompaction(
  history: readonly HistoryMessage[],
  model: string,
  estimator: Pick<Estimator, 'prompt'>,
  keep: Keep,
): CompactionEstimate {
  const before = estimator.prompt({ model, messages: history }).tokens;
  const kept = estimator.prompt({
    model,
    messages: [{ role: 'user', text: assembleSummary('', history, keep) }],
  }).tokens;
  const expects = { ...expectedSummary, tokens: Math.min(expectedSummary.tokens, Math.ceil(before * expectedShare)) };
  const { tokens: request, reply = expects.tokens } = estimator.prompt({
    model,
    messages: compactionMessages(history),
    expects,
  });
  const written = Math.min(expectedSummary.tokens, reply);
  const tokens = request + reply;
  const savedTokens = Math.max(0, before - kept - written);
  const savedMicroUsd = costMicroUsd(savedTokens);
  return {
    tokens,
    priceMicroUsd: costMicroUsd(tokens),
    savedTokens,
    savedMicroUsd,
    paysAfterRequests: savedTokens === 0 ? 0 : Math.ceil(tokens / savedTokens),
  };
}

export interface CompactionDeps {
  /** The metered client charges and limits a compaction like everything else. */
  client: Pick<ServiceClient, 'complete'>;
  estimator: Pick<Estimator, 'prompt'>;
  model: string;
  keep: Keep;
  toSent(history: readonly HistoryMessage[]): readonly HistoryMessage[];
  windowTokens?: number;
}

const shorterText = [16_000, 8000, 4000, 2000, 1000, 500, 240];

function fittedMessages(
  history: readonly HistoryMessage[],
  { estimator, model, windowTokens }: Pick<CompactionDeps, 'estimator' | 'model' | 'windowTokens'>,
): HistoryMessage[] {
  let messages = compactionMessages(history);
  if (windowTokens === undefined) return messages;
  for (const characters of shorterText) {
    if (estimator.prompt({ model, messages }).tokens <= compactAtShare * windowTokens) break;
    messages = compactionMessages(
      history.map((message) => ({ ...message, text: shortened(message.text, characters) })),
    );
  }
  return messages;
}

/** `compaction` is absent when the summary would not be shorter, was cut, stopped, or failed; then nothing is lost. */
export interface WrittenCompaction {
  compaction?: Compaction;
  failure?: Failure;
  attempts: Attempt[];
}

const maxAsked = 2;

export function createCompaction(
  deps: CompactionDeps,
): (
  history: readonly HistoryMessage[],
  signal: AbortSignal,
  onEvent?: (event: StreamEvent) => void,
) => Promise<WrittenCompaction> {
  const { client, estimator, model, keep, toSent } = deps;
  return async (history, signal, onEvent = () => undefined) => {
    const sent = toSent(history);
    const request: ChatRequest = {
      model,
      messages: fittedMessages(sent, deps),
      maxTokens: Math.min(maxSummaryTokens, Math.ceil((deps.windowTokens ?? Number.POSITIVE_INFINITY) / 4)),
      surface: 'chat',
      expects: expectedSummary,
    };
    const attempts: Attempt[] = [];
    let written = '';
    for (let asked = 0; asked < maxAsked && !isAnswerOf('summary', written, instructions); asked++) {
      const result = await client.complete(request, onEvent, signal);
      attempts.push(...result.attempts);
      if (result.outcome === 'failed') return { failure: result.failure, attempts };
      written = result.reply.text.trim();
      // A summary that was cut lost its end, which is where the next step stands.
      if (result.outcome === 'stopped' || written === '' || result.reply.finish === 'length') return { attempts };
    }
    if (!isAnswerOf('summary', written, instructions)) return { attempts };
    const summary = assembleSummary(written, history, keep);
    const tokensBefore = estimator.prompt({ model, messages: sent }).tokens;
    const tokensAfter = estimator.prompt({ model, messages: [summaryMessage(summary)] }).tokens;
    if (tokensAfter >= tokensBefore) return { attempts };
    return { compaction: { summary, tokensBefore, tokensAfter, attempts }, attempts };
  };
}
