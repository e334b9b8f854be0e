import { Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Agent as AgentType, Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { FetchLike } from './transport.ts';

/**
 * Our own way to the service: undici's dispatcher with nothing in between, so that no proxy is looked up per call, no
 * timer but ours counts and a cold start stays short. Loaded when it is first needed, in a file of its own.
 */
export interface DirectFetch extends FetchLike {
  /** Closes idle connections and ends running ones. */
  close(): Promise<void>;
}

/** What a rejected direct request says besides its cause: nothing of the request has left this machine. */
interface DirectFailure extends TypeError {
  notSent?: boolean;
}

const connectTimeoutMs = 10_000;
/** The service's own hint, where it gives one, wins. */
const keepAliveMs = 60_000;
/** A kept connection that the other side had closed breaks at once; later than this the request may have been read. */
const staleSocketMs = 2000;
const bufferedBytes = 256 * 1024;

/** What the client sends, and the preflight of the service check. */
const methods = ['GET', 'POST', 'OPTIONS'] as const;

export function createDirectFetch(): DirectFetch {
  // Node builds its web classes when they are first touched: better now than between Send and the first request.
  new Response(new ReadableStream(), { headers: new Headers() });
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
  });
  let connects = 0;
  agent.on('connect', () => {
    connects += 1;
  });
  const directFetch: FetchLike = async (url, init) => {
    const connectsBefore = connects;
    const startedAt = performance.now();
    try {
      return await request(agent, url, init);
    } catch (error) {
      // N17: only a kept connection that broke before it answered anything; a new one that breaks is a failure.
      const isStale = connects === connectsBefore && performance.now() - startedAt < staleSocketMs;
      if (init.signal.aborted || !isStale || !isReset(error)) throw error;
      return await request(agent, url, init);
    }
  };
  return Object.assign(directFetch, { close: () => agent.destroy() });
}

function isReset(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

function request(agent: AgentType, url: string, init: Parameters<FetchLike>[1]): Promise<Response> {
  const { signal } = init;
  if (signal.aborted) return Promise.reject(signal.reason);
  const target = new URL(url);
  const options: Dispatcher.DispatchOptions = {
    origin: target.origin,
    path: target.pathname + target.search,
    method: methods.find((method) => method === init.method) ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === 'string' ? init.body : null,
  };
  return new Promise((resolve, reject) => {
    agent.dispatch(options, createHandler(signal, resolve, reject));
  });
}

/** Turns the dispatcher's calls into one `Response`, and the signal into the end of the connection (T09). */
function createHandler(
  signal: AbortSignal,
  resolve: (response: Response) => void,
  reject: (reason: unknown) => void,
): Dispatcher.DispatchHandler {
  let control: Dispatcher.DispatchController | undefined;
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const onAbort = () => {
    reject(signal.reason);
    control?.abort(asError(signal.reason));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const settle = () => signal.removeEventListener('abort', onAbort);
  return {
    // Not before there is a connection: until then nothing has left this machine.
    onRequestStart: (controller) => {
      control = controller;
      if (signal.aborted) controller.abort(asError(signal.reason));
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      const stream = createBody(controller, (started) => {
        body = started;
      });
      try {
        resolve(toResponse(stream, status, headers));
      } catch (error) {
        controller.abort(asError(error));
      }
    },
    onResponseData: (controller, chunk) => {
      body?.enqueue(chunk);
      if ((body?.desiredSize ?? 1) <= 0) controller.pause();
    },
    onResponseEnd: () => {
      settle();
      body?.close();
    },
    onResponseError: (_controller, error) => {
      settle();
      const reason: unknown = signal.aborted ? signal.reason : failed(error, control === undefined);
      body?.error(reason);
      reject(reason);
    },
  };
}

function createBody(
  controller: Dispatcher.DispatchController,
  onStart: (started: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    { start: onStart, pull: () => controller.resume(), cancel: (reason) => controller.abort(asError(reason)) },
    { highWaterMark: bufferedBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/** The shape that `fetch` gives to what goes wrong on the way (N14). */
function failed(cause: Error, notSent: boolean): DirectFailure {
  return Object.assign(new TypeError('fetch failed', { cause }), { notSent });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason ?? 'The body is no longer wanted.'));
}

/** Throws for a status that no HTTP server may send. */
function toResponse(
  stream: ReadableStream<Uint8Array>,
  status: number,
  rawHeaders: Record<string, string | string[] | undefined>,
): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(rawHeaders)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  const isBodyless = status === 204 || status === 205 || status === 304;
  return new Response(isBodyless ? null : decoded(stream, headers.get('content-encoding')), { status, headers });
}

/** Nothing compressed is asked for, but proxies compress unasked (W30). Every piece is passed on as soon as it is there. */
function decoded(stream: ReadableStream<Uint8Array>, encoding: string | null): ReadableStream<Uint8Array> {
  const decoder = createDecoder(encoding?.trim().toLowerCase());
  if (decoder === undefined) return stream;
  // Node declares its own, equal type for web streams.
  const pair = Duplex.toWeb(decoder) as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  return stream.pipeThrough(pair);
}

function createDecoder(encoding: string | undefined): Duplex | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(flush);
    case 'deflate':
      return createInflate(flush);
    case 'br':
      return createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
    default:
      return undefined;
  }
}
