import type { Clock } from '../base/clock.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { ReplyCall } from '../service/contract.ts';
import type { ApprovalAnswer, ApprovalRequest, ApprovalScope, ExecutionTarget } from '../shared/approval.ts';
import { capText } from './cap-text.ts';
import { type Consent, refusalSentence, toRequest } from './consent.ts';
import { stripInvisible } from './invisible.ts';
import { parseArguments } from './parse-arguments.ts';
import {
  type ApprovalNeed,
  SkippedCall,
  type Tool,
  type ToolAccess,
  type ToolContext,
  ToolError,
  type ToolOutput,
} from './tool.ts';

export interface PreparedCall {
  tool: Tool;
  args: unknown;
  title: string;
  note?: string;
}

export type ToolRun = Omit<ToolOutput, 'state'> & { state: 'done' | 'failed' | 'cancelled' };

export interface RunDeps {
  access?: readonly ToolAccess[];
  consent: Consent;
  approve(request: ApprovalRequest): Promise<ApprovalAnswer | undefined>;
  clock: Pick<Clock, 'after'>;
  log(line: string): void;
}

/**
 * After Stop, a tool that may have changed or paid for something is waited for this long, so that its result is the
 * truth.
 */
const stopGraceMs = 900;

export const maxResultBytes = 32 * 1024;
const noteBytes = 200;
const maxTitleBytes = 200;

/**
 * Finds the tool and parses the arguments. `ok: false` is a call that the model wrote wrongly: it gets a sentence,
 * and nothing runs. `unreadable` means that the arguments are no object at all.
 */
export function prepareCall(
  tools: readonly Tool[],
  call: ReplyCall,
): { ok: true; prepared: PreparedCall } | { ok: false; run: ToolRun; unreadable: boolean } {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    const known = names === '' ? 'No tools are available now; answer without them.' : `The tools are: ${names}.`;
    const sentence = `There is no tool named "${call.name.slice(0, 80).toWellFormed()}". ${known}`;
    return { ok: false, run: failedRun(sentence), unreadable: false };
  }
  const parsed = parseArguments(tool, call.arguments);
  if (!parsed.ok) return { ok: false, run: failedRun(parsed.sentence), unreadable: parsed.unreadable };
  const { value: args, ignored } = parsed;
  const note = ignored.length === 0 ? {} : { note: `[Ignored, no argument of ${tool.name}: ${ignored.join(', ')}]` };
  return { ok: true, prepared: { tool, args, title: cleanTitle(tool.title(args)), ...note } };
}

/**
 * Plans a call, asks for consent where needed, and acts; after `onStarted` the call may have effects. It never
 * throws: every failure is a result. Stop answers at once before that, and for tools that only read, even when the
 * tool ignores the signal.
 */
export async function runPrepared(
  deps: RunDeps,
  { tool, args, title }: PreparedCall,
  context: ToolContext,
  onStarted: (place?: ExecutionTarget) => void,
): Promise<ToolRun> {
  const { signal, callId } = context;
  if (signal.aborted) return cancelledRun;
  // Whoever got it here: a list of tools must not be all that stands between a mode and what it rules out.
  if (deps.access?.includes(tool.access) === false) {
    return failedRun(
      `Not run: ${tool.name} is ruled out by the mode that the user chose. Go on without it, or say so.`,
    );
  }
  try {
    const plan = await untilAborted(tool.plan(args, context), signal);
    if (plan === undefined || signal.aborted) return cancelledRun;
    const asked = await askFor(deps, signal, plan.approval, { callId, tool: tool.name, title });
    if (typeof asked === 'object') return asked;
    onStarted(plan.place);
    const review = plan.approval !== undefined && deps.consent.reviews(plan.approval);
    return await act(deps, tool, () => plan.run({ review, seen: asked === 'once' }), signal);
  } catch (error) {
    if (error instanceof SkippedCall) {
      return { ...failedRun(error.message), state: 'cancelled', decided: [{ word: 'skipped', what: '' }] };
    }
    if (error instanceof ToolError) return failedRun(error.message);
    if (signal.aborted) return cancelledRun;
    deps.log(`Tool ${tool.name} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failedRun(`${tool.name} failed because of a fault in the tool itself. Go on without it or in another way.`);
  }
}

async function askFor(
  { consent, approve }: RunDeps,
  signal: AbortSignal,
  need: ApprovalNeed | undefined,
  call: Pick<ApprovalRequest, 'callId' | 'tool' | 'title'>,
): Promise<ToolRun | ApprovalScope | undefined> {
  if (need === undefined || consent.covers(need)) return undefined;
  const beginning = consent.beginningOf(need);
  const answer = await approve(toRequest(need, { ...call, ...(beginning !== undefined && { beginning }) }));
  if (answer === undefined) return signal.aborted ? cancelledRun : { state: 'cancelled', forModel: unasked };
  if (answer.decision !== 'allow') return { state: 'cancelled', forModel: cleanResult(refusalSentence(answer)) };
  consent.keep(need, answer, beginning);
  return signal.aborted ? cancelledRun : answer.scope;
}

async function act(
  { clock }: RunDeps,
  tool: Tool,
  run: () => Promise<ToolOutput>,
  signal: AbortSignal,
): Promise<ToolRun> {
  const isWaitedFor = tool.access === 'write' || tool.access === 'execute' || tool.kind === 'subagent';
  const output = await untilAborted(run(), signal, isWaitedFor ? { clock, ms: stopGraceMs } : undefined);
  return output === undefined ? (isWaitedFor ? abandonedRun : cancelledRun) : finishedRun(output);
}

const unasked = 'Nothing was done: it needs the consent of the user, and nobody can be asked here.';

export const cancelledRun: ToolRun = { state: 'cancelled', forModel: 'Cancelled by the user.' };

const abandonedRun: ToolRun = {
  state: 'cancelled',
  forModel: 'Cancelled by the user while it ran; what it had done by then is not known.',
};

export function failedRun(sentence: string): ToolRun {
  return { state: 'failed', forModel: cleanResult(sentence) };
}

function finishedRun({ forModel, forUser, state, ...rest }: ToolOutput): ToolRun {
  const shown = forUser === undefined ? {} : { forUser: cleanResult(forUser) };
  return { ...rest, state: state ?? 'done', forModel: cleanResult(forModel), ...shown };
}

/**
 * Must be applied to every text that enters the history: it removes invisible characters, cuts to the limit, and
 * notes both.
 */
function cleanResult(text: string): string {
  const visible = stripInvisible(text);
  const capped = capText(visible.text, maxResultBytes - noteBytes);
  const notes: string[] = [];
  if (visible.removed > 0) notes.push(`${visible.removed} invisible characters removed`);
  if (capped.cutBytes > 0) notes.push(`cut here, ${capped.cutBytes} bytes left out: ask for a smaller part`);
  return notes.length === 0 ? capped.text : `${capped.text}\n[${notes.join('; ')}]`;
}

function cleanTitle(title: string): string {
  const line = stripInvisible(title).text.replace(/[\s\p{Cc}]+/gu, ' ');
  const capped = capText(line, maxTitleBytes);
  return capped.cutBytes === 0 ? capped.text : `${capped.text}…`;
}
