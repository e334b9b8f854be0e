// Refusals of histories and parameters, worded as real hosts word them. Off unless a rule asks for them.
import type { ChatMessage, ChatRequest } from './chat-request.ts';
import { messageText } from './chat-request.ts';
import type { HistoryCheck } from './script-schema.ts';

type Check = (request: ChatRequest) => string | undefined;

/** The sentence of the first failed check, or undefined. */
export function failedCheck(checks: readonly HistoryCheck[], request: ChatRequest): string | undefined {
  for (const name of checks) {
    const sentence = allChecks[name](request);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

const allChecks: Record<HistoryCheck, Check> = {
  H01: (request) =>
    firstCall(
      request,
      (call) => !isJson(call.function.arguments),
      () => 'Invalid JSON in tool call arguments.',
    ),
  H02: orphanCall,
  H03: (request) =>
    firstMessage(
      request,
      (message) => message.role === 'assistant' && messageText(message) === '',
      (index) => `Invalid request: the message at position ${index} with role 'assistant' must not be empty`,
    ),
  H04: (request) =>
    firstMessage(
      request,
      (message) => !('content' in message),
      (index) => `messages.${index}.content: field required`,
    ),
  H05: (request) =>
    firstMessage(
      request,
      (message) => message.role === 'assistant' && typeof message.reasoning_content !== 'string',
      (index) =>
        `reasoning_content is missing in assistant message at index ${index}; it must be passed back in thinking mode.`,
    ),
  'H05-tool-calls': (request) =>
    firstMessage(
      request,
      (message) => (message.tool_calls?.length ?? 0) > 0 && typeof message.reasoning_content !== 'string',
      (index) =>
        `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
    ),
  'H05-unknown-field': (request) =>
    firstMessage(
      request,
      (message) => 'reasoning_content' in message,
      (index) => `messages.${index}: Unknown field 'reasoning_content'.`,
    ),
  H09: (request) => (hasLoneSurrogate(request) ? 'Invalid body: lone leading surrogate in hex escape.' : undefined),
  H10: (request) => {
    const field = ['temperature', 'top_p', 'seed', 'stop'].find((name) => request[name] !== undefined);
    return field === undefined ? undefined : `invalid ${field}: only 1 is allowed for this model`;
  },
  H11: (request) =>
    request.tool_choice === undefined
      ? undefined
      : "tool_choice is not supported: 'auto' tool choice requires a parser.",
  H14: (request) =>
    firstCall(
      request,
      (call) => !/^[a-zA-Z0-9_-]{1,40}$/.test(call.id),
      (id) => `Invalid tool call id: ${id.slice(0, 60)}`,
    ),
  W67: (request) => (request.stream_options == null ? undefined : "Unknown parameter: 'stream_options'."),
};

function firstMessage(
  request: ChatRequest,
  fails: (message: ChatMessage) => boolean,
  sentence: (index: number) => string,
): string | undefined {
  const index = request.messages.findIndex(fails);
  return index < 0 ? undefined : sentence(index);
}

type Call = NonNullable<ChatMessage['tool_calls']>[number];

function firstCall(
  request: ChatRequest,
  fails: (call: Call) => boolean,
  sentence: (id: string) => string,
): string | undefined {
  const call = request.messages.flatMap((message) => message.tool_calls ?? []).find(fails);
  return call === undefined ? undefined : sentence(call.id);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Results must follow their calls directly, each call once. */
function orphanCall(request: ChatRequest): string | undefined {
  let open = new Set<string>();
  for (const message of request.messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) {
        return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
      continue;
    }
    if (open.size > 0) break;
    open = new Set((message.tool_calls ?? []).map((call) => call.id));
  }
  if (open.size === 0) return undefined;
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(', ')}`;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasLoneSurrogate);
}
