import type { HistoryMessage } from '../../shared/messages.ts';
import type { ChatRequest } from '../contract.ts';

/**
 * Masks the keys in a request, whatever brought them there: a file, the output of a command, an attachment. Returns
 * the same request when it holds none. `masked` lists the changed messages as they are sent.
 */
export function maskRequest(
  request: ChatRequest,
  mask: (text: string) => string,
): { request: ChatRequest; masked: HistoryMessage[] } {
  const masked: HistoryMessage[] = [];
  const messages = request.messages.map((message) => {
    const clean = maskMessage(message, mask);
    if (clean !== message) masked.push(clean);
    return clean;
  });
  const around = maskAround(request, mask);
  return masked.length === 0 && around === undefined
    ? { request, masked }
    : { request: { ...request, ...around, messages }, masked };
}

/**
 * Masks definitions too, because other extensions and instruction files put their own words there. Returns undefined
 * when nothing changed.
 */
function maskAround(
  { tools, stop }: ChatRequest,
  mask: (text: string) => string,
): Pick<ChatRequest, 'tools' | 'stop'> | undefined {
  const around = JSON.stringify({ tools, stop });
  if (mask(around) === around) return undefined;
  const clean = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === 'string' ? mask(each) : each));
  return { ...(tools && { tools: clean(tools) }), ...(stop && { stop: clean(stop) }) };
}

function maskMessage(message: HistoryMessage, mask: (text: string) => string): HistoryMessage {
  const text = mask(message.text);
  if (message.role !== 'assistant') return text === message.text ? message : { ...message, text };
  const reasoning = message.reasoning === undefined ? undefined : mask(message.reasoning);
  const toolCalls = message.toolCalls.map((call) => ({ ...call, arguments: mask(call.arguments) }));
  const isSame =
    text === message.text &&
    reasoning === message.reasoning &&
    toolCalls.every((call, index) => call.arguments === message.toolCalls[index]?.arguments);
  return isSame ? message : { ...message, text, toolCalls, ...(reasoning === undefined ? {} : { reasoning }) };
}
