import type { Clock } from '../base/clock.ts';
import type { ChatRequest, ServiceClient } from '../service/contract.ts';
import { estimateTokens } from '../service/tokens.ts';
import type { StepFinished, ToolFinished, TurnOutcome } from '../shared/events.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { Attempt, HistoryMessage } from '../shared/messages.ts';
import { costMicroUsd, counts } from '../spend/price.ts';
import { withinTokens } from './cap-text.ts';
import { limitedClient } from './limited-client.ts';
import { runTurn } from './loop.ts';
import type { Tool } from './tool.ts';
import type { LoopDeps } from './turn.ts';

export interface SubagentDeps extends Pick<LoopDeps, 'economise' | 'dialect' | 'log'> {
  /**
   * This client refuses a request that costs more than the whole subagent may, or that exceeds a limit of its
   * conversation.
   */
  client: Pick<ServiceClient, 'stream'>;
  /** Only tools that read are used, and never one that asks a subagent. */
  tools: readonly Tool[];
  systemPrompt(history: readonly HistoryMessage[]): string;
  estimate(request: ChatRequest): number;
  clock: Clock;
}

export interface SubagentAsk {
  task: string;
  model: string;
  request: Omit<ChatRequest, 'model' | 'messages' | 'tools' | 'surface'>;
  maxMicroUsd: number;
  turnId: string;
  signal: AbortSignal;
  onRead(title: string): void;
  /** Is called once for each request as it ends, whatever its result. */
  onPaid(attempt: Attempt): void;
}

export interface SubagentResult {
  outcome: TurnOutcome;
  failure?: Failure;
  text: string;
  reads: readonly string[];
  readTokens: number;
  briefTokens: number;
  readRequests: number;
  laterReadTokens: number;
  paidTokens: number;
}

export const maxSubagentRequests = 12;
export const maxAnswerLength = 6000;
const maxReplyLength = 4000;
const maxResultsLength = 16_000;
const resultTokens = 6000;

const manner = [
  'Another agent asks you, not a person: nobody can be asked back, and nothing is changed. Look only as far as the task needs.',
  `Then answer it in at most ${maxAnswerLength} characters: what you found and what you did not, each fact with its \`path:line\`, no code that is longer than a few lines.`,
].join(' ');

const answerNow =
  '[Automatic note: nothing more can be looked at. Answer now with what you found, and say what is missing.]';

/**
 * Returns the least that a subagent must be able to spend: the price of its first request, of `briefTokens`, with one
 * read.
 */
export function minMicroUsd(briefTokens: number): number {
  return costMicroUsd(2 * (briefTokens + maxReplyLength) + resultTokens);
}

/**
 * Runs a task with a history of its own: system text, rules and task, nothing of the conversation. It never rejects
 * because of the service.
 */
export async function runSubagent(deps: SubagentDeps, ask: SubagentAsk): Promise<SubagentResult> {
  const maxTokens = Math.min(maxReplyLength, ask.request.maxTokens ?? maxReplyLength);
  const room = { left: maxResultsLength };
  const tools = deps.tools
    .filter(({ access, kind }) => access === 'read' && kind !== 'subagent')
    .map((tool) => withinTokens(tool, room));
  const followed = createFollower();
  const limited = limitedClient(deps.client, {
    requests: maxSubagentRequests,
    microUsd: ask.maxMicroUsd,
    tokens: (request) => deps.estimate(request) + maxTokens,
    growth: resultTokens,
    closing(request) {
      room.left = 0;
      return closed(request);
    },
  });
  const client: Pick<ServiceClient, 'stream'> = {
    stream(request, onEvent, signal, admit) {
      room.left = maxResultsLength;
      return limited.stream(request, onEvent, signal, admit);
    },
  };
  let calls = 0;
  const { outcome, failure } = await runTurn(
    {
      ...deps,
      client: telling(client, ask.onPaid),
      tools,
      access: ['read'],
      systemPrompt: (history) => `${deps.systemPrompt(history)}\n${manner}`,
      maxSteps: () => maxSubagentRequests,
      newCallId: () => `look${++calls}`,
    },
    {
      turnId: ask.turnId,
      history: [{ role: 'user', text: ask.task }],
      model: ask.model,
      request: { ...ask.request, maxTokens, surface: 'subagent' },
      signal: ask.signal,
      emit(event) {
        if (event.type === 'toolStarted') ask.onRead(event.title);
        if (event.type === 'toolFinished') followed.look(event);
        if (event.type === 'stepFinished') followed.step(event);
      },
    },
  );
  const paidTokens = limited
    .attempts()
    .filter(counts)
    .reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0);
  return {
    outcome,
    ...(failure && { failure }),
    text: shortened(followed.answer()),
    ...followed.figures(),
    paidTokens,
  };
}

function closed({ tools: _tools, ...request }: ChatRequest): ChatRequest {
  return { ...request, messages: [...request.messages, { role: 'user', text: answerNow }] };
}

function shortened(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= maxAnswerLength) return trimmed;
  const note = '\n[cut here: its answer was too long]';
  return trimmed.slice(0, maxAnswerLength - note.length).toWellFormed() + note;
}

function telling(
  client: Pick<ServiceClient, 'stream'>,
  onPaid: (attempt: Attempt) => void,
): Pick<ServiceClient, 'stream'> {
  const reported = new Set<string>();
  const report = (attempt: Attempt) => {
    if (reported.has(attempt.requestId)) return;
    reported.add(attempt.requestId);
    onPaid(attempt);
  };
  return {
    async stream(request, onEvent, signal, admit) {
      const result = await client.stream(
        request,
        (event) => {
          if (event.type === 'attemptEnded') report(event.attempt);
          onEvent(event);
        },
        signal,
        admit,
      );
      for (const attempt of result.attempts) report(attempt);
      return result;
    },
  };
}

function createFollower() {
  const reads = new Set<string>();
  const said: string[] = [];
  const figures = { readTokens: 0, briefTokens: 0, readRequests: 0, laterReadTokens: 0 };
  return {
    look({ title, state }: ToolFinished): void {
      if (state === 'done') reads.add(title);
    },
    step({ attempts, toolCalls, text }: StepFinished): void {
      said.push(text.trim());
      const usage = attempts.at(-1)?.usage;
      figures.briefTokens ||= usage?.promptTokens ?? 0;
      figures.readTokens = Math.max(0, (usage?.promptTokens ?? 0) - figures.briefTokens);
      if (toolCalls.length === 0) return;
      figures.readRequests += 1;
      if (figures.readRequests > 1) figures.laterReadTokens += usage?.totalTokens ?? 0;
    },
    figures: () => ({ ...figures, reads: [...reads] }),
    answer(): string {
      // A last reply that only speaks of the report comes behind the report.
      const longest = Math.max(...said.map(({ length }) => length));
      return said.slice(said.findIndex(({ length }) => length === longest)).join('\n\n');
    },
  };
}

/**
 * Estimates the tokens that the conversation, whose request had `historyTokens`, saved by asking a subagent.
 * `keptTokens` is what was read less the answer. `aheadTokens` is what the same reads would have cost there less their
 * cost here: the first request and the answer are extra, and each read carried less.
 */
export function savedBy(
  { readTokens, briefTokens, readRequests, laterReadTokens, paidTokens, text }: SubagentResult,
  historyTokens: number,
): { keptTokens: number; aheadTokens: number } {
  const carriedLess = Math.max(0, readRequests - 1) * (historyTokens - briefTokens);
  return {
    keptTokens: readTokens - estimateTokens(text),
    aheadTokens: Math.round(laterReadTokens + carriedLess - paidTokens),
  };
}
