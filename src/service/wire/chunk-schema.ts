import { isObject } from '../../base/parse-json.ts';
import type { FinishReason } from '../../shared/messages.ts';

/**
 * A `Chunk` is one event of a stream or one whole reply. The layout is not published, so its reader never throws and
 * leaves out what does not fit. It is hand-written because it runs for every event.
 */
export interface Chunk {
  /** Holds the whole body of an error, whatever its shape, for the classifier. */
  error?: unknown;
  model?: string;
  usage?: ReportedUsage;
  finish: string;
  text: string;
  reasoning: string;
  calls: readonly CallDelta[];
  whole: boolean;
  last: boolean;
  /** The event belongs to no reply that is understood, as one of another API does. */
  foreign?: true;
}

export interface ReportedUsage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  /** Some servers do not include these two in the counts above. */
  cachedTokens?: number;
  reasoningTokens?: number;
}

export interface CallDelta {
  id: string;
  index: string | undefined;
  name: string;
  arguments: string;
}

export type JsonObject = Record<string, unknown>;

const noCalls: readonly CallDelta[] = [];

export function readChunk(sent: unknown): Chunk | undefined {
  const json = unwrapped(sent);
  if (!isObject(json)) return undefined;
  const choice = firstChoice(json.choices);
  const message = isObject(choice?.message) ? choice.message : undefined;
  const streamed = isObject(choice?.delta) && (message === undefined || saysSomething(choice.delta));
  const parts = streamed ? choice?.delta : message;
  const delta = isObject(parts) ? parts : undefined;
  const finish = choice?.finish_reason;
  const content = readContent(delta?.content);
  const chunk: Chunk = {
    finish: typeof finish === 'string' ? finish : '',
    text: content.text + readRefusal(delta?.refusal, content.text),
    reasoning: (delta === undefined ? '' : readReasoning(delta)) || content.reasoning,
    calls: delta === undefined ? noCalls : readCalls(delta),
    whole: !streamed && delta !== undefined,
    last: json.done === true || json.is_end === true || json.type === 'done',
  };
  const usage = readUsage(json.usage) ?? readUsage(choice?.usage) ?? readUsage(vendorPart(json.x_groq).usage);
  if (usage) chunk.usage = usage;
  if (typeof json.model === 'string' && json.model !== '') chunk.model = json.model;
  if (isError(json, choice !== undefined)) chunk.error = json;
  else if (choice === undefined && !hasNoChoice(json) && !chunk.last && !usage) chunk.foreign = true;
  return chunk;
}

function vendorPart(part: unknown): JsonObject {
  return isObject(part) ? part : {};
}

/** Unwraps `{"success": true, "data": …}`, into which some gateways put the whole reply. */
export function unwrapped(json: unknown): unknown {
  return isObject(json) && !('choices' in json) && isObject(json.data) && 'choices' in json.data ? json.data : json;
}

function firstChoice(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices) {
    if (isObject(choice) && (choice.index == null || Number(choice.index) === 0)) return choice;
  }
  return undefined;
}

function hasNoChoice({ choices }: JsonObject): boolean {
  return choices === null || (Array.isArray(choices) && choices.length === 0);
}

function isError(json: JsonObject, hasChoice: boolean): boolean {
  const { error } = json;
  if (typeof error === 'string' ? error !== '' : isObject(error) && Object.keys(error).length > 0) return true;
  if (json.object === 'error' || json.type === 'error') return true;
  return !hasChoice && !Array.isArray(json.choices) && json.usage == null && saysWhy(json);
}

/** Recognizes errors that have no `error` member, such as `{"code":1305,"message":"…"}` and `{"detail":"…"}`. */
function saysWhy(json: JsonObject): boolean {
  return [json.message, json.detail, json.msg].some((reason) => typeof reason === 'string' && reason !== '');
}

function saysSomething(delta: JsonObject): boolean {
  const { text, reasoning } = readContent(delta.content);
  return text !== '' || reasoning !== '' || readReasoning(delta) !== '' || readCalls(delta).length > 0;
}

function readRefusal(refusal: unknown, text: string): string {
  return typeof refusal === 'string' && refusal !== text ? refusal : '';
}

const noContent = { text: '', reasoning: '' };

function readContent(content: unknown): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  if (!Array.isArray(content)) return noContent;
  let text = '';
  let reasoning = '';
  for (const part of content) {
    if (isObject(part) && /think|reason/i.test(String(part.type ?? ''))) reasoning += partText(part);
    else text += partText(part);
  }
  return { text, reasoning };
}

function partText(part: unknown, depth = 0): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return depth > 2 ? '' : part.map((each) => partText(each, depth + 1)).join('');
  if (!isObject(part)) return '';
  for (const words of [part.text, part.thinking, part.reasoning, part.summary, part.content, part.refusal]) {
    if (words !== undefined && words !== null) return depth > 2 ? '' : partText(words, depth + 1);
  }
  return '';
}

/** Reads one field only, because servers that send several of these names send the same text in each. */
function readReasoning({
  reasoning_content: content,
  reasoning,
  thinking,
  reasoning_details: details,
}: JsonObject): string {
  for (const words of [content, reasoning, thinking, details]) {
    const text = partText(words);
    if (text !== '') return text;
  }
  return '';
}

function readCalls(delta: JsonObject): readonly CallDelta[] {
  const { tool_calls: calls, function_call: legacy } = delta;
  if (Array.isArray(calls) && calls.length > 0) return calls.filter(isObject).map(readCall);
  if (isObject(legacy)) return [{ id: '', index: 'function_call', ...readFunction(legacy) }];
  return noCalls;
}

function readCall(call: JsonObject): CallDelta {
  const { id, index } = call;
  return {
    id: typeof id === 'string' ? id : '',
    index: typeof index === 'number' || typeof index === 'string' ? String(index) : undefined,
    ...readFunction(isObject(call.function) ? call.function : {}),
  };
}

function readFunction(called: JsonObject): { name: string; arguments: string } {
  const { name, arguments: args } = called;
  return {
    name: typeof name === 'string' ? name : '',
    arguments: typeof args === 'string' ? args : isObject(args) ? stringify(args) : '',
  };
}

function stringify(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return '[nested too deep]';
    throw error;
  }
}

function readUsage(usage: unknown): ReportedUsage | undefined {
  if (!isObject(usage)) return undefined;
  const read: ReportedUsage = {};
  if (isCount(usage.prompt_tokens)) read.promptTokens = usage.prompt_tokens;
  if (isCount(usage.completion_tokens)) read.completionTokens = usage.completion_tokens;
  if (isCount(usage.total_tokens)) read.totalTokens = usage.total_tokens;
  if (Object.keys(read).length === 0) return undefined;
  const cached = detailOf(usage.prompt_tokens_details, 'cached_tokens');
  const reasoning = detailOf(usage.completion_tokens_details, 'reasoning_tokens');
  if (cached !== undefined) read.cachedTokens = cached;
  if (reasoning !== undefined) read.reasoningTokens = reasoning;
  return read;
}

function detailOf(details: unknown, name: string): number | undefined {
  const value = isObject(details) ? details[name] : undefined;
  return isCount(value) ? value : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const finishWords: Readonly<Record<Exclude<FinishReason, 'none'>, string>> = {
  stop: 'stop stop_sequence eos eos_token end end_turn done complete completed finished success tool_calls tool_call tool_use function_call',
  length: 'length max_tokens max_output_tokens max_length model_length model_context_window_exceeded',
  'content-filter': 'content_filter content-filter sensitive safety refusal',
  error: 'error failed network_error insufficient_system_resource',
};
const finishReasons = new Map(
  Object.entries(finishWords).flatMap(([reason, words]) =>
    words.split(' ').map((word) => [word, reason as FinishReason]),
  ),
);

export function finishReason(finish: string): FinishReason | undefined {
  return finishReasons.get(finish.toLowerCase());
}

export function announcesCalls(finish: string): boolean {
  return /tool|function/i.test(finish);
}
