import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../../../src/base/parse-json.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { type Agent, agents } from './sources.ts';

/** What another agent did, with the names and arguments of its own tools. */
export interface Trajectory {
  name: string;
  agent: Agent;
  messages: HistoryMessage[];
  /** Ids of calls whose results the agent called errors. */
  failed: ReadonlySet<string>;
}

/** Where the recordings lie that `fetch.ts` copied; undefined when nobody said. */
export const folderVariable = 'SVC_BENCH_RECORDINGS';

/** Sorted by name; those without a call are left out. */
export async function readTrajectories(folder: string): Promise<Trajectory[]> {
  const found: Trajectory[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [name = '', kind = ''] = file.split('.');
    const agent = agents.find((one) => one.toLowerCase().replaceAll(' ', '-') === kind);
    if (agent === undefined) continue;
    const parts = entriesOf(await readFile(path.join(folder, file), 'utf8')).flatMap(partsOf);
    const failed = new Set(parts.flatMap((part) => (part.type === 'result' && part.failed ? [part.id] : [])));
    const messages = toMessages(parts);
    if (messages.some((message) => message.role === 'tool')) found.push({ name, agent, messages, failed });
  }
  return found;
}

/** A call, a result, or words, in whatever form the agent stores them. */
type Part =
  | { type: 'user'; text: string }
  | { type: 'assistant'; text: string }
  | { type: 'call'; id: string; name: string; args: string }
  | { type: 'result'; id: string; text: string; failed: boolean };

type Json = Record<string, unknown>;

/** One JSON value with a list of messages or events, or one entry a line. A line that is cut is left out. */
function entriesOf(text: string): Json[] {
  const whole = parseJson(text);
  if (Array.isArray(whole)) return list(whole);
  if (isObject(whole) && 'messages' in whole) return list(whole.messages);
  return text
    .split('\n')
    .map(parseJson)
    .filter((entry) => isObject(entry));
}

function partsOf(entry: Json): Part[] {
  if (entry.type === 'response_item' && isObject(entry.payload)) return codexParts(entry.payload);
  if ('tool_call_metadata' in entry) return openHandsParts(entry);
  if (isObject(entry.message)) return entry.isSidechain === true ? [] : chatParts(entry.message);
  if (entry.source === 'user' && entry.action === 'message') return words('user', textOf(entry.message));
  return 'role' in entry ? chatParts(entry) : [];
}

function codexParts(item: Json): Part[] {
  switch (item.type) {
    case 'message':
      return item.role === 'user' || item.role === 'assistant' ? words(item.role, textOf(item.content)) : [];
    case 'function_call':
      return [call(item.call_id, item.name, item.arguments)];
    case 'custom_tool_call':
      return [call(item.call_id, item.name, { input: item.input })];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [result(item.call_id, outputOf(item.output))];
    default:
      return [];
  }
}

function outputOf(output: unknown): string {
  const inner = parseJson(String(output));
  return isObject(inner) && typeof inner.output === 'string' ? inner.output : textOf(output);
}

/** An action carries the reply that asked for it, an observation the id of the call. */
function openHandsParts(event: Json): Part[] {
  const metadata = event.tool_call_metadata as Json;
  const id = metadata.tool_call_id;
  if ('observation' in event) return [result(id, textOf(event.content), event.observation === 'error')];
  const reply = list((metadata.model_response as Json | undefined)?.choices)[0]?.message as Json | undefined;
  const made = list(reply?.tool_calls).find((one) => one.id === id)?.function as Json | undefined;
  return made === undefined ? [] : [...words('assistant', textOf(reply?.content)), call(id, made.name, made.arguments)];
}

function chatParts(message: Json): Part[] {
  const content = Array.isArray(message.content) ? list(message.content) : [];
  if (message.role === 'tool' || message.role === 'toolResult') {
    return [result(message.tool_call_id ?? message.toolCallId, textOf(message.content), message.isError === true)];
  }
  if (message.role === 'user') {
    const results = content.filter(({ type }) => type === 'tool_result');
    if (results.length === 0) return words('user', textOf(message.content));
    return results.map((one) => result(one.tool_use_id, textOf(one.content), one.is_error === true));
  }
  if (message.role !== 'assistant') return [];
  const inContent = content.flatMap((part): Part[] => {
    if (part.type === 'tool_call') return [call(part.tool_call_id, part.name, part.arguments)];
    if (part.type === 'tool_use') return [call(part.id, part.name, part.input)];
    return part.type === 'toolCall' ? [call(part.id, part.name, part.arguments)] : [];
  });
  const beside = list(message.tool_calls).map((one) => {
    const { name, arguments: args } = one.function as Json;
    return call(one.id, name, args);
  });
  return [...words('assistant', textOf(message.content)), ...(inContent.length > 0 ? inContent : beside)];
}

function words(type: 'user' | 'assistant', text: string): Part[] {
  return text.trim() === '' ? [] : [{ type, text }];
}

function call(id: unknown, name: unknown, args: unknown): Part {
  return { type: 'call', id: String(id), name: String(name), args: typeof args === 'string' ? args : toJson(args) };
}

const saysFailed =
  /^\s*(?:<tool_use_error>|Error\b|Exit code:? [1-9]|<returncode>[1-9-])|Process exited with code [1-9]/;

function result(id: unknown, said: string, isError = false): Part {
  const failed = isError || saysFailed.test(said.slice(0, 500));
  const [, output] = /^<returncode>.*?<\/returncode>\s*<output>\n?([\s\S]*?)(?:<\/output>\s*)?$/.exec(said) ?? [];
  return { type: 'result', id: String(id), text: output ?? said, failed };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .flatMap(({ text, type }) => (text === undefined || type === 'reasoning' ? [] : [textOf(text)]))
    .join('\n');
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toJson(value: unknown): string {
  return JSON.stringify(value ?? {});
}

const model = 'svc/kimi-k3';

/** Neighbouring words and calls of the agent are one answer; a call without a result is left out, and so is its result alone. */
function toMessages(parts: readonly Part[]): HistoryMessage[] {
  const results = new Map(parts.flatMap((part) => (part.type === 'result' ? [[part.id, part.text]] : [])));
  const messages: HistoryMessage[] = [];
  let answer: Extract<HistoryMessage, { role: 'assistant' }> | undefined;
  const close = () => {
    if (answer === undefined) return;
    messages.push(answer);
    for (const { id, name } of answer.toolCalls) {
      messages.push({ role: 'tool', callId: id, name, text: results.get(id) ?? '' });
    }
    answer = undefined;
  };
  for (const part of parts) {
    if (part.type === 'user') {
      close();
      messages.push({ role: 'user', text: part.text });
    } else if (part.type === 'result') close();
    else {
      if (part.type === 'call' && !results.has(part.id)) continue;
      answer ??= { role: 'assistant', text: '', model, toolCalls: [] };
      if (part.type === 'call') answer.toolCalls.push({ id: part.id, name: part.name, arguments: part.args });
      else answer.text = answer.text === '' ? part.text : `${answer.text}\n${part.text}`;
    }
  }
  close();
  return messages;
}
