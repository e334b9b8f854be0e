import { leadingMembers } from '../../base/loose-json.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { HistoryImage, HistoryMessage, ToolCall } from '../../shared/messages.ts';
import type { ModelFacts } from '../step/learned.ts';
import { imageNote } from './images.ts';

interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export type WireMessage =
  | { role: 'system'; content: string }
  /** A list is sent only with images, because not every server takes one. */
  | { role: 'user'; content: string | WirePart[] }
  | { role: 'assistant'; content: string | null; reasoning_content?: string; tool_calls?: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export type Strength = 'normal' | 'strong';

export interface WireOptions {
  strength: Strength;
  imageUrl?(image: HistoryImage): string | undefined;
}

type Assistant = Extract<HistoryMessage, { role: 'assistant' }>;
type WireAssistant = Extract<WireMessage, { role: 'assistant' }>;

const cancelledResult = 'Cancelled: this call was not carried out.';
const emptyResult = '(no output)';

/**
 * Brings any history into the form that `model` accepts, because one bad message makes a model refuse every later
 * request. Afterwards each call has exactly one result directly behind its message, no result stands alone, arguments
 * are JSON objects, no assistant message is empty, `content` is always present, text is well-formed UTF-16, and call
 * ids are short and unique. Reasoning goes back only to models that demand it. A model that refused tools or images
 * gets them as text. `strong` also fixes what only some servers reject.
 */
export function normaliseHistory(
  messages: readonly HistoryMessage[],
  model: string,
  facts: ModelFacts,
  { strength, imageUrl = () => undefined }: WireOptions,
): WireMessage[] {
  const nextId = createIds();
  const withTools = facts.tools?.works !== false;
  const wire: WireMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue;
    if (message.role !== 'assistant') {
      if (message.role === 'user' && message.images !== undefined) {
        wire.push({ role: 'user', content: withImages(message.text, message.images, facts, imageUrl) });
      } else if (message.text.trim() !== '') {
        wire.push({ role: message.role, content: message.text.toWellFormed() });
      }
      continue;
    }
    const results = resultsOf(messages, index);
    const turns = message.toolCalls.map((call) => toTurn(call, results, nextId));
    if (message.text.trim() === '' && turns.length === 0) continue;
    wire.push(...(withTools ? toolMessages(message, turns, model, strength) : textMessages(message, turns, model)));
  }
  const echo = echoFor(model, facts);
  const padded = wire.map((message) => (message.role === 'assistant' ? withEcho(message, echo, strength) : message));
  return strength === 'strong' ? ironOut(padded) : padded;
}

function withImages(
  text: string,
  images: readonly HistoryImage[],
  facts: ModelFacts,
  imageUrl: (image: HistoryImage) => string | undefined,
): string | WirePart[] {
  const refused = facts.images?.works === false;
  const names: string[] = [];
  const parts: WirePart[] = [];
  for (const image of images) {
    const url = refused ? undefined : imageUrl(image);
    if (url !== undefined) parts.push({ type: 'image_url', image_url: { url } });
    const missing = refused ? 'refused' : 'missing';
    names.push(imageNote(image, url === undefined ? missing : 'attached'));
  }
  const whole = [names.join('\n'), text]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
    .toWellFormed();
  return parts.length === 0 ? whole : [{ type: 'text', text: whole }, ...parts];
}

interface Turn {
  call: WireToolCall;
  result: string;
}

function resultsOf(messages: readonly HistoryMessage[], index: number): Map<string, string[]> {
  const results = new Map<string, string[]>();
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined || message.role === 'assistant') break;
    if (message.role !== 'tool') continue;
    const known = results.get(message.callId);
    if (known) known.push(message.text);
    else results.set(message.callId, [message.text]);
  }
  return results;
}

function toTurn(call: ToolCall, results: Map<string, string[]>, nextId: (wanted: string) => string): Turn {
  const found = results.get(call.id)?.shift();
  const result = (found ?? cancelledResult).toWellFormed();
  const args = readArguments(call.arguments);
  const note = args === undefined ? badArguments(call.arguments) : '';
  return {
    call: {
      id: nextId(call.id),
      type: 'function',
      function: { name: functionName(call.name), arguments: args ?? stringify(leadingMembers(call.arguments)) ?? '{}' },
    },
    result: note + (result.trim() === '' ? emptyResult : result),
  };
}

const validId = /^[a-zA-Z0-9_-]{1,40}$/;

/** Keeps ids that are valid and unused, so that the text of a growing history stays the same between requests. */
function createIds(): (wanted: string) => string {
  const used = new Set<string>();
  let made = 0;
  return (wanted) => {
    let id = wanted;
    while (!validId.test(id) || used.has(id)) {
      made += 1;
      id = `call_${made}`;
    }
    used.add(id);
    return id;
  };
}

function functionName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}

function readArguments(text: string): string | undefined {
  if (text.trim() === '') return '{}';
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // An escape for half a character is JSON to us and an error to stricter parsers.
  const isClean = text.isWellFormed() && !/\\u[dD][89a-fA-F]/.test(text);
  return isClean ? text : stringify(value);
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(wellFormed(value));
  } catch (error) {
    // Nested deeper than the stack: no tool takes such arguments.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Throws `RangeError` when the value is nested too deep for the stack. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}

const shownArguments = 2000;

function badArguments(text: string): string {
  const shown = text.slice(0, shownArguments).toWellFormed();
  return `The arguments of this call were not a JSON object, so above stands only what could be read. Write them anew, do not repeat this:\n${shown}\n\n`;
}

function toolMessages(message: Assistant, turns: readonly Turn[], model: string, strength: Strength): WireMessage[] {
  const text = message.text.trim() === '' ? '' : message.text.toWellFormed();
  const assistant: WireAssistant = {
    role: 'assistant',
    content: text === '' ? callOnlyContent(model, strength) : text,
    ...echoed(message, model),
  };
  if (turns.length > 0) assistant.tool_calls = turns.map(({ call }) => call);
  const results = turns.map(
    ({ call, result }): WireMessage => ({ role: 'tool', tool_call_id: call.id, content: result }),
  );
  return [assistant, ...results];
}

/** `null` is the common form, but one model family rejects it as empty. After a refusal every model gets text. */
function callOnlyContent(model: string, strength: Strength): string | null {
  if (strength === 'strong') return '(tool call)';
  return isKimi(model) ? ' ' : null;
}

function textMessages(message: Assistant, turns: readonly Turn[], model: string): WireMessage[] {
  const calls = turns.map(({ call }) => `[Called ${call.function.name} with ${call.function.arguments}]`);
  const results = turns.map(({ call, result }) => `[Result of ${call.function.name}]\n${result}`);
  const text = [message.text.toWellFormed(), ...calls].filter((part) => part.trim() !== '').join('\n\n');
  const assistant: WireMessage = { role: 'assistant', content: text, ...echoed(message, model) };
  return results.length === 0 ? [assistant] : [assistant, { role: 'user', content: results.join('\n\n') }];
}

function isKimi(model: string): boolean {
  return /kimi/i.test(model);
}

/** DeepSeek and Kimi models require their own reasoning in later requests. */
export function echoesReasoning(model: string): boolean {
  return /deepseek|kimi/i.test(model);
}

function echoFor(model: string, facts: ModelFacts): string | undefined {
  if (facts.reasoningEcho === 'refused') return undefined;
  if (facts.reasoningEcho !== 'required' && !echoesReasoning(model)) return undefined;
  return isKimi(model) ? ' ' : '';
}

function echoed(message: Assistant, model: string): Pick<WireAssistant, 'reasoning_content'> {
  const { reasoning = '' } = message;
  return message.model === model && reasoning !== '' ? { reasoning_content: reasoning.toWellFormed() } : {};
}

function withEcho(message: WireAssistant, padding: string | undefined, strength: Strength): WireAssistant {
  const { reasoning_content: reasoning, ...rest } = message;
  if (padding === undefined) return rest;
  return { ...rest, reasoning_content: reasoning ?? (strength === 'strong' ? ' ' : padding) };
}

function ironOut(messages: readonly WireMessage[]): WireMessage[] {
  const ironed: WireMessage[] = [];
  const system = messages.filter((message) => message.role === 'system').map(({ content }) => content);
  if (system.length > 0) ironed.push({ role: 'system', content: system.join('\n\n') });
  for (const message of messages) {
    if (message.role === 'system') continue;
    const last = ironed.at(-1);
    if (message.role === 'assistant' && (last === undefined || last.role === 'system')) {
      ironed.push({ role: 'user', content: '(continued)' });
    }
    if (message.role === 'user' && last?.role === 'user') {
      ironed[ironed.length - 1] = { role: 'user', content: joined(last.content, message.content) };
    } else ironed.push(message);
  }
  return ironed;
}

function joined(first: string | WirePart[], second: string | WirePart[]): string | WirePart[] {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: string | WirePart[]): WirePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
