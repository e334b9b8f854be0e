import type { ChatRequest, StreamEvent } from '../service/contract.ts';
import { isOfUser } from '../service/step/step-continuation.ts';
import { estimatePromptTokens } from '../service/tokens.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { Attempt, HistoryMessage } from '../shared/messages.ts';
import { sumCost } from '../spend/price.ts';
import { askInStream } from './ask-in-stream.ts';
import type { LoopDeps, RequestWindow, TurnInput } from './turn.ts';
import { stepRequest } from './turn-request.ts';

export interface TurnSize {
  room?: number;
  refused: boolean;
  refusals: number;
  /** Counts the messages at the last compaction, because another one right after it would gain nothing. */
  compactedAt: number;
}

const maxRefusals = 3;
const maxTailShare = 0.5;
const minNewMessages = 4;
const shorterShare = 0.4;
const shorterEnough = 0.5;
const maxTries = 3;
const spare = 500;

export function newTurnSize(): TurnSize {
  return { refused: false, refusals: 0, compactedAt: 0 };
}

interface FittingTurn {
  messages: HistoryMessage[];
  tools: Pick<ChatRequest, 'tools'>;
  attempts: Attempt[];
  model: string;
  size: TurnSize;
}

type Deps = Pick<LoopDeps, 'economise' | 'window' | 'log'>;

/**
 * Makes the request of the next step. Near the limit, less is sent whole until the end of the turn. When that is not
 * enough, everything but the last step becomes a summary, which is shown, charged and stored. Only the user's spend
 * limit is returned as a failure; everything else is left to the service to judge.
 */
export async function fitRequest(
  deps: Deps,
  input: TurnInput,
  turn: FittingTurn,
  step: number,
): Promise<{ request: ChatRequest; savedTokens: number } | { failure: Failure }> {
  const { window } = deps;
  const { size } = turn;
  const next = () => stepRequest(deps, input.request, turn, size.room);
  let fitting = next();
  if (window === undefined) return fitting;
  const { refused } = size;
  if (refused) {
    // The limit may be unknown: then only a much shorter request is worth another try.
    const before = estimatePromptTokens(fitting.request);
    size.room = before * shorterShare;
    fitting = next();
    if (estimatePromptTokens(fitting.request) < before * shorterEnough) size.refused = false;
  }
  for (let tries = 0; tries < maxTries && excess(window, fitting.request) > 0; tries++) {
    const { messages } = fitting.request;
    size.room = estimatePromptTokens({ messages }) * (1 - excess(window, fitting.request)) - spare;
    fitting = next();
  }
  if (!size.refused && excess(window, fitting.request) <= 0) return fitting;
  if (!refused && turn.messages.length - size.compactedAt < minNewMessages) return fitting;
  const failure = await compactTurn({ ...deps, window }, input, turn, step);
  size.refused = false;
  return failure === undefined ? next() : { failure };
}

function excess(window: RequestWindow, request: ChatRequest): number {
  const { tokens, max } = window.size(request);
  return max === undefined || tokens < max ? 0 : (tokens - max) / tokens || Number.EPSILON;
}

export function shrinksAfter(
  failure: Failure | undefined,
  turn: FittingTurn,
  window: RequestWindow | undefined,
): boolean {
  const { size } = turn;
  if (failure?.kind !== 'context-length' || window === undefined) {
    if (failure === undefined) size.refusals = 0;
    return false;
  }
  size.refused = true;
  size.refusals += 1;
  return size.refusals <= maxRefusals;
}

async function compactTurn(
  { window, log }: Deps & { window: RequestWindow },
  input: TurnInput,
  turn: FittingTurn,
  step: number,
): Promise<Failure | undefined> {
  const { turnId, emit, signal } = input;
  const [system, ...history] = turn.messages;
  const tail = lastStep(history, step);
  const earlier = history.slice(0, history.length - tail.length);
  if (system === undefined || earlier.length === 0) return undefined;
  const onEvent = (event: StreamEvent): void => {
    if (event.type === 'requestSent') emit({ type: 'requestSent', turnId, step, model: event.model, at: event.at });
    if (event.type === 'asked') askInStream(event, { turnId, step, signal, ask: input.person?.ask });
  };
  const { written, failure, attempts } = await window.summarise(earlier, turn.model, { signal, onEvent });
  turn.attempts.push(...attempts);
  turn.size.compactedAt = turn.messages.length;
  if (written === undefined || signal.aborted) {
    if (attempts.length > 0) emit({ type: 'summaryDropped', turnId, step, attempts });
    if (failure === undefined || signal.aborted) return undefined;
    log(`Compacting within the turn failed: ${failure.message}`);
    return failure.kind === 'over-budget' ? failure : undefined;
  }
  const { message, ...compaction } = written;
  turn.messages = [system, message, ...asked(earlier, message), ...tail];
  turn.size.compactedAt = turn.messages.length;
  const { tokensBefore, tokensAfter } = compaction;
  const fromStep = tail[0]?.role === 'assistant' ? step - 1 : step;
  emit({ type: 'compacted', turnId, step: fromStep, ...compaction, attempts });
  const cost = sumCost(attempts);
  const price = { microUsd: cost.microUsd, estimated: cost.estimated };
  emit({ type: 'notice', turnId, step, notice: { kind: 'compacted', tokensBefore, tokensAfter, ...price } });
  return undefined;
}

/**
 * Returns the last answer with calls, their results, and what the user said to them. Where that is most of what is
 * sent, it returns the user's words alone, because they are never shortened.
 */
function lastStep(history: readonly HistoryMessage[], step: number): HistoryMessage[] {
  const at = history.findLastIndex((message) => message.role === 'assistant');
  const answer = history[at];
  if (answer?.role !== 'assistant') return [];
  const tail = history.slice(at);
  const said = step > 1 ? tail.filter(({ role }) => role === 'user') : [];
  if (answer.toolCalls.length === 0) return said;
  const tokens = estimatePromptTokens({ messages: tail });
  return tokens > maxTailShare * estimatePromptTokens({ messages: history }) ? said : tail;
}

function asked(earlier: readonly HistoryMessage[], summary: HistoryMessage): HistoryMessage[] {
  const message = earlier.findLast(isOfUser);
  return message === undefined || message.text.length > summary.text.length ? [] : [message];
}
