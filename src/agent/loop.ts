import * as l10n from '@vscode/l10n';
import { isoTime } from '../base/iso-time.ts';
import type { ChatRequest, Reply, ReplyCall, StreamResult } from '../service/contract.ts';
import { estimatePromptTokens } from '../service/tokens.ts';
import type { SentTokens } from '../shared/events.ts';
import type { FailureKind } from '../shared/failure/kinds.ts';
import type { Attempt, HistoryMessage, ToolCall } from '../shared/messages.ts';
import { sumCost } from '../spend/price.ts';
import { announcesStep, breaksOff } from './announced-step.ts';
import { askNobody, createConsent } from './consent.ts';
import { readLeaked } from './dialect/leaked-calls.ts';
import { understandCalls } from './dialect/understand-calls.ts';
import { fitRequest, newTurnSize, shrinksAfter, type TurnSize } from './fit-request.ts';
import { maxLeakedReplies, maxMalformedReplies, maxReminders, maxReplyImages, maxReplyResultBytes } from './guards.ts';
import { imagesMessage } from './history.ts';
import { createProgressJudge, type ProgressJudge } from './progress.ts';
import { type CallsInput, runCalls } from './run-calls.ts';
import { streamStep } from './stream-step.ts';
import type { LoopDeps, TurnInput, TurnResult } from './turn.ts';
import { toolsNow, turnStart } from './turn-request.ts';

interface Turn {
  messages: HistoryMessage[];
  tools: Pick<ChatRequest, 'tools'>;
  attempts: Attempt[];
  text: string;
  model: string;
  malformedReplies: number;
  namesExplained: Set<string>;
  vetoedReplies: number;
  progress: ProgressJudge;
  reminders: number;
  size: TurnSize;
  steps: number;
  maxSteps: number;
  historyTokens?: number;
}

type TurnEnd = Pick<TurnResult, 'outcome' | 'failure'>;

/** Runs a turn without a person from a request that is written out, whose tools `deps` has. */
export function runRequest(
  deps: Omit<LoopDeps, 'systemPrompt' | 'newCallId'>,
  { messages, model, tools: _tools, ...request }: ChatRequest,
  input: Pick<TurnInput, 'turnId' | 'emit' | 'signal'>,
): Promise<TurnResult> {
  const [system, ...history] = messages;
  let calls = 0;
  const own = { systemPrompt: () => system?.text ?? '', newCallId: () => `call${++calls}` };
  return runTurn({ ...deps, ...own }, { ...input, history, model, request });
}

/**
 * Runs one turn: request, stream, tools, again, until the model answers without a call. It emits everything that the
 * grammar in `events.ts` has between `turnStarted` and `turnEnded`; the conversation emits those two and
 * `userMessage`. It never throws: an error is an outcome.
 */
export async function runTurn(deps: LoopDeps, input: TurnInput): Promise<TurnResult> {
  const turn: Turn = {
    messages: [],
    tools: {},
    attempts: [],
    text: '',
    model: input.model,
    malformedReplies: 0,
    namesExplained: new Set(),
    vetoedReplies: 0,
    progress: createProgressJudge(),
    reminders: 0,
    size: newTurnSize(),
    steps: 0,
    maxSteps: Math.max(1, deps.maxSteps()),
  };
  let ending: TurnEnd;
  try {
    ending = await runSteps(deps, input, turn);
    await reportErrorsLeft(deps, input, turn);
  } catch (error) {
    deps.log(`The turn broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    ending = failed(deps, turn, 'internal', 'A fault in the extension ended the turn; the log has the details.');
  }
  return { ...ending, cost: sumCost(turn.attempts), text: turn.text, model: turn.model };
}

async function reportErrorsLeft({ checks, log }: LoopDeps, { turnId, emit, signal }: TurnInput, turn: Turn) {
  const left = await checks?.left(signal).catch((error: unknown) => log(`The last check broke: ${String(error)}`));
  if (left) emit({ type: 'notice', turnId, step: turn.steps, notice: { kind: 'errors-left', ...left } });
}

async function runSteps(deps: LoopDeps, input: TurnInput, turn: Turn): Promise<TurnEnd> {
  Object.assign(turn, turnStart(deps, input.history));
  for (let step = 1; ; step++) {
    if (input.signal.aborted) return { outcome: 'stopped' };
    turn.steps = step;
    const ending = await runStep(deps, input, turn, step);
    if (ending !== undefined) return ending;
    if (input.signal.aborted) return { outcome: 'stopped' };
    if (step >= turn.maxSteps) {
      return limit(
        input,
        step,
        l10n.t('Stopped after {0} steps, the limit for one message. To go on, send "continue".', step),
      );
    }
  }
}

async function runStep(deps: LoopDeps, input: TurnInput, turn: Turn, step: number): Promise<TurnEnd | undefined> {
  const { turnId, emit, signal, person, roomAfter } = input;
  // A model that took over stays: the one that was at capacity would fail again in every step.
  const { compactedAt } = turn.size;
  followRules(deps, input, turn);
  followTools(deps, input, turn);
  const fitting = await fitRequest(deps, input, turn, step);
  // A compaction removed what was seen before from the request, so reading it again is progress.
  if (turn.size.compactedAt !== compactedAt) turn.progress = createProgressJudge();
  if ('failure' in fitting) return { outcome: 'limit', failure: fitting.failure };
  if (signal.aborted) return { outcome: 'stopped' };
  const { request, savedTokens } = fitting;
  const result = await streamStep(deps, { turnId, step, request, emit, signal, ask: person?.ask, roomAfter });
  const { reply } = result;
  const complete = result.outcome === 'done' && reply.evidence !== 'none';
  // Rule 1: a reply that is not known to be whole has no calls, whatever it seems to have.
  const { namesExplained, messages: before } = turn;
  const written = complete ? writtenCalls(deps, input, turn, result) : [];
  const { calls, verdicts, wholes, ending } = understandCalls(deps, written, { namesExplained, before });
  if (ending !== undefined) reply.text = [reply.text, ending].filter((text) => text.trim() !== '').join('\n\n');
  turn.attempts.push(...result.attempts);
  turn.model = reply.model || turn.model;
  if (reply.text.trim() !== '') turn.text = reply.text;
  finishStep(input, step, result, { calls, complete, savedTokens, sent: sentTokens(turn, request) });

  if (result.outcome === 'stopped') return { outcome: 'stopped' };
  const failure = result.outcome === 'failed' ? result.failure : undefined;
  if (shrinksAfter(failure, turn, deps.window)) return undefined;
  if (result.outcome === 'failed') {
    return { outcome: result.failure.kind === 'over-budget' ? 'limit' : 'failed', failure: result.failure };
  }
  if (!complete) return failed(deps, turn, 'cut-off', 'The reply ended without saying that it was whole.');
  turn.messages.push({
    role: 'assistant',
    text: reply.text,
    ...(reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
    model: reply.model,
    toolCalls: calls,
  });
  const answered = ending !== undefined && reply.text !== '';
  if (answered) return steer(input, turn, { outcome: 'finished' });
  return calls.length === 0
    ? steer(input, turn, endWithoutCalls(deps, turn, reply))
    : steer(
        input,
        turn,
        await answerCalls(
          deps,
          { ...input, step, calls, verdicts, wholes, isShown: shownTo(turn, request, calls) },
          turn,
          reply,
        ),
      );
}

/**
 * Returns whether the result of a call was in this request as a whole: one that economy shortened is another object
 * than the turn's.
 */
function shownTo(turn: Turn, request: ChatRequest, calls: readonly ToolCall[]): (callId: string) => boolean {
  const whole = new Set<HistoryMessage>(turn.messages);
  const results = request.messages.flatMap((one) => (one.role === 'tool' && whole.has(one) ? [one.callId] : []));
  const shown = new Set([...results, ...calls.map(({ id }) => id)]);
  return (callId) => shown.has(callId);
}

function followRules({ systemPrompt, rulesNote }: LoopDeps, { turnId, emit }: TurnInput, turn: Turn): void {
  const [system, ...history] = turn.messages;
  if (system?.role !== 'system') return;
  const text = systemPrompt(history);
  if (text !== system.text) turn.messages[0] = { ...system, text };
  const note = rulesNote?.(history);
  if (note !== undefined) emit({ type: 'notice', turnId, step: turn.steps, notice: { kind: 'note', text: note } });
}

function followTools({ tools }: LoopDeps, { turnId, emit }: TurnInput, turn: Turn): void {
  if (!tools.some(({ loadedAt }) => loadedAt)) return;
  const before = turn.tools.tools ?? [];
  turn.tools = toolsNow(tools);
  const names = new Set(turn.tools.tools?.map(({ name }) => name));
  const gone = before.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  if (gone.length === 0) return;
  const text = l10n.t('Changed or gone, and no longer loaded: {0}', gone.join(', '));
  emit({ type: 'notice', turnId, step: turn.steps, notice: { kind: 'note', text } });
}

/**
 * Adds what the user said meanwhile once everything of a step is in, and nowhere else: a request that is only
 * repeated takes nothing up. The model is asked once more even where it had answered.
 */
async function steer(input: TurnInput, turn: Turn, ending: TurnEnd | undefined): Promise<TurnEnd | undefined> {
  const goesOn = ending === undefined || ending.outcome === 'finished';
  if (!goesOn || input.signal.aborted || turn.steps >= turn.maxSteps) return ending;
  const message = await input.steering?.(turn.steps);
  if (message === undefined) return ending;
  turn.messages.push(message);
  // A word of the user makes a new beginning of what went in circles.
  turn.progress = createProgressJudge();
  turn.reminders = 0;
  return undefined;
}

function writtenCalls(deps: LoopDeps, input: TurnInput, turn: Turn, { reply }: StreamResult): readonly ReplyCall[] {
  const leaked = reply.toolCalls.length > 0 ? undefined : readLeaked(deps, reply, turn.messages);
  if (leaked === undefined) return reply.toolCalls;
  reply.toolMarkup = false;
  if (leaked === 'quotation') {
    reply.text += reply.leaked?.place === 'text' ? reply.leaked.text : '';
    return [];
  }
  const text = l10n.t('The model wrote a tool call as text. It was read from there, and asks and runs as any other.');
  input.emit({ type: 'notice', turnId: input.turnId, step: turn.steps, notice: { kind: 'note', text } });
  return leaked.calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
}

function finishStep(
  input: TurnInput,
  step: number,
  result: StreamResult,
  {
    calls,
    complete,
    savedTokens,
    sent,
  }: { calls: ToolCall[]; complete: boolean; savedTokens: number; sent: SentTokens },
): void {
  const { requestedModel, model, reportedModel, text, reasoning, finish, usage } = result.reply;
  input.emit({
    type: 'stepFinished',
    turnId: input.turnId,
    step,
    requestedModel,
    model,
    reportedModel,
    text,
    reasoning,
    toolCalls: calls,
    finish,
    complete,
    usage,
    ...(savedTokens > 0 && result.attempts.length > 0 ? { savedTokens } : {}),
    ...(result.attempts.length > 0 ? { sent } : {}),
    attempts: result.attempts,
  });
}

function sentTokens(turn: Turn, { messages, tools }: ChatRequest): SentTokens {
  const all = estimatePromptTokens({ messages, tools });
  const overhead = estimatePromptTokens({ messages: messages.slice(0, 1), tools });
  turn.historyTokens ??= all - overhead;
  const history = Math.min(turn.historyTokens, all - overhead);
  return { overhead, history, steps: all - overhead - history };
}

function endWithoutCalls(deps: LoopDeps, turn: Turn, reply: Reply): TurnEnd | undefined {
  if (reply.toolMarkup) {
    if (++turn.malformedReplies >= maxLeakedReplies) return malformed(deps, turn);
    // There is no call to answer, so the model hears it as a message. It is part of this turn only.
    turn.messages.push({ role: 'user', text: markupNote });
    return undefined;
  }
  if (reply.finish === 'content-filter') {
    return failed(deps, turn, 'content-filter', 'The service filtered the reply.');
  }
  // Calls announced and not made, or reasoning only. The client has asked again already.
  if (reply.text.trim() === '' && reply.finish !== 'length') {
    return failed(deps, turn, 'empty-reply', 'The reply held neither text nor a tool call.');
  }
  const mayCall = turn.tools.tools !== undefined && reply.finish !== 'length' && turn.reminders < maxReminders;
  const tools = turn.tools.tools?.map(({ name }) => name) ?? [];
  const isBehindResult = turn.messages.at(-2)?.role === 'tool';
  if (mayCall && (announcesStep(reply.text) || (isBehindResult && breaksOff(reply.text, tools)))) {
    turn.reminders += 1;
    turn.messages.push({ role: 'user', text: announcedNote });
    return undefined;
  }
  return { outcome: 'finished' };
}

async function answerCalls(
  deps: LoopDeps,
  input: TurnInput & Pick<CallsInput, 'step' | 'calls' | 'verdicts' | 'wholes' | 'isShown'>,
  turn: Turn,
  reply: Reply,
): Promise<TurnEnd | undefined> {
  const { step } = input;
  turn.reminders = 0;
  const veto = vetoOf(reply);
  const { messages, images, outcomes, allUnreadable } = await runCalls(
    {
      ...deps,
      ...(input.person ?? { consent: createConsent(), ask: askNobody }),
      budget: { bytes: maxReplyResultBytes, images: maxReplyImages },
    },
    {
      ...input,
      veto,
      damaged: reply.damagedEvents > 0,
      onPaid: (attempts) => void turn.attempts.push(...attempts),
    },
  );
  turn.messages.push(...messages, ...imagesMessage(images));
  if (input.signal.aborted) return { outcome: 'stopped' };
  if (deps.isDone?.()) return { outcome: 'finished' };
  if (veto !== undefined && ++turn.vetoedReplies > 1) {
    return limit(
      input,
      step,
      l10n.t(
        'Stopped because the answer hit its length limit twice during a tool call. Allow longer answers, or ask for less at once.',
      ),
    );
  }
  turn.malformedReplies = allUnreadable ? turn.malformedReplies + 1 : 0;
  if (turn.malformedReplies >= maxMalformedReplies) return malformed(deps, turn);
  const verdict = turn.progress.judge(outcomes);
  if (verdict === 'stop') return noProgress(deps, turn);
  if (verdict === 'hint') turn.messages.push({ role: 'user', text: stallNote(turn.progress) });
  return undefined;
}

/** Returns why the calls of a reply must not run. A finish reason never starts a call, but it can forbid one. */
function vetoOf(reply: Reply): string | undefined {
  switch (reply.finish) {
    case 'length':
      return 'Not run: your reply was cut by its length limit, so the call may not be whole. Make it again, shorter or in parts.';
    case 'content-filter':
      return 'Not run: the service filtered your reply. Go on in another way.';
    case 'error':
      return 'Not run: your reply ended with an error of the service. Make the call again.';
    default:
      return undefined;
  }
}

const markupNote =
  '[Automatic note: a tool call of your last reply was lost: it was written as text, or never came. Nothing was run. Make the call through the tools interface, or answer in plain text.]';

const announcedNote =
  '[Automatic note: your last reply announced a step and ended without a call. Make the call now, or say what you found.]';

function stallNote({ steps, repeated }: ProgressJudge): string {
  return `[Automatic note: your last ${steps()} steps brought nothing new: ${repeated()}. Use what you have, try something else, or say what you cannot find out.]`;
}

function noProgress(deps: LoopDeps, turn: Turn): TurnEnd {
  const { microUsd } = sumCost(turn.attempts);
  const facts = { steps: turn.progress.steps(), repeated: turn.progress.repeated(), microUsd };
  const { failure } = failed(deps, turn, 'no-progress', `Nothing new came of ${facts.repeated}.`);
  return { outcome: 'limit', failure: { ...failure, facts } };
}

function malformed(deps: LoopDeps, turn: Turn): TurnEnd {
  return failed(deps, turn, 'malformed-tool-calls', 'The model wrote tool calls that cannot be read, several times.');
}

function limit(input: TurnInput, step: number, text: string): TurnEnd {
  input.emit({ type: 'notice', turnId: input.turnId, step, notice: { kind: 'note', text } });
  return { outcome: 'limit' };
}

function failed(deps: LoopDeps, turn: Turn, kind: FailureKind, message: string): Required<TurnEnd> {
  const at = isoTime(deps.clock.epochMs());
  return { outcome: 'failed', failure: { kind, message, model: turn.model, at } };
}
