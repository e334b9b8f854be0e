// A reply and its two forms on the wire: one whole `chat.completion` object, or a list of streamed chunks.
import type { ScriptedReply } from './script-schema.ts';
import { countTokens, takeTokens } from './tokens.ts';

export interface Reply {
  text: string;
  reasoning: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  finish: string;
  /** Events to send verbatim instead of those made from the fields above. */
  chunks?: object[];
  /** Usage to report instead of the counted one. */
  usage?: object;
}

export interface ReplyIdentity {
  id: string;
  model: string;
  createdAtSeconds: number;
}

export interface ReplyUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** One event and the text that the model "generated" for it, for which a closed stream is charged. */
export interface ReplyEvent {
  data: object;
  generated: string;
}

/** Pieces of tool arguments in a stream, in characters: small, so that clients must join several. */
const argumentPieceLength = 12;

export function fromScript(scripted: ScriptedReply, nextCallId: () => string): Reply {
  const toolCalls = (scripted.toolCalls ?? []).map((call) => ({
    id: call.id ?? nextCallId(),
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
  return {
    text: scripted.text ?? '',
    reasoning: scripted.reasoning ?? '',
    toolCalls,
    finish: scripted.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    chunks: scripted.chunks,
    usage: scripted.usage,
  };
}

/** Everything the model generated, in order. Empty means that the call is not charged. */
export function generatedText(reply: Reply): string {
  if (reply.chunks) return reply.chunks.map(chunkText).join('');
  const calls = reply.toolCalls.map((call) => call.name + call.arguments).join('');
  return reply.text === '' && calls === '' ? '' : reply.reasoning + reply.text + calls;
}

/** Ends the text before the first of the sequences that the client asked to stop at. */
export function stopReply(reply: Reply, stop: string | readonly string[] | null | undefined): Reply {
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? []);
  const ends = sequences.map((sequence) => reply.text.indexOf(sequence)).filter((end) => end >= 0);
  if (ends.length === 0) return reply;
  return { ...reply, text: reply.text.slice(0, Math.min(...ends)), toolCalls: [], finish: 'stop' };
}

/** Cuts a reply at `max_tokens`: reasoning first, then text, then tool arguments; finish becomes `length`. */
export function capReply(reply: Reply, maxTokens: number | null | undefined): Reply {
  if (maxTokens == null || countTokens(generatedText(reply)) <= maxTokens) return reply;
  let left = maxTokens;
  const take = (text: string): string => {
    const kept = takeTokens(text, left);
    left -= Math.min(left, countTokens(kept));
    return kept;
  };
  const reasoning = take(reply.reasoning);
  const text = take(reply.text);
  const toolCalls = reply.toolCalls.flatMap((call) => {
    if (left === 0) return [];
    left -= Math.min(left, countTokens(call.name));
    return [{ ...call, arguments: take(call.arguments) }];
  });
  return { ...reply, reasoning, text, toolCalls, finish: 'length' };
}

export function toWhole(reply: Reply, identity: ReplyIdentity, usage: ReplyUsage | undefined): object {
  const calls = reply.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    ...header(identity, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text === '' && calls.length > 0 ? null : reply.text,
          ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: reply.finish,
      },
    ],
    ...(usage ? { usage: reply.usage ?? usage } : {}),
  };
}

/** The chunks before the finish chunk: role, reasoning, words, tool calls in pieces. */
export function toEvents(reply: Reply, identity: ReplyIdentity): ReplyEvent[] {
  if (reply.chunks) return reply.chunks.map((data) => ({ data, generated: chunkText(data) }));
  const event = (delta: object, generated = ''): ReplyEvent => ({ data: chunk(identity, delta, null), generated });
  return [
    event({ role: 'assistant', content: '' }),
    ...words(reply.reasoning).map((word) => event({ reasoning_content: word }, word)),
    ...words(reply.text).map((word) => event({ content: word }, word)),
    ...reply.toolCalls.flatMap((call, index) => {
      const { id, name } = call;
      const start = { index, id, type: 'function', function: { name, arguments: '' } };
      const rest = pieces(call.arguments).map((piece) =>
        event({ tool_calls: [{ index, function: { arguments: piece } }] }, piece),
      );
      return [event({ tool_calls: [start] }, name), ...rest];
    }),
  ];
}

export function finishChunk(reply: Reply, identity: ReplyIdentity): object {
  return chunk(identity, {}, reply.finish);
}

/** The final chunk that `stream_options.include_usage` asks for: usage beside an empty `choices`. */
export function usageChunk(reply: Reply, identity: ReplyIdentity, usage: ReplyUsage): object {
  return { ...header(identity, 'chat.completion.chunk'), choices: [], usage: reply.usage ?? usage };
}

function header({ id, model, createdAtSeconds }: ReplyIdentity, object: string): object {
  return { id, object, created: createdAtSeconds, model };
}

function chunk(identity: ReplyIdentity, delta: object, finish: string | null): object {
  return { ...header(identity, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] };
}

function words(text: string): string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? [];
}

function pieces(text: string): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / argumentPieceLength);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * argumentPieceLength, (index + 1) * argumentPieceLength).join(''),
  );
}

/** Text of a scripted chunk: strings at the places where deltas carry generated text. */
function chunkText(data: object): string {
  const found: string[] = [];
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'string' && ['content', 'reasoning_content', 'reasoning', 'arguments'].includes(key))
      found.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) visit(child, name);
  };
  visit('choices' in data ? data.choices : undefined, '');
  return found.join('');
}
