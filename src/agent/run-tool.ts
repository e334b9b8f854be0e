import type { ToolCall } from '../shared/messages.ts';
import { capText } from './cap-text.ts';
import { stripInvisible } from './invisible.ts';
import { parseArguments } from './parse-arguments.ts';
import { type Tool, type ToolContext, ToolError, type ToolOutput } from './tool.ts';

/** A call that may run: its tool was found and its arguments fit. */
export interface PreparedCall {
  tool: Tool;
  args: unknown;
  /** One line for the card. */
  title: string;
}

/** What a call came to. `forModel` is always a text that the model can act on. */
export interface ToolRun {
  state: 'done' | 'failed' | 'cancelled';
  forModel: string;
  forUser?: string;
}

/** H15: bytes of one result as the model gets it, the note about a cut included. */
export const maxResultBytes = 32 * 1024;
const noteBytes = 200;
const maxTitleBytes = 200;

/** Find and parse. `ok: false` is a call that the model wrote wrongly (W13, W70): it gets a sentence, nothing runs. */
export function prepareCall(
  tools: readonly Tool[],
  call: Pick<ToolCall, 'name' | 'arguments'>,
): { ok: true; prepared: PreparedCall } | { ok: false; run: ToolRun } {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    const known = names === '' ? 'No tools are available now; answer without them.' : `The tools are: ${names}.`;
    return { ok: false, run: failedRun(`There is no tool named "${call.name.slice(0, 80).toWellFormed()}". ${known}`) };
  }
  const parsed = parseArguments(tool, call.arguments);
  if (!parsed.ok) return { ok: false, run: failedRun(parsed.sentence) };
  return { ok: true, prepared: { tool, args: parsed.value, title: cleanTitle(tool.title(parsed.value)) } };
}

/**
 * Runs a prepared call. Never throws: every failure is a result. Stop answers at once for tools that only read, whatever
 * the tool does with the signal; a tool that changes something is waited for, so that its result is the truth.
 */
export async function runPrepared(
  { tool, args }: PreparedCall,
  context: ToolContext,
  log: (line: string) => void,
): Promise<ToolRun> {
  const { signal } = context;
  if (signal.aborted) return cancelledRun;
  try {
    const running = tool.plan(args, context).then((plan) => plan.run());
    const output = await (tool.access === 'read' ? untilAborted(running, signal) : running);
    return output === undefined ? cancelledRun : finishedRun(output);
  } catch (error) {
    if (error instanceof ToolError) return failedRun(error.message);
    if (signal.aborted) return cancelledRun;
    log(`Tool ${tool.name} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failedRun(`${tool.name} failed because of a fault in the tool itself. Go on without it or in another way.`);
  }
}

/** H02: the one wording for a call that the user's Stop kept from running to its end. */
export const cancelledRun: ToolRun = { state: 'cancelled', forModel: 'Cancelled by the user.' };

export function failedRun(sentence: string): ToolRun {
  return { state: 'failed', forModel: cleanResult(sentence) };
}

function finishedRun(output: ToolOutput): ToolRun {
  const forModel = cleanResult(output.forModel);
  return output.forUser === undefined
    ? { state: 'done', forModel }
    : { state: 'done', forModel, forUser: cleanResult(output.forUser) };
}

/** X22 and H15, for every text that enters the history: nothing unseen, nothing too long, each said in words. */
function cleanResult(text: string): string {
  const visible = stripInvisible(text);
  const capped = capText(visible.text, maxResultBytes - noteBytes);
  const notes: string[] = [];
  if (visible.removed > 0) notes.push(`${visible.removed} invisible characters removed`);
  if (capped.cutBytes > 0) notes.push(`cut here, ${capped.cutBytes} bytes left out: ask for a smaller part`);
  return notes.length === 0 ? capped.text : `${capped.text}\n[${notes.join('; ')}]`;
}

/** One line, whatever a model put into the arguments. */
function cleanTitle(title: string): string {
  const line = stripInvisible(title).text.replace(/[\s\p{Cc}]+/gu, ' ');
  const capped = capText(line, maxTitleBytes);
  return capped.cutBytes === 0 ? capped.text : `${capped.text}…`;
}

/** `undefined` when the signal comes first; what the work does after that no longer matters to anyone. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = () => aborted.resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
