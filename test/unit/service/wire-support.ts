import type { Reply, StreamEvent } from '../../../src/service/contract.ts';
import { type ReadResult, readReply } from '../../../src/service/wire/read-reply.ts';
import type { ReplyEnd } from '../../../src/service/wire/reply-end.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** What happens after the last piece: the body ends, the connection breaks, or nothing more comes. */
export type Ending = 'eof' | 'reset' | 'open';

export interface BodyOptions {
  ending?: Ending;
  contentType?: string;
}

export const model = 'svc/glm-5.3';
const encoder = new TextEncoder();

export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export interface FakeResponse {
  response: Response;
  /** Adds a piece to an open body. */
  push(text: string): void;
  close(): void;
  cancelled(): boolean;
}

export function createResponse(
  pieces: readonly Uint8Array[],
  { ending = 'eof', contentType = 'text/event-stream' }: BodyOptions = {},
): FakeResponse {
  let cancelled = false;
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller;
    },
    pull: (controller) => {
      const piece = pieces[at];
      at += 1;
      if (piece !== undefined) controller.enqueue(piece);
      else if (ending === 'eof') controller.close();
      else if (ending === 'reset')
        controller.error(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  return {
    response: new Response(stream, { headers: contentType === '' ? {} : { 'content-type': contentType } }),
    push: (text) => control?.enqueue(toBytes(text)),
    close: () => control?.close(),
    cancelled: () => cancelled,
  };
}

export interface Told extends ReadResult {
  /** Neighbouring deltas joined. */
  events: StreamEvent[];
  cancelled: boolean;
}

export interface Running {
  done: Promise<Told>;
  events: StreamEvent[];
  clock: FakeClock;
  abort: AbortController;
  body: FakeResponse;
}

export function start(body: FakeResponse): Running {
  const clock = createFakeClock();
  const abort = new AbortController();
  const events: StreamEvent[] = [];
  const reading = readReply(body.response, {
    requestedModel: model,
    model,
    tools: new Set(['read_file', 'edit_file']),
    signal: abort.signal,
    firstEventMs: 180_000,
    idleMs: 90_000,
    clock,
    onEvent: (event) => events.push(structuredClone(event)),
  });
  const done = reading.then((result) => ({ ...result, events: joined(events), cancelled: body.cancelled() }));
  return { done, events, clock, abort, body };
}

export async function read(text: string | Uint8Array, options?: BodyOptions): Promise<Told> {
  return await readPieces([typeof text === 'string' ? toBytes(text) : text], options);
}

export async function readPieces(pieces: readonly Uint8Array[], options?: BodyOptions): Promise<Told> {
  return await start(createResponse(pieces, options)).done;
}

/** Everything that must not depend on how the bytes were cut. */
export function essence({ reply, end, visible, events }: Told): {
  reply: Reply;
  end: ReplyEnd;
  visible: boolean;
  events: StreamEvent[];
} {
  return { reply, end, visible, events };
}

export function joined(events: readonly StreamEvent[]): StreamEvent[] {
  const all: StreamEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type === 'text' && last?.type === 'text') last.text += event.text;
    else if (event.type === 'reasoning' && last?.type === 'reasoning') last.text += event.text;
    else if (event.type === 'toolForming' && last?.type === 'toolForming' && sameCall(event, last)) {
      last.argumentsDelta += event.argumentsDelta;
    } else all.push({ ...event });
  }
  return all;
}

function sameCall(left: { key: string; name: string }, right: { key: string; name: string }): boolean {
  return left.key === right.key && left.name === right.name;
}

/** One event of a stream. */
export function data(value: unknown): string {
  return `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
}

export const done = data('[DONE]');

export function choice(delta: unknown, finish: unknown = null, more: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
}

export function text(content: string, finish: unknown = null, more: object = {}): string {
  return data(choice({ content }, finish, more));
}

export function finish(reason: unknown = 'stop', more: object = {}): string {
  return data(choice({}, reason, more));
}

/** A chunk with deltas of tool calls. */
export function calls(...toolCalls: object[]): string {
  return data(choice({ tool_calls: toolCalls }));
}

export function call(fields: { index?: unknown; id?: unknown; name?: unknown; arguments?: unknown }): object {
  const { index, id, ...called } = fields;
  return {
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id, type: 'function' }),
    function: called,
  };
}

export function usage(promptTokens: unknown, completionTokens?: unknown): object {
  return { usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens } };
}
