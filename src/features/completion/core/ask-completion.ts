import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { startDeadline } from '../../../base/deadline.ts';
import { dropOldest } from '../../../base/drop-oldest.ts';
import { isoTime } from '../../../base/iso-time.ts';
import type { ChatRequest, ServiceClient, StreamEvent } from '../../../service/contract.ts';
import type { Learned } from '../../../service/step/learned.ts';
import type { Failure } from '../../../shared/failure/failure.ts';
import type { Cost } from '../../../shared/messages.ts';
import { type Estimator, requestMicroUsd } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import { sumCost } from '../../../spend/price.ts';
import { estimatedTokens, type ModelChoice } from './choose-model.ts';
import { cleanCompletion } from './clean-completion.ts';
import type { CompletionProblem } from './completion-body.ts';
import { type CompletionAsk, completionMessages, completionTokens } from './completion-request.ts';

export interface CompletionDeps {
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt'>;
  learned: Pick<Learned, 'learn'>;
  choose(): ModelChoice;
  clock: Clock;
  newId(): string;
}

/** `text` is present when the same was asked before and its answer is still known. */
export interface PlannedCompletion extends ModelChoice {
  ask: CompletionAsk;
  request: ChatRequest;
  estimateMicroUsd: number;
  text?: string;
}

export type CompletionResult =
  | { outcome: 'found'; text: string; cost: Cost }
  | { outcome: 'nothing'; problem: CompletionProblem | 'thinks' | 'late'; cost: Cost }
  | { outcome: 'failed'; failure: Failure }
  | { outcome: 'stopped'; cost: Cost };

const thinkingTokens = 1500;
const maxThoughtMs = 10_000;
const maxKnown = 20;

export function createCompletions(deps: CompletionDeps) {
  const known = new Map<string, string>();
  return {
    plan(ask: CompletionAsk): PlannedCompletion {
      const choice = deps.choose();
      const messages = completionMessages(ask);
      const maxTokens = choice.thinks ? thinkingTokens : completionTokens;
      const expects = { of: 'completion', tokens: estimatedTokens };
      const request: ChatRequest = { model: choice.model, messages, maxTokens, surface: 'completion', expects };
      const text = known.get(keyOf(request));
      return {
        ...choice,
        ask,
        request,
        estimateMicroUsd: requestMicroUsd(deps.estimator, request),
        ...(text !== undefined && { text }),
      };
    },
    async run(planned: PlannedCompletion, signal: AbortSignal): Promise<CompletionResult> {
      const result = await send(deps, planned, signal);
      if (result.outcome === 'found') {
        known.set(keyOf(planned.request), result.text);
        dropOldest(known, maxKnown);
      }
      return result;
    },
  };
}

function keyOf({ messages }: ChatRequest): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('base64');
}

async function send(deps: CompletionDeps, planned: PlannedCompletion, signal: AbortSignal): Promise<CompletionResult> {
  const { request, thinks, ask } = planned;
  const client: Pick<ServiceClient, 'stream'> = deps.metered({ surface: 'completion', turnId: deps.newId() });
  const deadline = startDeadline(deps.clock, thinks ? maxThoughtMs : Number.POSITIVE_INFINITY, signal);
  const stop = new AbortController();
  const thought = createThought();
  const onEvent = (event: StreamEvent): void => {
    if (event.type === 'text') deadline.met();
    thought.hear(event);
    // Asked again it would think again, and be paid again.
    if (event.type === 'attemptEnded' && thought.isAll()) stop.abort();
  };
  const result = await client.stream(request, onEvent, AbortSignal.any([deadline.signal, stop.signal]));
  const isLate = deadline.isOver();
  deadline.close();
  const cost = sumCost(result.attempts);
  const isThought =
    thought.isAll() || (result.outcome === 'done' && result.reply.finish === 'length' && thought.isMost());
  if (isThought) learn(deps, result.reply.model);
  if (signal.aborted) return { outcome: 'stopped', cost };
  if (isLate) return { outcome: 'nothing', problem: 'late', cost };
  if (thought.isAll()) return { outcome: 'nothing', problem: 'thinks', cost };
  if (result.outcome === 'stopped') return { outcome: 'stopped', cost };
  if (result.outcome === 'failed') return { outcome: 'failed', failure: result.failure };
  const isCut = result.reply.finish === 'length' || result.reply.evidence === 'none' || result.reply.damagedEvents > 0;
  const cleaned = cleanCompletion(result.reply.text, { ...ask, isCut });
  if ('problem' in cleaned) return { outcome: 'nothing', problem: cleaned.problem, cost };
  return { outcome: 'found', text: cleaned.text, cost };
}

function learn({ learned, clock }: CompletionDeps, model: string): void {
  const evidence = 'it thought before a completion and was cut off';
  learned.learn(model, { thinksFirst: { works: true, at: isoTime(clock.epochMs()), evidence } });
}

function createThought() {
  let [text, reasoning] = [0, 0];
  return {
    hear(event: StreamEvent): void {
      if (event.type === 'requestSent') [text, reasoning] = [0, 0];
      if (event.type === 'text') text += event.text.trim().length;
      if (event.type === 'reasoning') reasoning += event.text.trim().length;
    },
    isAll: () => reasoning > 0 && text === 0,
    isMost: () => reasoning > text,
  };
}
