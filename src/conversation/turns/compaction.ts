import type { ChatRequest, ServiceClient, StreamEvent } from '../../service/contract.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Attempt, HistoryMessage } from '../../shared/messages.ts';
import type { Estimator } from '../../spend/estimate.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Compaction } from '../conversation.ts';
import { compactAtShare } from './context-window.ts';
import { assembleSummary, compactionMessages, type Keep, shortened, summaryMessage } from './summary-text.ts';

/** A summary that runs on is cut here and thrown away; it is asked to be much shorter. */
const maxSummaryTokens = 4000;
/** A quote assumes the smaller one: so many tokens, or this share of the history. */
const expectedSummary = { tokens: 1200, share: 0.1 };

/**
 * The first turn that is kept word for word: as many of the last ones as fit into `maxTokens`, but never all of them, because
 * then nothing would be shortened. `undefined` when not even the last one fits. `turns` in order.
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

/** Shown to the user before anything is spent. All of it is estimated. */
export interface CompactionEstimate {
  /** Tokens of the request that writes the summary, with its reply. */
  tokens: number;
  priceMicroUsd: number;
  /** Less in every later request. Zero when compacting would save nothing. */
  savedTokens: number;
  savedMicroUsd: number;
  /** Requests after which it has paid for itself; 0 when it never will. */
  paysAfterRequests: number;
}

/**
 * `history` is what would be shortened, as it is sent now. Rules are not part of it: they stand in the system text of
 * every request and are re-sent word for word.
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
  const written = Math.min(expectedSummary.tokens, Math.ceil(before * expectedSummary.share));
  const request = estimator.prompt({ model, messages: compactionMessages(history) }).tokens;
  const tokens = request + written;
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
  /** The metered client: a compaction is charged and limited like everything else. */
  client: Pick<ServiceClient, 'complete'>;
  estimator: Pick<Estimator, 'prompt'>;
  model: string;
  keep: Keep;
  /** The history as it is sent, which is what the saving is measured against. */
  toSent(history: readonly HistoryMessage[]): readonly HistoryMessage[];
  /** Bound of the request that writes the summary; absent where nobody knows. */
  windowTokens?: number;
}

/** Characters of one message that are told, tried in this order until the request fits. */
const shorterText = [16_000, 8000, 4000, 2000, 1000, 500, 240];

/** The conversation as told to the model that shortens it: long messages lose their middle when all of it is too much. */
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

/** Without a compaction when it would not be shorter than what it replaces, was cut, stopped, or failed: nothing is lost. */
export interface WrittenCompaction {
  compaction?: Compaction;
  failure?: Failure;
  /** All requests for the summary, whatever became of them. */
  attempts: Attempt[];
}

/** Writes the summary. */
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
    };
    const result = await client.complete(request, onEvent, signal);
    const { attempts } = result;
    if (result.outcome === 'failed') return { failure: result.failure, attempts };
    const written = result.reply.text.trim();
    // A summary that was cut lost its end, which is where the next step stands.
    if (result.outcome === 'stopped' || written === '' || result.reply.finish === 'length') return { attempts };
    const summary = assembleSummary(written, history, keep);
    const tokensBefore = estimator.prompt({ model, messages: sent }).tokens;
    const tokensAfter = estimator.prompt({ model, messages: [summaryMessage(summary)] }).tokens;
    if (tokensAfter >= tokensBefore) return { attempts };
    return { compaction: { summary, tokensBefore, tokensAfter, attempts }, attempts };
  };
}
