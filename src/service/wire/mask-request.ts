import type { HistoryMessage } from '../../shared/messages.ts';
import type { ChatRequest } from '../contract.ts';

/**
 * The request without keys in it, whatever put them there: a file, a command's output, an attachment. `masked` are the
 * messages that held one, as they go out now. A request without a key, which is nearly every one, is given back as it is.
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

/** Tools of other extensions and files of instructions put their own words into definitions. Undefined: nothing to hide. */
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
