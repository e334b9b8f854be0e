import type { Clock } from '../../../../src/base/clock.ts';
import { type ClientDeps, createClient } from '../../../../src/service/client.ts';
import type { ChatRequest, ServiceClient, StreamEvent, StreamResult } from '../../../../src/service/contract.ts';
import { knownModels } from '../../../../src/service/models.ts';
import { createRedactor } from '../../../../src/service/redact.ts';
import { createLearned, type Learned } from '../../../../src/service/step/learned.ts';
import type { Attempt } from '../../../../src/shared/messages.ts';
import { waitFor } from '../../../vscode/wait-for.ts';

export const canaryKey = 'sk-svc-canary-0123456789abcdef';

export interface SentRequest {
  url: string;
  method: string;
  headers: Headers;
  /** Parsed when it is JSON. */
  body: Record<string, unknown>;
  signal: AbortSignal;
}

/** What the service answers to one request; the last answer is given again and again. */
export type Answer = (request: SentRequest) => Response | Promise<Response>;

export interface Harness {
  client: ServiceClient;
  learned: Learned;
  requests: SentRequest[];
  /** Requests for completions only. */
  chats(): SentRequest[];
  events: StreamEvent[];
  /** Milliseconds of each backoff. */
  sleeps: number[];
  logLines: string[];
  /** Moves the clock and runs what is due. */
  advance(ms: number): void;
  send(request?: Partial<ChatRequest>, signal?: AbortSignal): Promise<StreamResult>;
  complete(request?: Partial<ChatRequest>, signal?: AbortSignal): Promise<StreamResult>;
}

/** A client over scripted answers and a clock that stands still. Backoffs pass at once unless `sleepForever`. */
export function createHarness(
  answers: Answer[],
  change: Partial<ClientDeps> & { sleepForever?: boolean; onEvent?: (event: StreamEvent) => void } = {},
): Harness {
  const { sleepForever, onEvent, ...deps } = change;
  const requests: SentRequest[] = [];
  const events: StreamEvent[] = [];
  const sleeps: number[] = [];
  const logLines: string[] = [];
  const { clock, advance } = createTestClock(sleeps, sleepForever === true);
  const learned = deps.learned ?? createLearned(undefined, () => undefined);
  const queue = [...answers];
  let ids = 0;
  const client = createClient({
    baseUrl: () => 'http://127.0.0.1:9/v1',
    key: async () => canaryKey,
    transport: async (url, init) => {
      const request = toSentRequest(url, init);
      requests.push(request);
      if (request.url.endsWith('/models') && queue.length === 0) return modelList();
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      if (answer === undefined) throw new Error('no answer was scripted');
      return answer(request);
    },
    learned,
    modelIds: () => knownModels.map((model) => model.id),
    fallback: () => ({ enabled: true, order: [] }),
    clock,
    random: () => 0.5,
    newId: () => `r${++ids}`,
    redact: createRedactor(() => [canaryKey]),
    log: (line) => logLines.push(line),
    timeouts: () => ({ firstEventMs: 180_000, idleMs: 90_000 }),
    ...deps,
  });
  const listen = (event: StreamEvent) => {
    events.push(event);
    onEvent?.(event);
  };
  const open = new AbortController().signal;
  return {
    client,
    learned,
    requests,
    chats: () => requests.filter((request) => request.url.endsWith('/chat/completions')),
    events,
    sleeps,
    logLines,
    advance,
    send: (request, signal = open) => client.stream(chatRequest(request), listen, signal),
    complete: (request, signal = open) => client.complete(chatRequest(request), listen, signal),
  };
}

function chatRequest(change: Partial<ChatRequest> = {}): ChatRequest {
  return { model: 'svc/kimi-k3', messages: [{ role: 'user', text: 'Hello' }], surface: 'chat', ...change };
}

function toSentRequest(url: string, init: RequestInit & { signal: AbortSignal }): SentRequest {
  const text = typeof init.body === 'string' ? init.body : '';
  let body: Record<string, unknown> = {};
  if (text.length > 1) body = JSON.parse(text);
  return { url, method: init.method ?? 'GET', headers: new Headers(init.headers), body, signal: init.signal };
}

function createTestClock(sleeps: number[], sleepForever: boolean): { clock: Clock; advance(ms: number): void } {
  let now = 0;
  const epoch = Date.parse('2026-11-20T10:00:00Z');
  const timers = new Set<{ at: number; run: () => void }>();
  const advance = (ms: number): void => {
    const until = now + ms;
    for (;;) {
      const due = [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      timers.delete(due);
      now = Math.max(now, due.at);
      due.run();
    }
    now = until;
  };
  const clock: Clock = {
    now: () => now,
    epochMs: () => epoch + now,
    sleep: (ms, signal) => {
      sleeps.push(ms);
      if (!sleepForever) {
        now += ms;
        return Promise.resolve();
      }
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return { clock, advance };
}

// --- answers ---

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return () => Response.json(body, { status, headers });
}

export function errorAnswer(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return json(status, { error: { code: status, message, type: 'error' } }, headers);
}

export function page(status: number, html = '<!doctype html><title>Not Found</title>'): Answer {
  return () => new Response(html, { status, headers: { 'content-type': 'text/html' } });
}

export function networkError(code: string): Answer {
  return () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
  };
}

/** Server-sent events; strings are sent verbatim as data. */
export function events(...data: (object | string)[]): Answer {
  return () => eventResponse(data.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))));
}

function eventResponse(data: readonly string[]): Response {
  return new Response(data.map((item) => `data: ${item}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}

export function delta(content: string): object {
  return { choices: [{ index: 0, delta: { content }, finish_reason: null }] };
}

export function finish(reason = 'stop', usage?: object): object {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }], ...(usage === undefined ? {} : { usage }) };
}

export const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A whole streamed reply. */
export function reply(text = 'Hi', model?: string): Answer {
  return events({ ...delta(text), ...(model === undefined ? {} : { model }) }, finish('stop', usage), '[DONE]');
}

export function wholeReply(text = 'Hi'): Answer {
  return json(200, {
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage,
  });
}

/** Sends these events and then nothing more; the stream breaks when the request is aborted. */
export function openStream(...data: object[]): Answer {
  return (request) => {
    const encoder = new TextEncoder();
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const item of data) controller.enqueue(encoder.encode(`data: ${JSON.stringify(item)}\n\n`));
        request.signal.addEventListener('abort', () => controller.error(request.signal.reason), { once: true });
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Sends these events and then breaks the connection. */
export function brokenStream(...data: object[]): Answer {
  return () => {
    const pieces = data.map((item) => new TextEncoder().encode(`data: ${JSON.stringify(item)}\n\n`));
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else controller.error(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Never answers; rejects when the request is aborted. */
export const silence: Answer = (request) =>
  new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
  });

export function modelList(ids: readonly string[] = knownModels.map((model) => model.id)): Response {
  return Response.json({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'svc' })),
  });
}

// --- looking at what happened ---

export function ofType<T extends StreamEvent['type']>(
  all: readonly StreamEvent[],
  type: T,
): Extract<StreamEvent, { type: T }>[] {
  return all.filter((event): event is Extract<StreamEvent, { type: T }> => event.type === type);
}

export function ended(harness: Harness): Attempt[] {
  return ofType(harness.events, 'attemptEnded').map((event) => event.attempt);
}

export function models(harness: Harness): unknown[] {
  return harness.chats().map((request) => request.body.model);
}

/** Waits until something holds, in real time. */
export async function until(condition: () => boolean): Promise<void> {
  await waitFor('the condition', condition, { pollMs: 5 });
}
