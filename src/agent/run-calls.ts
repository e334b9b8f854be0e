import type { Clock } from '../base/clock.ts';
import type { ExecutionTarget } from '../shared/approval.ts';
import type { ChatEvent } from '../shared/events.ts';
import type { Ask } from '../shared/interaction.ts';
import type { Attempt, HistoryImage, HistoryMessage, ToolCall } from '../shared/messages.ts';
import { capText } from './cap-text.ts';
import type { Consent } from './consent.ts';
import type { UnderstoodCalls } from './dialect/understand-calls.ts';
import { maxCallsPerReply, maxParallelReads, maxReplyImages, maxReplyResultBytes } from './guards.ts';
import type { CallOutcome } from './progress.ts';
import {
  cancelledRun,
  failedRun,
  type PreparedCall,
  prepareCall,
  type RunDeps,
  runPrepared,
  type ToolRun,
} from './run-tool.ts';
import { type Tool, type ToolContext, ToolError } from './tool.ts';
import type { EditChecks } from './turn.ts';

export interface CallsInput {
  turnId: string;
  step: number;
  calls: readonly ToolCall[];
  verdicts?: UnderstoodCalls['verdicts'];
  wholes?: UnderstoodCalls['wholes'];
  veto?: string;
  /** Events of the reply were lost, so only reads may run. */
  damaged: boolean;
  emit(event: ChatEvent): void;
  signal: AbortSignal;
  /** Is aborted when the user stops this call alone; the turn goes on with its partial result. */
  callSignal?(callId: string): AbortSignal;
  onPaid?(attempts: readonly Attempt[]): void;
  isShown: ToolContext['isShown'];
}

export interface CallsDeps extends Pick<RunDeps, 'access'> {
  tools: readonly Tool[];
  clock: Clock;
  consent: Consent;
  ask: Ask;
  log(line: string): void;
  checks?: EditChecks;
  budget: { bytes: number; images: number };
}

export interface CallsResult {
  /** There is one message per call, in the order of the calls, even for a call that failed. */
  messages: Extract<HistoryMessage, { role: 'tool' }>[];
  images: HistoryImage[];
  outcomes: CallOutcome[];
  allUnreadable: boolean;
}

type Planned = { call: ToolCall; prepared: PreparedCall & { notes: readonly string[] }; twin?: ToolRun };
type Plan = Planned | { call: ToolCall; answer: ToolRun };

/**
 * Answers every call of one reply. Neighboring reads run together, at most four at a time, and may ask for consent
 * side by side; everything else is asked about and run alone and in order. `toolFinished` is emitted as each ends,
 * and a call that never ran has no `toolStarted`.
 */
export async function runCalls(deps: CallsDeps, input: CallsInput): Promise<CallsResult> {
  let unreadable = 0;
  const plans = input.calls.map((call, index): Plan => {
    if (input.veto !== undefined) return { call, answer: failedRun(input.veto) };
    if (index >= maxCallsPerReply) return { call, answer: tooMany };
    const verdicts = input.verdicts?.get(call.id);
    if (verdicts !== undefined && 'refusal' in verdicts) return { call, answer: failedRun(verdicts.refusal) };
    const found = prepareCall(deps.tools, call);
    if (!found.ok) {
      if (found.unreadable) unreadable += 1;
      return { call, answer: found.run };
    }
    if (input.damaged && found.prepared.tool.access !== 'read') return { call, answer: damagedReply };
    const { prepared } = found;
    const notes = [verdicts?.note, prepared.note].filter((one) => one !== undefined);
    return { call, prepared: { ...prepared, notes } };
  });

  const messages: CallsResult['messages'] = [];
  const outcomes: CallOutcome[] = [];
  const images: HistoryImage[] = [];
  const check = createCheck(deps, input, plans);
  const answer = async (given: Plan, index: number) => {
    const { call } = given;
    const whole = input.wholes?.find(([first]) => first === call.id) ?? [];
    if (whole.length > 1) await refuseInPart(deps, input, plans, whole);
    const plan = plans[index] ?? given;
    const { call: one, tool, state, text } = outcomes[index - 1] ?? {};
    // A write that stands twice in a row was meant once.
    const isTwin = tool?.access === 'write' && one?.name === call.name && one.arguments === call.arguments;
    const twin = isTwin && state && { twin: { state, forModel: `Made once, with the same call before it: ${text}` } };
    const { outcome, images: shown } = await answerCall(deps, input, { ...plan, ...twin }, check);
    images.push(...shown);
    outcomes[index] = outcome;
    messages[index] = { role: 'tool', callId: plan.call.id, name: plan.call.name, text: outcome.text };
  };
  for (const batch of batches(plans)) await inParallel(batch, maxParallelReads, answer);
  const begun = Math.min(plans.length, maxCallsPerReply);
  return { messages, images, outcomes, allUnreadable: unreadable === begun && begun > 0 };
}

/**
 * Refuses all writes that the model made as one when one of them cannot be planned. What builds on another of them is
 * planned only after it.
 */
async function refuseInPart(
  deps: CallsDeps,
  input: CallsInput,
  plans: Plan[],
  whole: readonly string[],
): Promise<void> {
  const parts = plans.flatMap((plan, index) => (whole.includes(plan.call.id) ? [{ plan, index }] : []));
  if (parts.some(({ plan }) => 'prepared' in plan && plan.prepared.tool.access !== 'write')) return;
  const seen = new Set<unknown>();
  for (const { plan, index: failed } of parts) {
    const { path, newPath = path } = JSON.parse(plan.call.arguments) as Record<string, unknown>;
    if (seen.has(newPath)) continue;
    seen.add(path);
    const reason = 'answer' in plan ? plan.answer.forModel : await whyNot(deps, input, plan);
    if (reason === undefined) continue;
    for (const { plan: part, index } of parts) {
      const why = index === failed ? reason : `Not done, because ${titleOf(plan)} failed.`;
      plans[index] = { call: part.call, answer: failedRun(`${why} All parts of this call were left out.`) };
    }
    return;
  }
}

async function whyNot(deps: CallsDeps, input: CallsInput, { call, prepared }: Planned): Promise<string | undefined> {
  try {
    await prepared.tool.plan(prepared.args, { ...contextOf(deps, input, call.id), output: noop, paid: noop });
    return undefined;
  } catch (error) {
    return error instanceof ToolError ? error.message : undefined;
  }
}

const noop = () => undefined;

function titleOf(plan: Plan): string {
  return 'prepared' in plan ? plan.prepared.title : plan.call.name;
}

const tooMany = failedRun(
  `Not run: too many calls in one reply, at most ${maxCallsPerReply} are run. Ask again for what you still need.`,
);
const damagedReply = failedRun(
  'Not run: parts of your reply were lost on the way, so nothing may be changed from it. Make the call again.',
);

type Check = (plan: Plan, run: () => Promise<ToolRun>) => Promise<ToolRun>;

/**
 * New errors are added to the result of the last call that changes files, so that a reply waits only once. A reply
 * that changes none reports with its last call what a checker has found since.
 */
function createCheck({ checks, log }: CallsDeps, { signal }: CallsInput, plans: readonly Plan[]): Check {
  const isWrite = (plan: Plan) => 'prepared' in plan && plan.prepared.tool.access === 'write';
  const lastWrite = plans.findLast(isWrite);
  const last = lastWrite ?? plans.findLast((plan) => 'prepared' in plan);
  let end: ReturnType<EditChecks['begin']> | undefined;
  let hasWritten = false;
  return async (plan, run) => {
    if (checks === undefined) return run();
    if (isWrite(plan)) end ??= checks.begin();
    const result = await run();
    hasWritten ||= isWrite(plan) && result.state === 'done';
    if (plan.call !== last?.call || signal.aborted) return result;
    const due = lastWrite === undefined ? checks.late : hasWritten ? end : undefined;
    const found = await (due?.(signal) ?? Promise.resolve('')).catch((error: unknown) => {
      log(`The check after edits broke: ${String(error)}`);
      return '';
    });
    return found === '' ? result : { ...result, forModel: `${result.forModel}\n${found}` };
  };
}

async function answerCall(deps: CallsDeps, input: CallsInput, plan: Plan, check: Check) {
  const { turnId, step, emit, signal } = input;
  const { call } = plan;
  let startedAt = deps.clock.now();
  let place: ExecutionTarget | undefined;
  const onStarted = (where?: ExecutionTarget) => {
    startedAt = deps.clock.now();
    place = where;
  };
  // The time of a call is not that of the person who was asked about it.
  const ask: Ask = async (kind, about, how) => {
    const askedAt = deps.clock.now();
    const said = await deps.ask(kind, about, how);
    startedAt += deps.clock.now() - askedAt;
    return said;
  };
  const title = titleOf(plan);
  const run = signal.aborted
    ? cancelledRun
    : 'answer' in plan
      ? plan.answer
      : await check(plan, async () => plan.twin ?? runPlanned({ ...deps, ask }, input, plan, onStarted));
  if (run.plan !== undefined) emit({ type: 'planUpdated', turnId, items: run.plan });
  const acts = 'prepared' in plan && plan.prepared.tool.access !== 'read';
  const images = (run.images ?? []).slice(0, deps.budget.images);
  deps.budget.images -= images.length;
  const forModel = withinBudget(withImages(run, images.length), deps.budget, acts ? minReportedBytes : 0);
  const durationMs = Math.max(0, Math.round(deps.clock.now() - startedAt));
  const { state, forUser, end, appeared, loaded, decided, sub } = run;
  emit({
    type: 'toolFinished',
    turnId,
    step,
    callId: call.id,
    name: call.name,
    title,
    state,
    forModel,
    forUser,
    durationMs,
    end,
    place,
    ...(appeared?.[0] && { appeared: [...appeared] }),
    ...(loaded?.[0] && { loaded: [...loaded] }),
    ...(decided?.[0] && { decided: [...decided] }),
    ...(images.length > 0 && { images }),
    sub,
  });
  const tool = 'prepared' in plan ? { tool: plan.prepared.tool } : {};
  const outcome: CallOutcome = { call, ...tool, state, text: forModel, durationMs };
  return { outcome, images };
}

async function runPlanned(
  deps: CallsDeps,
  input: CallsInput,
  { call, prepared }: Planned,
  onStarted: (place?: ExecutionTarget) => void,
): Promise<ToolRun> {
  const { turnId, step, emit } = input;
  const callId = call.id;
  const { title } = prepared;
  // What Stop did not wait for may print on.
  let isOver = false;
  const context: ToolContext = {
    ...contextOf(deps, input, callId),
    output(text) {
      if (!isOver) emit({ type: 'toolOutput', turnId, step, callId, text });
    },
    paid(price, attempts) {
      if (isOver) return;
      input.onPaid?.(attempts);
      emit({ type: 'subagentPaid', turnId, step, callId, ...price, attempts: [...attempts] });
    },
  };
  const { signal } = context;
  const approve: RunDeps['approve'] = (request) => deps.ask('approval', request, { id: callId, step, signal });
  const run = await runPrepared({ ...deps, approve }, prepared, context, (place) => {
    onStarted(place);
    const at = deps.clock.epochMs();
    emit({ type: 'toolStarted', turnId, step, callId, name: call.name, title, at, place });
  });
  isOver = true;
  const { notes } = prepared;
  return notes.length === 0 ? run : { ...run, forModel: [run.forModel, ...notes].join('\n') };
}

function contextOf(
  { ask }: CallsDeps,
  { turnId, step, isShown, ...input }: CallsInput,
  callId: string,
): Omit<ToolContext, 'output' | 'paid'> {
  const alone = input.callSignal?.(callId);
  const signal = alone ? AbortSignal.any([input.signal, alone]) : input.signal;
  return {
    signal,
    turnId,
    callId,
    isShown,
    ask: async (asking, until) => {
      const question = { callId, ...asking, options: [...asking.options] };
      const ended = until === undefined ? signal : AbortSignal.any([signal, until]);
      return ask('question', question, { id: callId, step, signal: ended });
    },
  };
}

/**
 * A changed file, a command or an answer of the user gets at least this much of a reply's results, because the model
 * would not know otherwise whether it was done.
 */
const minReportedBytes = 2000;

function withImages({ forModel, images = [] }: ToolRun, sent: number): string {
  const leftOut = images.length - sent;
  const note = `[${leftOut} more of its images are not sent: the results of one reply can have ${maxReplyImages}.]`;
  return leftOut === 0 ? forModel : `${forModel}\n${note}`;
}

function withinBudget(text: string, budget: { bytes: number }, atLeast: number): string {
  const capped = capText(text, Math.max(budget.bytes, atLeast));
  budget.bytes -= Buffer.byteLength(capped.text);
  if (capped.cutBytes === 0) return capped.text;
  const note = `[The limit for the results of one reply (${maxReplyResultBytes / 1024} KB) is reached. Ask again, for less at once.]`;
  return capped.text === '' ? note : `${capped.text}\n${note}`;
}

type Indexed = readonly [plan: Plan, index: number];

function batches(plans: readonly Plan[]): Indexed[][] {
  const result: Indexed[][] = [];
  let readsOpen = false;
  for (const [index, plan] of plans.entries()) {
    const reads = 'answer' in plan || plan.prepared.tool.access === 'read';
    const last = result.at(-1);
    if (reads && readsOpen && last !== undefined) last.push([plan, index]);
    else result.push([[plan, index]]);
    readsOpen = reads;
  }
  return result;
}

async function inParallel(
  items: readonly Indexed[],
  limit: number,
  run: (plan: Plan, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const [plan, index] of rest) await run(plan, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
